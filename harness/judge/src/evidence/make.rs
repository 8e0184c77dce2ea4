//! Making evidence.

use wire::{Observation, Request, Token, Turn};

use super::numbers::positions;
use super::{Evidence, Expectation, MemoryEvidence, TurnEvidence};
use crate::case::{Case, Check, TextCheck};
use crate::check::Expected;
use crate::numbers::Tolerance;

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Enough to see what was asked: for what passed.
    Brief,
    /// Enough to see what is wrong.
    Full,
}

impl Detail {
    /// Tokens, and positions, of one turn.
    const fn tokens(self) -> usize {
        match self {
            Self::Brief => 32,
            Self::Full => 512,
        }
    }

    /// Bytes of one text.
    const fn bytes(self) -> usize {
        match self {
            Self::Brief => 600,
            Self::Full => 16 * 1024,
        }
    }
}

/// The evidence in `observation`, the answer to `request` under `case`, beside what it was compared with; where there
/// is none, beside the texts that the case itself demands.
pub fn evidence(
    case: &Case,
    request: &Request,
    observation: &Observation,
    expected: Option<&Expected<'_>>,
    tolerance: &Tolerance,
    detail: Detail,
) -> Evidence {
    let demanded = demanded(case);
    let turns: Vec<TurnEvidence> = observation
        .turns
        .iter()
        .enumerate()
        .map(|(index, turn)| {
            let own = demanded.iter().filter(|demand| demand.turn() == index);
            let theirs = expected.and_then(|expected| expected.observation.turns.get(index));
            one(turn, theirs, own, detail)
        })
        .collect();
    let kl_limit = turns.iter().any(|turn| !turn.positions.is_empty()).then_some(tolerance.kl);
    let compared_with = match expected {
        Some(expected) => Some(expected.name.to_owned()),
        None => (!demanded.is_empty()).then(|| "the case".to_owned()),
    };
    let memory = (detail == Detail::Full).then(|| MemoryEvidence::of(request, observation)).flatten();
    Evidence { compared_with, kl_limit, turns, memory }
}

/// A text that the case itself demands, word for word.
enum Demand<'a> {
    Prompt(&'a TextCheck),
    Thinking(&'a TextCheck),
    Answer(&'a TextCheck),
}

impl Demand<'_> {
    fn turn(&self) -> usize {
        match self {
            Self::Prompt(check) | Self::Thinking(check) | Self::Answer(check) => check.turn,
        }
    }
}

fn demanded(case: &Case) -> Vec<Demand<'_>> {
    let mut demands = Vec::new();
    for check in &case.checks {
        match check {
            Check::Prompt(text) if text.equals.is_some() => demands.push(Demand::Prompt(text)),
            Check::Thinking(text) if text.equals.is_some() => demands.push(Demand::Thinking(text)),
            Check::Answer(text) if text.equals.is_some() => demands.push(Demand::Answer(text)),
            _ => {}
        }
    }
    demands
}

fn one<'a>(
    turn: &Turn,
    theirs: Option<&Turn>,
    own: impl Iterator<Item = &'a Demand<'a>>,
    detail: Detail,
) -> TurnEvidence {
    let most = detail.tokens();
    let text = |text: &Option<String>| text.as_deref().map(|text| shortened(text, detail.bytes()));
    let first = |tokens: &[Token]| tokens.iter().take(most).cloned().collect::<Vec<_>>();
    let mut wanted = Expectation::default();
    if let Some(theirs) = theirs {
        let other =
            |ours: &Option<String>, theirs: &Option<String>| (ours != theirs).then(|| text(theirs)).flatten();
        wanted.prompt = other(&turn.prompt, &theirs.prompt);
        wanted.thinking = other(&turn.thinking, &theirs.thinking);
        wanted.answer = other(&turn.answer, &theirs.answer);
        wanted.stop = theirs.stop.clone().filter(|stop| turn.stop.as_ref() != Some(stop));
    }
    for demand in own {
        let (place, seen, check) = match demand {
            Demand::Prompt(check) => (&mut wanted.prompt, &turn.prompt, check),
            Demand::Thinking(check) => (&mut wanted.thinking, &turn.thinking, check),
            Demand::Answer(check) => (&mut wanted.answer, &turn.answer, check),
        };
        if place.is_none() && *seen != check.equals {
            *place = text(&check.equals);
        }
    }
    TurnEvidence {
        prompt: text(&turn.prompt),
        prompt_tokens: first(&turn.prompt_tokens),
        prompt_tokens_left_out: turn.prompt_tokens.len().saturating_sub(most),
        generated: first(&turn.generated),
        generated_left_out: turn.generated.len().saturating_sub(most),
        thinking: text(&turn.thinking),
        answer: text(&turn.answer),
        stop: turn.stop.clone(),
        expected: (wanted != Expectation::default()).then_some(wanted),
        positions: match (theirs, detail) {
            (Some(theirs), Detail::Full) => positions(turn, theirs, most),
            _ => Vec::new(),
        },
    }
}

