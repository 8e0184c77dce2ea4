//! What any observation shows by itself, whatever the case asks.

use wire::{Ending, Layer, Observation, Position, Refusal, RefusalCode, Request, Stimulus, StopReason, Turn};

use super::excerpt::quoted;
use crate::finding::{Code, Finding};

/// Findings that need no expectation: crashes, refusals, numbers that are none, empty answers, lost text.
pub fn diagnose(request: &Request, observation: &Observation) -> Vec<Finding> {
    let mut findings = ending(&request.stimulus, &observation.ending);
    for (index, turn) in observation.turns.iter().enumerate() {
        findings.extend(numbers(index, turn));
        findings.extend(batches(request, index, turn));
        findings.extend(room(index, turn, observation));
        findings.extend(bos(index, turn, observation));
        findings.extend(answer(index, turn));
    }
    findings
}

fn ending(stimulus: &Stimulus, ending: &Ending) -> Vec<Finding> {
    let layer = deepest_layer(stimulus);
    match ending {
        Ending::Completed => Vec::new(),
        Ending::Refused(refusal) => vec![refused(refusal)],
        Ending::Died { signal: Some(signal), .. } => {
            vec![Finding::at(
                layer,
                Code::Died,
                format!("the process was ended by signal {}", signal_name(*signal)),
            )]
        }
        Ending::Died { exit_code, .. } => {
            let code = exit_code.map_or("an unknown code".to_owned(), |code| format!("code {code}"));
            vec![Finding::at(
                layer,
                Code::Died,
                format!("the process exited with {code} instead of answering"),
            )]
        }
        Ending::Hung { deadline_ms } => {
            let message = format!("no answer within {deadline_ms} ms; the process was killed");
            vec![Finding::at(layer, Code::Hung, message)]
        }
        Ending::Garbled { problem, excerpt } => {
            vec![Finding::at(layer, Code::Garbled, format!("{problem}: {}", quoted(excerpt)))]
        }
    }
}

/// The last layer that a stimulus runs through: a process that dies under it got at most this far.
fn deepest_layer(stimulus: &Stimulus) -> Layer {
    match stimulus {
        Stimulus::Render(_) => Layer::Template,
        Stimulus::Tokenize(_) => Layer::Tokens,
        Stimulus::Generate(_) => Layer::Decode,
        Stimulus::Converse(_) => Layer::Memory,
        Stimulus::Score(_) => Layer::Prefill,
        Stimulus::Load(_) | Stimulus::Inspect {} => Layer::Load,
        Stimulus::Stream(_) => Layer::Parse,
    }
}

fn signal_name(signal: i32) -> String {
    let name = match signal {
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        15 => "SIGTERM",
        _ => return signal.to_string(),
    };
    format!("{signal} ({name})")
}

fn refused(refusal: &Refusal) -> Finding {
    let code = match refusal.code {
        RefusalCode::LoadFailed => Code::LoadFailed,
        RefusalCode::MmapFailed => Code::AddressSpace,
        RefusalCode::AllocationFailed if refusal.message.contains("REPACK") => Code::RepackAllocationFailed,
        RefusalCode::AllocationFailed => Code::AllocationFailed,
        RefusalCode::ContextFailed => Code::ContextFailed,
        RefusalCode::NoTemplate => Code::NoChatTemplate,
        RefusalCode::TemplateUnsupported => Code::TemplateUnsupported,
        RefusalCode::TemplateError => Code::TemplateError,
        RefusalCode::TokenizeFailed => Code::TokenizeFailed,
        RefusalCode::PromptTooLong => Code::PromptTooLong,
        RefusalCode::CannotShift => Code::CannotShift,
        RefusalCode::Unsupported => Code::Unsupported,
        RefusalCode::BadRequest => Code::BadRequest,
    };
    Finding::at(refusal.layer, code, format!("the subject refused: {}", refusal.message))
}

