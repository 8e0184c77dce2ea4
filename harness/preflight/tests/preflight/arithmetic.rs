//! Figures that others published.

use gguf::TensorType;
use preflight::Options;

use super::support::{Model, context};

/// A role-play app's 3B model: 28 layers, 8 heads of 128, keys and values in 8 bits.
#[test]
fn a_token_of_a_3b_model_in_q8_0_takes_60_kb() {
    let q8 = TensorType::Q8_0;
    let report = Model::default().on("8gb", true, &Options { type_k: q8, type_v: q8, ..context(4096) });
    assert_eq!(report.context.bytes_per_token, 60_928);
    assert_eq!(report.context.cache_bytes, 4096 * 60_928);
}

/// Llama 3 8B: 512 MiB at 4k in f16, 4 GiB at 32k.
#[test]
fn the_cache_of_llama_3_8b() {
    let llama = Model { layers: 32, ..Model::default() };
    for (n_ctx, bytes) in [(4096, 512 << 20), (32_768, 4_u64 << 30)] {
        assert_eq!(llama.on("12gb", true, &context(n_ctx)).context.cache_bytes, bytes);
    }
}

/// 4096, 6144, 8192 tokens on 4, 6, 8 GB, where nobody says how many.
#[test]
fn the_context_that_is_assumed_follows_the_memory() {
    for (device, n_ctx) in [("4gb", 4096), ("6gb", 6144), ("8gb", 8192), ("12gb", 8192)] {
        let context = Model::default().on(device, true, &Options::default()).context;
        assert_eq!((context.n_ctx, context.assumed), (n_ctx, true), "{device}");
    }
    let small = Model { trained: 2048, ..Model::default() }.on("8gb", true, &Options::default());
    assert_eq!(small.context.n_ctx, 2048);
}

/// What is said to fit fits, and 256 tokens more do not.
#[test]
fn the_longest_context_is_the_longest() {
    let model = Model { bytes: 4 << 30, ..Model::default() };
    let longest = model.on("iPhone 16 Pro", true, &context(512)).context.longest.unwrap();
    assert!((512..131_072).contains(&longest), "{longest}");
    assert!(model.on("iPhone 16 Pro", true, &context(longest)).is_fine());
    assert!(!model.on("iPhone 16 Pro", true, &context(longest + 256)).is_fine());
}

#[test]
fn a_conversation_overflows_at_the_turn_that_no_longer_fits() {
    let options = Options { turn_tokens: Some(300), ..context(1024) };
    let turns = Model::default().on("8gb", true, &options).conversation.unwrap();
    // Every fourth question dies.
    assert_eq!(turns.overflows_at_turn, Some(4));
}
