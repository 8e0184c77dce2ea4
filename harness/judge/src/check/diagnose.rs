//! What any observation shows by itself, whatever the case asks.

use wire::{Ending, Layer, Observation, Position, Refusal, RefusalCode, Request, Stimulus, StopReason, Turn};

use super::{carried, excerpt::quoted, place};
use crate::finding::{Code, Finding};

/// Findings that need no expectation: crashes, refusals, numbers that are none, empty answers, lost text.
pub fn diagnose(request: &Request, observation: &Observation) -> Vec<Finding> {
    let mut findings = ending(&request.stimulus, observation);
    for (index, turn) in observation.turns.iter().enumerate() {
        let in_turn = [
            carried::memory(request, index, observation),
            carried::history(request, index, observation),
            numbers(index, turn),
            batches(request, index, turn),
            room(index, turn, observation),
            bos(index, turn, observation),
            answer(index, turn),
            end(index, turn, observation),
            budget(request, index, turn),
        ];
        findings.extend(in_turn.into_iter().flatten().map(|finding| finding.in_turn(index)));
    }
    findings
}

fn ending(stimulus: &Stimulus, observation: &Observation) -> Vec<Finding> {
    let layer = deepest_layer(stimulus);
    match &observation.ending {
        Ending::Completed => Vec::new(),
        Ending::Refused(refusal) => {
            // It was said in the last turn that there is, if one had begun.
            let finding = refused(refusal);
            let last = observation.turns.len().checked_sub(1);
            vec![Finding { turn: last, ..finding }]
        }
        Ending::Died { signal, exit_code } => {
            let how = match (signal, exit_code) {
                (Some(signal), _) => format!("was ended by signal {}", signal_name(*signal)),
                (None, Some(code)) => format!("exited with code {code} instead of answering"),
                (None, None) => "ended instead of answering".to_owned(),
            };
            let died = Finding::at(layer, Code::Died, format!("the process {how}"));
            assertion(&observation.log_tail).into_iter().chain([died]).collect()
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

/// The assertions of llama.cpp that name their cause, in its last words.
fn assertion(log_tail: &[String]) -> Option<Finding> {
    let said = log_tail.iter().rev().find(|line| line.contains("n_tokens_all <= cparams.n_batch"))?;
    Some(Finding::new(Code::BatchTooLarge, format!("llama.cpp ended the process: {}", said.trim())))
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
        // On Linux and on Apple systems: reading beyond the end of a mapped file.
        7 | 10 => "SIGBUS",
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
                "turn {turn_index}: {} NaN and {} infinite logits {}",
                position.nan,
                position.infinite,
                place::at(layer, at, turn)
            );
            findings.push(Finding::at(layer, Code::LogitsNotFinite, message));
        }
        if let Some((at, _)) = first(|position| position.stale && position.nan == 0) {
            let message = format!(
                "turn {turn_index}: the logits {} are byte for byte those before",
                place::at(layer, at, turn)
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
    let thought = turn.thinking.as_ref().is_some_and(|thought| !thought.trim().is_empty());
    if stop.reason == StopReason::Length && answer.trim().is_empty() && (thinking > 0 || thought) {
        let message = match turn.generated.len() {
            // A wrapper that shows text alone.
            0 => format!("turn {turn_index}: everything that was said is thought, nothing is answer"),
            all => {
                format!(
                    "turn {turn_index}: {thinking} of {all} generated tokens were thought, none was answer"
                )
            }
        };
        findings.push(Finding::new(Code::BudgetSpentThinking, message));
    } else if stop.reason == StopReason::Eog && turn.generated.len() == 1 {
        let token = turn.generated.first().map(|token| token.piece.lossy()).unwrap_or_default();
        let message = format!("turn {turn_index}: the first token, {token:?}, ended the answer");
        findings.push(Finding::new(Code::EmptyAnswer, message));
    }
    findings
}

/// An end-of-generation token is the last one that is generated.
fn end(turn_index: usize, turn: &Turn, observation: &Observation) -> Vec<Finding> {
    let Some(load) = &observation.load else { return Vec::new() };
    let passed = turn.generated.iter().position(|token| load.eog.contains(&token.id));
    let Some(at) = passed.filter(|at| at + 1 < turn.generated.len()) else { return Vec::new() };
    let message = format!(
        "turn {turn_index}: token {} of {} is {:?}, which ends generation",
        at + 1,
        turn.generated.len(),
        turn.generated[at].piece.lossy()
    );
    vec![Finding::new(Code::EndIgnored, message)]
}

fn budget(request: &Request, turn_index: usize, turn: &Turn) -> Vec<Finding> {
    let max_tokens = match &request.stimulus {
        Stimulus::Generate(spec) => spec.max_tokens,
        Stimulus::Converse(spec) => spec.max_tokens,
        Stimulus::Stream(script) => script.max_tokens.unwrap_or(u32::MAX),
        _ => return Vec::new(),
    };
    if turn.generated.len() <= max_tokens as usize {
        return Vec::new();
    }
    let message = format!(
        "turn {turn_index}: {} tokens were generated, max_tokens is {max_tokens}",
        turn.generated.len()
    );
    vec![Finding::new(Code::GeneratedCount, message)]
}
