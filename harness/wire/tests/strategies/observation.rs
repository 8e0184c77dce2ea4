//! Observations, with every ending.

use proptest::{collection::vec, option::of, prelude::*};
use wire::{
    BufferMemory, DecodeCall, DeviceState, Ending, FaultEffect, Layer, LoadEvidence, MemoryState, NamedLogit,
    Node, Observation, Position, Refusal, RefusalCode, Sketch, Stop, StopReason, Thermal, Timing, Token,
    TokenKind, Turn, VocabToken,
};

use super::basic::{finite, one_of, piece, some, text};
use super::graph::graph;

/// An observation.
pub(crate) fn observation() -> impl Strategy<Value = Observation> {
    let node = (text(), text(), any::<u32>()).prop_map(|(op, backend, count)| Node { op, backend, count });
    let timing = any::<[u64; 2]>().prop_map(|[load_us, compute_us]| Timing { load_us, compute_us });
    let effect = (any::<[u32; 2]>(), 0.0..9.0_f64).prop_map(|([positions, not_finite], nmse)| FaultEffect {
        positions,
        nmse,
        not_finite,
    });
    let seen = (of(effect), of(graph()), of(device()));
    (ending(), of(load()), vec(turn(), 0..3), some(node), any::<u32>(), timing, some(text()), seen).prop_map(
        |(ending, load, turns, nodes, loads, timing, log_tail, (fault_effect, graph, device))| Observation {
            ending,
            load,
            turns,
            nodes,
            loads,
            timing,
            log_tail,
            fault_effect,
            graph,
            device,
        },
    )
}

fn device() -> impl Strategy<Value = DeviceState> {
    let thermal = || one_of(&[Thermal::Unknown, Thermal::Nominal, Thermal::Critical]);
    let bytes = || of(any::<u64>());
    (thermal(), thermal(), bytes(), bytes(), bytes(), bytes(), any::<bool>()).prop_map(
        |(
            thermal_before,
            thermal_after,
            available_before,
            available_after,
            footprint_before,
            footprint_after,
            low_power,
        )| {
            DeviceState {
                thermal_before,
                thermal_after,
                available_before,
                available_after,
                footprint_before,
                footprint_after,
                low_power,
            }
        },
    )
}

fn ending() -> impl Strategy<Value = Ending> {
    let code = one_of(&[RefusalCode::LoadFailed, RefusalCode::MmapFailed, RefusalCode::BadRequest]);
    let refusal = (one_of(&Layer::ALL), code, text()).prop_map(|(layer, code, message)| Refusal {
        layer,
        code,
        message,
    });
    prop_oneof![
        Just(Ending::Completed),
        refusal.prop_map(Ending::Refused),
        (of(any::<i32>()), of(any::<i32>()))
            .prop_map(|(signal, exit_code)| Ending::Died { signal, exit_code }),
        any::<u64>().prop_map(|deadline_ms| Ending::Hung { deadline_ms }),
        (text(), text()).prop_map(|(problem, excerpt)| Ending::Garbled { problem, excerpt }),
    ]
}

fn kind() -> impl Strategy<Value = TokenKind> {
    use TokenKind::{Byte, Control, Normal, Other, UserDefined};
    one_of(&[Normal, Control, UserDefined, Byte, Other])
}

fn load() -> impl Strategy<Value = LoadEvidence> {
    let special = (any::<i32>(), text(), kind(), any::<bool>())
        .prop_map(|(id, text, kind, eog)| VocabToken { id, text, kind, eog });
    let memory = (text(), any::<[u64; 3]>()).prop_map(|(buffer, [model, context, compute])| BufferMemory {
        buffer,
        model,
        context,
        compute,
    });
    (
        text(),
        any::<[i32; 7]>(),
        of(any::<u32>()),
        of(any::<bool>()),
        of(any::<usize>()),
        of(text()),
        any::<[bool; 2]>(),
        some(any::<i32>()),
        some(special),
        (some((text(), text())), some(memory)),
    )
        .prop_map(
            |(
                architecture,
                ids,
                n_ctx,
                can_shift,
                template_bytes,
                template,
                flags,
                eog,
                special,
                (metadata, memory),
            )| {
                let [add_bos, recurrent] = flags;
                let [n_vocab, n_layer, n_ctx_train, n_swa, bos, eos, eot] = ids;
                LoadEvidence {
                    architecture,
                    n_vocab,
                    n_layer,
                    n_ctx_train,
                    n_ctx,
                    n_swa,
                    can_shift,
                    recurrent,
                    template_bytes,
                    template,
                    add_bos,
                    bos,
                    eos,
                    eot,
                    eog,
                    special,
                    metadata: metadata.into_iter().collect(),
                    memory,
                }
            },
        )
}

fn turn() -> impl Strategy<Value = Turn> {
    let token = || (any::<i32>(), piece(), kind()).prop_map(|(id, piece, kind)| Token { id, piece, kind });
    let call = (any::<i32>(), any::<u32>(), any::<i32>()).prop_map(|(pos, n_tokens, code)| DecodeCall {
        pos,
        n_tokens,
        code,
    });
    let memory = any::<[i32; 2]>().prop_map(|[pos_min, pos_max]| MemoryState { pos_min, pos_max });
    let asked = (of(text()), some(token()), vec(position(), 0..2), some(call));
    let made = (some(token()), some(any::<i32>()), vec(position(), 0..2), of(stop()));
    let read = (of(any::<u32>()), of(text()), of(text()), some(text()), of(memory));
    (asked, made, read).prop_map(|(asked, made, read)| {
        let (prompt, prompt_tokens, prefill, decode_calls) = asked;
        let (generated, chosen, decode, stop) = made;
        let (thinking_tokens, thinking, answer, chunks, memory) = read;
        Turn {
            prompt,
            prompt_tokens,
            prefill,
            decode_calls,
            generated,
            chosen,
            decode,
            stop,
            thinking_tokens,
            thinking,
            answer,
            chunks,
            memory,
        }
    })
}

fn stop() -> impl Strategy<Value = Stop> {
    let reason = one_of(&[StopReason::Eog, StopReason::StopString, StopReason::EndOfScript]);
    (reason, of(any::<i32>()), of(text())).prop_map(|(reason, token, string)| Stop { reason, token, string })
}

fn position() -> impl Strategy<Value = Position> {
    let named = (any::<i32>(), of(finite())).prop_map(|(id, logit)| NamedLogit { id, logit });
    let log_sum_exp = any::<f64>().prop_filter("finite", |number| number.is_finite());
    (
        any::<i32>(),
        some((any::<i32>(), finite())),
        of(log_sum_exp),
        vec(finite(), 0..9),
        some(named),
        any::<[u32; 2]>(),
        any::<bool>(),
    )
        .prop_map(|(pos, top, log_sum_exp, logits, named, [nan, infinite], stale)| Position {
            pos,
            top,
            log_sum_exp,
            sketch: Sketch::of(&logits),
            named,
            nan,
            infinite,
            stale,
        })
}
