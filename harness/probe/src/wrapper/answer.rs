//! The greedy loop: from the prompt's logits to a stop.

use prompt::AnswerStream;
use wire::{Layer, Refusal, Stop, StopReason, ThinkingTags, TokenKind, Turn};

use super::{Loaded, forced::Forced, sequence::Sequence};
use crate::{engine::Outputs, refuse::refuse};

/// How an answer is made.
pub(crate) struct Answering<'a> {
    /// The model.
    pub(crate) loaded: &'a Loaded,
    /// Most tokens to generate.
    pub(crate) max_tokens: u32,
    /// Strings that end it.
    pub(crate) stop_strings: &'a [String],
    /// How thought and answer are told apart.
    pub(crate) thinking: Option<&'a ThinkingTags>,
}

impl Answering<'_> {
    /// Generates after a prompt that `sequence` has just decoded, and fills `turn`. The order of stops: an EOG
    /// token (by id, whatever it renders to), a stop string, `max_tokens`. The token that ended the turn is not
    /// decoded.
    pub(crate) fn run(
        &self,
        sequence: &mut Sequence<'_>,
        forced: &mut Forced,
        turn: &mut Turn,
    ) -> Result<(), Refusal> {
        let prompt = turn.prompt.as_deref().unwrap_or_default();
        let mut stream = AnswerStream::after_prompt(prompt, self.stop_strings, self.thinking);
        let stop = loop {
            if turn.generated.len() >= self.max_tokens as usize || forced.exhausted() {
                break stop(StopReason::Length);
            }
            let own = sequence.best().ok_or_else(no_logits)?;
            let Some(id) = forced.next(own) else { break stop(StopReason::Length) };
            turn.chosen.push(own);
            turn.generated.push(self.loaded.token(id));
            if self.loaded.model.is_eog(id) {
                break Stop { token: Some(id), ..stop(StopReason::Eog) };
            }
            if let Some(string) = stream.push(&self.shown(id)).stopped {
                break Stop { string: Some(string), ..stop(StopReason::StopString) };
            }
            if turn.generated.len() >= self.max_tokens as usize || forced.exhausted() {
                break stop(StopReason::Length);
            }
            let appended = sequence.append(&[id], Outputs::Last, &mut turn.decode_calls)?;
            turn.decode.extend(appended.positions);
            if let Some(reason) = failed(appended.code) {
                break stop(reason);
            }
        };
        finish(stream, self.thinking.is_some(), stop, turn);
        Ok(())
    }

    /// The bytes that the text gets of a token: a control token shows only where a tag or a stop string is made
    /// of it, else it would be lost to the parsers (or reach the user, were all of them shown).
    fn shown(&self, id: i32) -> Vec<u8> {
        let model = &self.loaded.model;
        if model.kind(id) != TokenKind::Control {
            return model.piece(id, true);
        }
        let text = self.loaded.special_text(id);
        let tags = self.thinking.iter().flat_map(|tags| [&tags.open, &tags.close]);
        let parsed = tags.chain(self.stop_strings).any(|parsed| !text.is_empty() && parsed.contains(&text));
        model.piece(id, parsed)
    }
}

/// Ends the text of a turn that ended with `stop`. A stop string can become certain only now, where it lay in what
/// might have been the beginning of a tag; it came before whatever ended the turn.
pub(crate) fn finish(stream: AnswerStream, thinking: bool, ended: Stop, turn: &mut Turn) {
    let answer = stream.finish();
    turn.stop = Some(match answer.stopped {
        Some(string) => Stop { string: Some(string), ..stop(StopReason::StopString) },
        None => ended,
    });
    turn.thinking_tokens = thinking.then_some(answer.thought_pieces);
    turn.answer = Some(answer.answer);
    turn.thinking = answer.thinking;
    turn.chunks = answer.chunks;
}

/// A stop for `reason` without a token or a string.
pub(crate) fn stop(reason: StopReason) -> Stop {
    Stop { reason, token: None, string: None }
}

/// What a code of `llama_decode` means for the turn.
pub(crate) fn failed(code: i32) -> Option<StopReason> {
    match code {
        0 => None,
        1 => Some(StopReason::ContextFull),
        _ => Some(StopReason::DecodeFailed),
    }
}

fn no_logits() -> Refusal {
    refuse(
        Layer::Decode,
        wire::RefusalCode::Unsupported,
        "llama_decode returned 0 and there are no logits for its last token",
    )
}