fn numbers(turn_index: usize, turn: &Turn) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (layer, positions) in [(Layer::Prefill, &turn.prefill), (Layer::Decode, &turn.decode)] {
        let first =
            |bad: fn(&Position) -> bool| positions.iter().enumerate().find(|(_, position)| bad(position));
        if let Some((at, position)) = first(|position| position.nan + position.infinite > 0) {
            let message = format!(
                "turn {turn_index}: {} NaN and {} infinite logits at position {} ({} {at})",
                position.nan,
                position.infinite,
                position.pos,
                layer.name()
            );
            findings.push(Finding::at(layer, Code::LogitsNotFinite, message));
        }
        if let Some((at, position)) = first(|position| position.stale && position.nan == 0) {
            let message = format!(
                "turn {turn_index}: the logits at position {} are byte for byte the previous ones ({} {at})",
                position.pos,
                layer.name()
            );
            findings.push(Finding::at(layer, Code::LogitsStale, message));
        }
    }
    findings
}

fn batches(request: &Request, turn_index: usize, turn: &Turn) -> Vec<Finding> {
    let mut findings = Vec::new();
    for call in &turn.decode_calls {
        if call.n_tokens > request.config.context.n_batch {
            let message = format!(
                "turn {turn_index}: a batch of {} tokens went to llama_decode, n_batch is {}",
                call.n_tokens, request.config.context.n_batch
            );
            findings.push(Finding::new(Code::BatchTooLarge, message));
        }
        if call.code == 1 {
            let message = format!(
                "turn {turn_index}: llama_decode returned 1 (no KV slot) for {} tokens at position {}",
                call.n_tokens, call.pos
            );
            findings.push(Finding::new(Code::ContextFull, message));
        } else if call.code != 0 {
            let message = format!(
                "turn {turn_index}: llama_decode returned {} for {} tokens at position {}",
                call.code, call.n_tokens, call.pos
            );
            findings.push(Finding::new(Code::DecodeFailed, message));
        }
    }
    findings
}

/// `llama_decode` says 1 where there is no room, and only there. Where a sliding window lets go of cells, or the
/// memory is a recurrent state, room is another matter.
fn room(turn_index: usize, turn: &Turn, observation: &Observation) -> Vec<Finding> {
    let Some(load) = observation.load.as_ref().filter(|load| load.n_swa == 0 && !load.recurrent) else {
        return Vec::new();
    };
    let Some(n_ctx) = load.n_ctx else { return Vec::new() };
    let wrong = |call: &&wire::DecodeCall| {
        let fits = i64::from(call.pos) + i64::from(call.n_tokens) <= i64::from(n_ctx);
        (call.code == 1 && fits) || (call.code == 0 && !fits)
    };
    let finding = |call: &wire::DecodeCall| {
        let message = format!(
            "turn {turn_index}: llama_decode returned {} for {} tokens at position {} of a context of {n_ctx}",
            call.code, call.n_tokens, call.pos
        );
        Finding::new(Code::MemoryState, message)
    };
    turn.decode_calls.iter().find(wrong).map(finding).into_iter().collect()
}

fn bos(turn_index: usize, turn: &Turn, observation: &Observation) -> Vec<Finding> {
    let Some(load) = &observation.load else { return Vec::new() };
    let count = super::tokens::leading_bos(&turn.prompt_tokens, load.bos);
    if count < 2 {
        return Vec::new();
    }
    let message = format!("turn {turn_index}: the prompt begins with {count} BOS tokens");
    vec![Finding::new(Code::DoubleBos, message)]
}

fn answer(turn_index: usize, turn: &Turn) -> Vec<Finding> {
    let (Some(stop), Some(answer)) = (&turn.stop, &turn.answer) else { return Vec::new() };
    let mut findings = Vec::new();
    let streamed: String = turn.chunks.concat();
    if !turn.chunks.is_empty() && streamed != *answer {
        let message = format!("turn {turn_index}: {}", super::excerpt::first_difference(answer, &streamed));
        findings.push(Finding::new(Code::ChunksDiffer, message));
    }
    let thinking = turn.thinking_tokens.unwrap_or(0);
    if stop.reason == StopReason::Length && answer.trim().is_empty() && thinking > 0 {
        let message = format!(
            "turn {turn_index}: {thinking} of {} generated tokens were thought, none was answer",
            turn.generated.len()
        );
        findings.push(Finding::new(Code::BudgetSpentThinking, message));
    } else if stop.reason == StopReason::Eog && turn.generated.len() == 1 {
        let token = turn.generated.first().map(|token| token.piece.lossy()).unwrap_or_default();
        let message = format!("turn {turn_index}: the first token, {token:?}, ended the answer");
        findings.push(Finding::new(Code::EmptyAnswer, message));
    }
    findings
}
