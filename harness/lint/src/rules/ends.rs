//! End of generation: which tokens the file means, which llama.cpp takes, and what the template writes.

use crate::preset::{ANSWER, Preset, USER, answer, user};
use crate::vocabulary::Kind;
use crate::{Finding, LintCode, Vocabulary};

/// The ends that the file names against those that llama.cpp takes.
pub(super) fn vocabulary(vocabulary: &Vocabulary, findings: &mut Vec<Finding>) {
    if vocabulary.eos.is_none() {
        let fallback = match vocabulary.model.as_str() {
            "gpt2" => format!("; llama.cpp takes token 11, {:?}, for it", vocabulary.text(11)),
            "llama" => format!("; llama.cpp takes token 2, {:?}, for it", vocabulary.text(2)),
            _ => String::new(),
        };
        let message = format!("tokenizer.ggml.eos_token_id is not there, or beyond the vocabulary{fallback}");
        findings.push(Finding::new(LintCode::EogMissing, message));
    }
    for &id in &vocabulary.eog {
        let (text, kind) = (vocabulary.text(id), vocabulary.kind(id));
        let named = vocabulary.named_ends.contains(&id);
        if named && matches!(kind, Kind::Normal | Kind::UserDefined) {
            let message = format!("token {id}, {text:?}, ends generation and is marked as {}", marked(kind));
            findings.push(Finding::new(LintCode::EogUnmarked, message).of_token(id));
        }
        if !named && meant_otherwise(text, kind) && Vocabulary::ends_by_text(text) {
            let message = format!(
                "llama.cpp ends generation at token {id}, {text:?}, for its text; the file marks it as {}",
                marked(kind)
            );
            findings.push(Finding::new(LintCode::EogExtra, message).of_token(id));
        }
    }
}

/// Whether a token that nobody calls an end is one of ordinary text, too. A user-defined one with bars is a family's own
/// marker, as Gemma 4's `<|tool_response>` is, at which generation is meant to stop.
fn meant_otherwise(text: &str, kind: Kind) -> bool {
    match kind {
        Kind::Control => false,
        Kind::UserDefined => !text.contains(['|', '｜']),
        Kind::Normal | Kind::Other => true,
    }
}

const fn marked(kind: Kind) -> &'static str {
    match kind {
        Kind::Normal => "an ordinary token",
        Kind::UserDefined => "a user-defined token",
        Kind::Control => "a control token",
        Kind::Other => "an unknown, unused or byte token",
    }
}

/// What stands between an answer and the next question: the end of the one turn, and the opening of the other, which is
/// what stands before the first question too.
fn next_turn(preset: &Preset<'_>) -> Option<(String, String)> {
    let prompt = preset.prompt(&[user(), answer(), user()], false, &[]).ok()?;
    let (before, rest) = prompt.split_once(USER)?;
    let (_, rest) = rest.split_once(ANSWER)?;
    let (between, _) = rest.split_once(USER)?;
    let pairs = before.chars().rev().zip(between.chars().rev());
    let same: usize =
        pairs.take_while(|(one, other)| one == other).map(|(letter, _)| letter.len_utf8()).sum();
    let (end, opening) = between.split_at(between.len() - same);
    Some((end.to_owned(), opening.to_owned()))
}

fn ends_there(vocabulary: &Vocabulary, text: &str) -> bool {
    vocabulary.special_at(text.trim_start()).is_some_and(|id| vocabulary.eog.contains(&id))
}

/// What the template writes after an answer.
pub(super) fn turn(preset: &Preset<'_>, vocabulary: Option<&Vocabulary>, findings: &mut Vec<Finding>) {
    let Ok(prompt) = preset.prompt(&[user(), answer()], false, &[]) else { return };
    let Some((_, after)) = prompt.rsplit_once(ANSWER) else { return };
    let next = next_turn(preset);
    let ended = |text: &str| !text.trim().is_empty();
    let after = match next.as_ref() {
        _ if ended(after) => after,
        Some((end, _)) if ended(end) => end,
        // The token that opens the next turn may be what ends this one.
        Some((_, opening)) if vocabulary.is_some_and(|known| ends_there(known, opening)) => return,
        _ => {
            let message = "after an answer comes nothing, or what opens the next turn";
            findings.push(Finding::new(LintCode::TurnEndMissing, message));
            return;
        }
    };
    let Some(vocabulary) = vocabulary else { return };
    let Some(id) = vocabulary.special_at(after.trim_start()) else { return };
    if !vocabulary.eog.contains(&id) {
        let ends: Vec<String> =
            vocabulary.eog.iter().map(|id| format!("{:?}", vocabulary.text(*id))).collect();
        let message = format!(
            "the template ends an answer with {:?}, token {id}; llama.cpp ends generation at {}",
            vocabulary.text(id),
            if ends.is_empty() { "no token at all".to_owned() } else { ends.join(", ") }
        );
        findings.push(Finding::new(LintCode::TurnEndNotEog, message).of_token(id));
    }
}
