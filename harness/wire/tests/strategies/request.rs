//! Requests, with every stimulus.

use proptest::{option::of, prelude::*};
use wire::{
    Chat, Config, ContextConfig, Converse, ConverseMemory, ConverseTurn, EngineKind, FlashAttention,
    Generate, History, Isolation, KvType, Limits, Load, LoadConfig, LoadMode, ModelSpec, Prompt, Request,
    Sampling, Score, ScorePath, Stimulus, Stream, TemplateEngine, Tokenize, Weights,
};

use super::basic::{message, one_of, piece, some, text, thinking, variables};
use super::graph::watch;

/// A request.
pub(crate) fn request() -> impl Strategy<Value = Request> {
    (
        any::<u64>(),
        [of(model()), of(model())],
        config(),
        stimulus(),
        (of(any::<u64>()), of(any::<u64>()))
            .prop_map(|(address_space, balloon)| Limits { address_space, balloon }),
        of(some(any::<i32>())),
        one_of(&[Isolation::Shared, Isolation::Fresh]),
        of(watch()),
    )
        .prop_map(|(id, [model, adapter], config, stimulus, limits, forced_tokens, isolation, watch)| {
            Request { id, model, adapter, config, stimulus, limits, forced_tokens, isolation, watch }
        })
}

fn model() -> impl Strategy<Value = ModelSpec> {
    (text(), text()).prop_map(|(name, path)| ModelSpec { name, path })
}

fn weights() -> impl Strategy<Value = Weights> {
    one_of(&[Weights::File, Weights::Drawn, Weights::Saved])
}

fn config() -> impl Strategy<Value = Config> {
    let mode = one_of(&[LoadMode::None, LoadMode::Mmap]);
    let load =
        (of(any::<i32>()), mode, any::<[bool; 4]>(), weights()).prop_map(
            |(gpu_layers, mode, [use_extra_bufts, check_tensors, vocab_only, no_alloc], weights)| {
                LoadConfig { gpu_layers, mode, use_extra_bufts, check_tensors, vocab_only, weights, no_alloc }
            },
        );
    (one_of(&[EngineKind::Raw, EngineKind::Safe]), load, context())
        .prop_map(|(engine, load, context)| Config { engine, load, context })
}

fn context() -> impl Strategy<Value = ContextConfig> {
    let kv = || one_of(&[KvType::F32, KvType::F16, KvType::Q8_0, KvType::Q4_0]);
    let flash = one_of(&[FlashAttention::Auto, FlashAttention::Off, FlashAttention::On]);
    (any::<[u32; 5]>(), kv(), kv(), flash, any::<bool>()).prop_map(
        |([n_ctx, n_batch, n_ubatch, n_threads, n_seq_max], type_k, type_v, flash_attention, swa_full)| {
            ContextConfig {
                n_ctx,
                n_batch,
                n_ubatch,
                n_threads,
                n_seq_max,
                type_k,
                type_v,
                flash_attention,
                swa_full,
            }
        },
    )
}

fn stimulus() -> impl Strategy<Value = Stimulus> {
    let tokenize = (text(), any::<bool>(), any::<bool>())
        .prop_map(|(text, add_special, parse_special)| Tokenize { text, add_special, parse_special });
    let path = one_of(&[ScorePath::Prefill, ScorePath::TokenByToken]);
    let score = (prompt(), path, any::<[u32; 3]>(), some(weights())).prop_map(
        |(prompt, path, [gap, sequences, unscored], ways)| Score {
            prompt,
            path,
            gap,
            sequences,
            unscored,
            ways,
        },
    );
    let load = (any::<[bool; 2]>(), of(context())).prop_map(|([context, memory], context_config)| Load {
        context,
        context_config,
        memory,
    });
    prop_oneof![
        chat().prop_map(Stimulus::Render),
        tokenize.prop_map(Stimulus::Tokenize),
        generate().prop_map(Stimulus::Generate),
        converse().prop_map(Stimulus::Converse),
        score.prop_map(Stimulus::Score),
        load.prop_map(Stimulus::Load),
        Just(Stimulus::Inspect {}),
        stream().prop_map(Stimulus::Stream),
    ]
}

fn prompt() -> impl Strategy<Value = Prompt> {
    prop_oneof![
        chat().prop_map(Prompt::Chat),
        text().prop_map(Prompt::Text),
        some(any::<i32>()).prop_map(Prompt::Tokens),
    ]
}

fn chat() -> impl Strategy<Value = Chat> {
    let engine = one_of(&[TemplateEngine::Builtin, TemplateEngine::Minijinja, TemplateEngine::Jinja]);
    let openai = some(variables().prop_map(serde_json::Value::Object));
    ((some(message()), openai), of(text()), engine, of(any::<bool>()), variables(), some(variables()))
        .prop_map(
            |((messages, openai_messages), template, engine, add_generation_prompt, variables, variants)| {
                Chat {
                    messages,
                    openai_messages,
                    template,
                    engine,
                    add_generation_prompt,
                    variables,
                    variants,
                }
            },
        )
}

fn generate() -> impl Strategy<Value = Generate> {
    (prompt(), any::<u32>(), some(text()), of(thinking()), any::<bool>()).prop_map(
        |(prompt, max_tokens, stop_strings, thinking, score)| Generate {
            prompt,
            max_tokens,
            sampling: Sampling::Greedy,
            stop_strings,
            thinking,
            score,
        },
    )
}

fn converse() -> impl Strategy<Value = Converse> {
    use ConverseMemory::{Cleared, ClearedMetadata, Kept, Shifted};
    (
        some(text().prop_map(|user| ConverseTurn { user })),
        one_of(&[Kept, Cleared, ClearedMetadata, Shifted]),
        one_of(&[History::Sent, History::LastOnly]),
        of(text()),
        any::<u32>(),
        chat(),
        of(thinking()),
        any::<[bool; 2]>(),
    )
        .prop_map(|(turns, memory, history, system, max_tokens, chat, thinking, [decode_eog, score])| {
            Converse { turns, memory, history, system, max_tokens, chat, thinking, decode_eog, score }
        })
}

fn stream() -> impl Strategy<Value = Stream> {
    let ids = || some(any::<i32>());
    (some(piece()), ids(), ids(), some(text()), of(thinking()), of(any::<u32>())).prop_map(
        |(pieces, ids, eog, stop_strings, thinking, max_tokens)| Stream {
            pieces,
            ids,
            eog,
            stop_strings,
            thinking,
            max_tokens,
        },
    )
}
