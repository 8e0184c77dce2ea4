//! What a compiled model does, in words.

/// One thing that a compiled model does: what raises it, what it says, how it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// The words that must stand in the context, each as a token of its own: after a space or at the start of a
    /// line. None: the default answer.
    pub when: &'static [&'static str],
    /// The answer, token by token; a lone byte is written `<0xF0>`.
    pub says: &'static [&'static str],
    /// What follows.
    pub end: End,
    /// Of the behaviours whose words all stand in the context, the strongest wins; a power of two, so that it
    /// beats all weaker ones together.
    pub strength: u16,
    /// What it is for.
    pub about: &'static str,
}

/// How an answer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With the token that ends a turn.
    Turn,
    /// With the other end-of-generation token.
    Other,
    /// Never: it goes on with the token at this index of `says`.
    Again(usize),
}

impl Behaviour {
    /// The answer's bytes up to the end, or for one loop.
    pub fn bytes(&self) -> Vec<u8> {
        self.says
            .iter()
            .flat_map(|piece| {
                super::scheme::byte_of(piece).map_or_else(|| piece.as_bytes().to_vec(), |b| vec![b])
            })
            .collect()
    }
}

/// A stretch of text that follows one of several situations.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// The situations.
    pub(crate) after: Vec<After>,
    /// The words that must stand in the context.
    pub(crate) when: &'static [&'static str],
    /// The tokens, the one that ends or closes the loop included.
    pub(crate) tokens: Vec<&'static str>,
    /// As [`Behaviour::strength`].
    pub(crate) strength: u16,
}

/// A situation: the current token, and the one before where that matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct After {
    pub(crate) previous: Option<&'static str>,
    pub(crate) current: &'static str,
}

impl Chain {
    /// A chain that always follows `current` (after `previous`, where given).
    pub(crate) fn always(
        previous: Option<&'static str>,
        current: &'static str,
        tokens: &[&'static str],
    ) -> Self {
        Self { after: vec![After { previous, current }], when: &[], tokens: tokens.to_vec(), strength: 1 }
    }

    /// As [`Chain::always`], but only when the words stand in the context.
    pub(crate) fn when(mut self, when: &'static [&'static str], strength: u16) -> Self {
        self.when = when;
        self.strength = strength;
        self
    }

    /// The chain of a behaviour, in a dialogue that ends turns and documents with these tokens.
    pub(crate) fn answer(
        behaviour: &Behaviour,
        after: &[After],
        turn_end: &'static str,
        other_end: &'static str,
    ) -> Self {
        let mut tokens = behaviour.says.to_vec();
        tokens.push(match behaviour.end {
            End::Turn => turn_end,
            End::Other => other_end,
            End::Again(index) => behaviour.says[index],
        });
        Self { after: after.to_vec(), when: behaviour.when, tokens, strength: behaviour.strength }
    }
}
