//! A scripted token stream through the stop and thinking parsers.

use prompt::AnswerStream;
use wire::{Layer, Refusal, Stop, StopReason, Stream, Token, TokenKind, Turn};

use super::answer::{finish, stop};
use crate::refuse::bad_request;

/// Plays the script and fills `turn`. No model runs.
pub(crate) fn stream(script: &Stream, turn: &mut Turn) -> Result<(), Refusal> {
    let ids: Vec<i32> = match script.ids.len() {
        0 => (0..script.pieces.len() as i32).collect(),
        count if count == script.pieces.len() => script.ids.clone(),
        count => {
            return Err(bad_request(
                Layer::Stop,
                format!("{} pieces and {count} ids; give one id a piece, or none", script.pieces.len()),
            ));
        }
    };
    let max_tokens = script.max_tokens.map_or(usize::MAX, |max| max as usize);
    let mut answer = AnswerStream::new(&script.stop_strings, script.thinking.as_ref());
    let mut ended = None;
    for (piece, &id) in script.pieces.iter().zip(&ids).take(max_tokens) {
        turn.generated.push(Token { id, piece: piece.clone(), kind: TokenKind::Normal });
        if script.eog.contains(&id) {
            ended = Some(Stop { token: Some(id), ..stop(StopReason::Eog) });
            break;
        }
        if let Some(string) = answer.push(&piece.0).stopped {
            ended = Some(Stop { string: Some(string), ..stop(StopReason::StopString) });
            break;
        }
    }
    let ran_out =
        if turn.generated.len() >= max_tokens { StopReason::Length } else { StopReason::EndOfScript };
    finish(answer, script.thinking.is_some(), ended.unwrap_or_else(|| stop(ran_out)), turn);
    Ok(())
}
