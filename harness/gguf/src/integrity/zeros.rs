//! Long runs of zero bytes, found in a stream.

/// Shortest run that is told. The space that an interrupted download leaves unwritten is longer; weights that happen to
/// be zero are not.
const SHORTEST: u64 = 4_096;
/// The stream is looked at in pieces of this size: a run of the shortest length holds at least one of them.
const PIECE: usize = 2_048;
const NOTHING: [u8; PIECE] = [0; PIECE];

/// A run of zero bytes, from the start of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) start: u64,
    pub(super) end: u64,
}

/// Finds runs in bytes that come one after the other.
#[derive(Debug)]
pub(super) struct Zeros {
    runs: Vec<Run>,
    /// After the last byte that was not zero.
    since: u64,
    position: u64,
    /// Whether the bytes up to `position` were seen to be zeros for a piece or more.
    open: bool,
}

impl Zeros {
    /// Starts at the offset `position`.
    pub(super) const fn new(position: u64) -> Self {
        Self { runs: Vec::new(), since: position, position, open: false }
    }

    /// The next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(PIECE) {
            let at = self.position;
            self.position += piece.len() as u64;
            // Compared as a whole, which is fast, before any byte is looked at.
            let last = match piece == &NOTHING[..piece.len()] {
                true => None,
                false => piece.iter().rposition(|byte| *byte != 0),
            };
            let Some(last) = last else {
                self.open = true;
                continue;
            };
            if self.open {
                let first = piece.iter().position(|byte| *byte != 0).unwrap_or(last);
                self.close(at + first as u64);
            }
            self.since = at + last as u64 + 1;
        }
    }

    /// All runs in order.
    pub(super) fn finish(mut self) -> Vec<Run> {
        let end = self.position;
        self.close(end);
        self.runs
    }

    fn close(&mut self, end: u64) {
        self.open = false;
        if end - self.since >= SHORTEST {
            self.runs.push(Run { start: self.since, end });
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// However the bytes are cut into pieces, the runs are those that a look at all of them finds.
        #[test]
        fn runs_are_found_whatever_the_cuts(
            lengths in proptest::collection::vec((0..9000_usize, 1..3000_usize), 1..6),
            tail in 0..9000_usize,
            cuts in proptest::collection::vec(1..5000_usize, 1..12),
        ) {
            let (mut bytes, mut expected) = (Vec::new(), Vec::new());
            let mut zeros = |bytes: &mut Vec<u8>, count: usize| {
                let start = 10 + bytes.len() as u64;
                bytes.resize(bytes.len() + count, 0);
                if count as u64 >= SHORTEST {
                    expected.push(Run { start, end: start + count as u64 });
                }
            };
            for (zero, full) in lengths {
                zeros(&mut bytes, zero);
                bytes.resize(bytes.len() + full, 7);
            }
            zeros(&mut bytes, tail);
            let mut finder = Zeros::new(10);
            let (mut rest, mut cut) = (&bytes[..], cuts.iter().cycle());
            while !rest.is_empty() {
                let (head, more) = rest.split_at((*cut.next().unwrap()).min(rest.len()));
                finder.feed(head);
                rest = more;
            }
            prop_assert_eq!(finder.finish(), expected);
        }
    }
}
