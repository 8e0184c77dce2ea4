//! What can be expected of a subject that shows less than the probe: somebody's wrapper.

use std::borrow::Cow;

use wire::{Capability, Card, Observation, Request, Stimulus, Turn};

/// `request` as the subject of `card` could take it: who shows no distributions was not asked for any.
pub(super) fn request_for<'a>(card: &Card, request: &'a Request) -> Cow<'a, Request> {
    if card.capabilities.contains(&Capability::Score) {
        return Cow::Borrowed(request);
    }
    let mut request = request.clone();
    match &mut request.stimulus {
        Stimulus::Generate(spec) => spec.score = false,
        Stimulus::Converse(spec) => spec.score = false,
        _ => {}
    }
    Cow::Owned(request)
}

/// A reference, without what the subject of `card` cannot show: distributions, or tokens too.
pub(super) fn reference_for<'a>(card: &Card, reference: &'a Observation) -> Cow<'a, Observation> {
    let (numbers, tokens) =
        (card.capabilities.contains(&Capability::Score), card.capabilities.contains(&Capability::Tokenize));
    if numbers && tokens {
        return Cow::Borrowed(reference);
    }
    let mut reference = reference.clone();
    for turn in &mut reference.turns {
        if !numbers {
            without_numbers(turn);
        }
        if !tokens {
            without_tokens(turn);
        }
    }
    Cow::Owned(reference)
}

fn without_numbers(turn: &mut Turn) {
    turn.prefill.clear();
    turn.decode.clear();
}

fn without_tokens(turn: &mut Turn) {
    without_numbers(turn);
    turn.prompt_tokens.clear();
    turn.generated.clear();
    turn.chosen.clear();
    turn.thinking_tokens = None;
    if let Some(stop) = &mut turn.stop {
        stop.token = None;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn card(capabilities: &[&str]) -> Card {
        serde_json::from_value(json!({
            "backend": "w", "devices": [], "os": "", "arch": "", "cpu_features": "", "llama_version": "",
            "bindings": "", "capabilities": capabilities, "engines": [], "template_engines": [], "wrapper": ""
        }))
        .unwrap()
    }

    fn reference() -> Observation {
        serde_json::from_value(json!({"ending": "completed", "turns": [{
            "prompt": "p", "prompt_tokens": [{"id": 1, "piece": "p"}], "generated": [{"id": 2, "piece": "a"}],
            "stop": {"reason": "eog", "token": 2}, "answer": "a", "thinking_tokens": 1
        }]}))
        .unwrap()
    }

    #[test]
    fn nothing_is_taken_from_what_a_probe_is_compared_with() {
        let all = card(&["score", "tokenize"]);
        assert!(matches!(reference_for(&all, &reference()), Cow::Borrowed(_)));
    }

    #[test]
    fn texts_and_the_reason_of_the_end_are_always_compared() {
        let text_alone = reference_for(&card(&["generate"]), &reference()).into_owned();
        let expected = json!({"ending": "completed", "turns": [
            {"prompt": "p", "stop": {"reason": "eog"}, "answer": "a"}
        ]});
        assert_eq!(serde_json::to_value(text_alone).unwrap(), expected);
        let tokens_too = reference_for(&card(&["tokenize"]), &reference()).into_owned();
        assert_eq!(tokens_too.turns[0].generated.len(), 1);
    }

    #[test]
    fn who_shows_no_distributions_is_not_asked_for_them() {
        let request: Request = serde_json::from_value(json!({
            "id": 1, "model": null,
            "stimulus": {"generate": {"prompt": {"text": "x"}, "max_tokens": 1, "score": true}}
        }))
        .unwrap();
        let scores = |capabilities: &[&str]| match &request_for(&card(capabilities), &request).stimulus {
            Stimulus::Generate(spec) => spec.score,
            _ => unreachable!("the stimulus stays what it was"),
        };
        assert!(scores(&["score"]) && !scores(&["generate"]));
    }
}