/// `text`, cut after at most `bytes` bytes; an ellipsis says that it was.
fn shortened(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let end = (0..=bytes).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}…", &text[..end])
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire::{Ending, Stop, StopReason};

    use super::*;

    fn case(checks: &serde_json::Value) -> Case {
        let stimulus = json!({"generate": {"prompt": {"text": "x"}, "max_tokens": 4}});
        serde_json::from_value(json!({"id": "a/b", "why": "x", "stimulus": stimulus, "checks": checks}))
            .unwrap()
    }

    fn observation(answer: &str, tokens: usize) -> Observation {
        let token = Token { id: 1, piece: "é".into(), kind: wire::TokenKind::Normal };
        let turn = Turn {
            prompt: Some("x".into()),
            prompt_tokens: vec![token; tokens],
            answer: Some(answer.into()),
            stop: Some(Stop { reason: StopReason::Length, token: None, string: None }),
            ..Turn::default()
        };
        Observation { turns: vec![turn], ..Observation::ended(Ending::Completed) }
    }

    fn made(case: &Case, seen: &Observation, expected: Option<&Observation>, detail: Detail) -> Evidence {
        let request = Request {
            id: 1,
            model: None,
            adapter: None,
            config: case.config.clone(),
            stimulus: case.stimulus.clone(),
            limits: case.limits.clone(),
            forced_tokens: None,
            isolation: case.isolation,
            watch: None,
        };
        let expected = expected.map(|observation| Expected { name: "the golden", observation });
        let tolerance =
            json!({"name": "default", "nmse": 0, "kl": 0, "eog": 0, "near_tie": 0, "why": "a test"});
        let tolerance = serde_json::from_value(tolerance).unwrap();
        evidence(case, &request, seen, expected.as_ref(), &tolerance, detail)
    }

    #[test]
    fn what_is_as_expected_is_not_told_twice() {
        let (seen, other) = (observation("Paris", 2), observation("Lyon", 2));
        let golden = case(&json!([{"golden": {}}]));
        assert_eq!(made(&golden, &seen, Some(&seen), Detail::Full).turns[0].expected, None);
        let evidence = made(&golden, &seen, Some(&other), Detail::Full);
        assert_eq!(evidence.compared_with.as_deref(), Some("the golden"));
        let expected = evidence.turns[0].expected.clone().unwrap();
        assert_eq!((expected.answer.as_deref(), expected.prompt, expected.stop), (Some("Lyon"), None, None));
    }

    #[test]
    fn the_case_says_what_it_expects_where_nothing_else_does() {
        let demanding = case(&json!([{"answer": {"equals": "Lyon"}}, {"prompt": {"equals": "x"}}]));
        let evidence = made(&demanding, &observation("Paris", 2), None, Detail::Full);
        assert_eq!(evidence.compared_with.as_deref(), Some("the case"));
        let expected = evidence.turns[0].expected.clone().unwrap();
        assert_eq!((expected.answer.as_deref(), expected.prompt), (Some("Lyon"), None));
    }

    #[test]
    fn what_passed_is_kept_small_and_says_how_much_is_missing() {
        let evidence = made(&case(&json!([])), &observation(&"é".repeat(999), 100), None, Detail::Brief);
        let turn = &evidence.turns[0];
        assert_eq!((turn.prompt_tokens.len(), turn.prompt_tokens_left_out), (32, 68));
        assert_eq!(turn.answer.as_ref().unwrap().len(), 600 + "…".len());
        assert!(serde_json::to_string(&evidence).unwrap().len() < 3000);
    }
}
