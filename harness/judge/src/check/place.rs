//! Where in a turn a distribution stands, in words.

use wire::{Layer, Turn};

/// The place of distribution `index` of a turn's prefill or decode: "after prompt token 3".
pub(crate) fn at(layer: Layer, index: usize, turn: &Turn) -> String {
    if layer == Layer::Decode {
        return format!("after generated token {}", index + 1);
    }
    if turn.prefill.len() == 1 && turn.prompt_tokens.len() > 1 {
        return "at the end of the prompt".to_owned();
    }
    format!("after prompt token {}", index + 1)
}

/// From where on something is wrong: "from the first prompt token on".
pub(crate) fn from(layer: Layer, index: usize, turn: &Turn) -> String {
    match (layer, index) {
        (Layer::Decode, 0) => "from the first generated token on".to_owned(),
        (Layer::Decode, _) => format!("from generated token {} on", index + 1),
        (_, 0) if turn.prefill.len() > 1 => "from the first prompt token on".to_owned(),
        (_, _) if turn.prefill.len() > 1 => format!("from prompt token {} on", index + 1),
        _ => at(layer, index, turn),
    }
}

#[cfg(test)]
mod tests {
    use wire::Position;

    use super::*;

    #[test]
    fn places_are_counted_from_one_and_the_end_is_named() {
        let turn = |positions: usize| Turn {
            prefill: vec![Position::of(0, &[1.0], &[], None); positions],
            prompt_tokens: vec![wire::Token { id: 1, piece: "p".into(), kind: wire::TokenKind::Normal }; 5],
            ..Turn::default()
        };
        assert_eq!(at(Layer::Prefill, 0, &turn(1)), "at the end of the prompt");
        assert_eq!(at(Layer::Prefill, 0, &turn(5)), "after prompt token 1");
        assert_eq!(from(Layer::Prefill, 0, &turn(5)), "from the first prompt token on");
        assert_eq!(from(Layer::Prefill, 3, &turn(5)), "from prompt token 4 on");
        assert_eq!(from(Layer::Prefill, 0, &turn(1)), "at the end of the prompt");
        assert_eq!(from(Layer::Decode, 2, &turn(1)), "from generated token 3 on");
    }
}
