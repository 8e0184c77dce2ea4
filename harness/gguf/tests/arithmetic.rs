//! What contexts take, without a probe: every recipe, figures that a probe has confirmed, and files that lie.

use gguf::memory::{ContextParams, MemoryError, ModelFiles, Shape, Traffic, Usage, Weights};
use gguf::{GgufFile, TensorType, Writer, fixtures};
use proptest::prelude::*;
use tempfile::TempDir;

fn fixture(name: &str) -> GgufFile {
    GgufFile::from_bytes(&fixtures::by_name(name).unwrap().bytes()).unwrap()
}

fn bytes(name: &str, params: &ContextParams) -> u64 {
    let shape = Shape::read(&fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    Usage::of(&shape, params).unwrap_or_else(|error| panic!("{name}: {error}")).bytes
}

/// A small model of the llama architecture with these keys instead.
fn model(keys: &[(&str, u32)]) -> GgufFile {
    let mut file = Writer::new("llama");
    for (key, value) in [
        ("context_length", 4096),
        ("embedding_length", 128),
        ("block_count", 2),
        ("attention.head_count", 4),
        ("attention.head_count_kv", 2),
    ]
    .iter()
    .chain(keys)
    {
        file.set(&format!("llama.{key}"), *value);
    }
    GgufFile::from_bytes(&file.to_bytes()).unwrap()
}

/// Confirmed by `cargo xtask preflight --prove`: one of every kind of memory.
#[test]
fn each_kind_of_memory_takes_what_llama_cpp_allocates() {
    let base = ContextParams { n_ctx: 2048, n_batch: 64, n_ubatch: 64, ..ContextParams::default() };
    let windows = ContextParams { swa_full: false, ..base };
    let three = ContextParams { n_seq_max: 3, ..base };
    for (name, params, expected) in EXPECTED {
        let params = [base, windows, three][*params];
        assert_eq!(bytes(name, &params), *expected, "{name}");
    }
}

/// Fixture; plain, windows of their own, or three sequences; bytes.
const EXPECTED: &[(&str, usize, u64)] = &[
    ("arch-llama", 0, 1_048_576),
    ("arch-llama", 2, 1_179_648),
    ("arch-gpt2", 0, 1_048_576),
    ("arch-gpt2", 2, 1_179_648),
    ("arch-gemma3", 0, 3_145_728),
    ("arch-gemma3", 1, 851_968),
    ("arch-gemma3", 2, 3_538_944),
    ("arch-gemma3n", 0, 1_048_576),
    ("arch-gemma3n", 1, 131_072),
    ("arch-gemma3n", 2, 1_179_648),
    ("arch-gemma4", 0, 1_048_576),
    ("arch-gemma4", 1, 589_824),
    ("arch-gemma4", 2, 1_179_648),
    ("arch-gpt-oss", 0, 1_048_576),
    ("arch-gpt-oss", 1, 589_824),
    ("arch-gpt-oss", 2, 1_179_648),
    ("arch-phi3", 0, 1_048_576),
    ("arch-phi3", 2, 1_179_648),
    ("arch-deepseek2", 0, 393_216),
    ("arch-deepseek2", 2, 442_368),
    ("arch-deepseek32", 0, 917_504),
    ("arch-deepseek32", 2, 1_032_192),
    ("arch-minimax-m3", 0, 1_572_864),
    ("arch-minimax-m3", 2, 1_769_472),
    ("arch-mamba", 0, 137_216),
    ("arch-mamba", 2, 411_648),
    ("arch-rwkv6", 0, 67_584),
    ("arch-rwkv6", 2, 202_752),
    ("arch-jamba", 0, 592_896),
    ("arch-jamba", 2, 795_648),
    ("arch-falcon-h1", 0, 1_191_936),
    ("arch-falcon-h1", 2, 1_609_728),
    ("arch-lfm2", 0, 525_824),
    ("arch-lfm2", 2, 594_432),
    ("arch-qwen35moe", 0, 595_968),
    ("arch-qwen35moe", 2, 804_864),
    ("arch-qwen4exp", 0, 727_040),
    ("arch-qwen4exp", 2, 952_320),
    ("arch-kimi-linear", 0, 217_600),
    ("arch-kimi-linear", 2, 284_160),
    ("arch-minimax-01", 0, 1_064_960),
    ("arch-minimax-01", 2, 1_228_800),
    ("arch-nemotron_h", 0, 595_968),
    ("arch-nemotron_h", 2, 804_864),
];

#[test]
fn every_recipe_has_a_shape_or_a_reason() {
    let params = ContextParams { n_ctx: 512, ..ContextParams::default() };
    for info in fixtures::all().iter().filter(|info| info.name.starts_with("arch-")) {
        match Shape::read(&fixture(&info.name)).and_then(|shape| Usage::of(&shape, &params)) {
            Ok(usage) => assert_eq!(usage.n_ctx_seq, 512, "{}", info.name),
            Err(MemoryError::NeedsAnother { .. } | MemoryError::MissingKey { .. }) => {}
            Err(error) => panic!("{}: {error}", info.name),
        }
    }
}

#[test]
fn a_value_that_makes_no_sense_is_an_error_that_names_its_key() {
    let table: &[(&[(&str, u32)], &str)] = &[
        (&[("block_count", 0)], "llama.block_count\" is 0"),
        (&[("block_count", 513)], "llama.cpp takes 1 to 512"),
        (&[("nextn_predict_layers", 3)], "nextn_predict_layers"),
    ];
    for (keys, said) in table {
        let error = Shape::read(&model(keys)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let mut file = Writer::new("gemma4");
    file.set("gemma4.block_count", 2_u32).set("gemma4.attention.head_count", vec![1_u32, 2, 3]);
    let error = Shape::read(&GgufFile::from_bytes(&file.to_bytes()).unwrap()).unwrap_err().to_string();
    assert!(error.contains("lists 3 numbers, and 2 are needed"), "{error}");
}

#[test]
fn sizes_that_multiply_beyond_any_machine_are_an_error() {
    let huge = model(&[("attention.key_length", u32::MAX), ("attention.head_count_kv", u32::MAX)]);
    let params =
        ContextParams { n_ctx: u32::MAX.into(), type_k: TensorType::F32, ..ContextParams::default() };
    assert_eq!(Usage::of(&Shape::read(&huge).unwrap(), &params), Err(MemoryError::TooLarge));
}

#[test]
fn a_type_whose_blocks_do_not_divide_a_head_has_no_context() {
    let odd = Shape::read(&model(&[("attention.key_length", 80)])).unwrap();
    let params = ContextParams { type_k: TensorType::Q8_0, ..ContextParams::default() };
    assert!(matches!(Usage::of(&odd, &params), Err(MemoryError::Blocks { width: 80, .. })));
}

#[test]
fn parts_are_found_by_their_names_and_the_first_is_demanded() {
    let folder = TempDir::new().unwrap();
    let part = |number: u32| {
        let mut file = Writer::new("llama");
        file.set("split.count", 2_u16).set("split.no", (number - 1) as u16);
        file.zeros(&format!("blk.{number}.ffn_up.weight"), &[256, 8], TensorType::Q4_K).unwrap();
        let path = folder.path().join(format!("m-0000{number}-of-00002.gguf"));
        file.write_to(&path).unwrap();
        path
    };
    let (first, second) = (part(1), part(2));
    let model = ModelFiles::open(&first).unwrap();
    assert_eq!((model.count(), Weights::of(&model).tensors), (2, 2));
    let error = ModelFiles::open(&second).unwrap_err().to_string();
    assert!(error.contains("part 2 of 2") && error.ends_with("-00001-of-00002.gguf"), "{error}");
    std::fs::remove_file(&second).unwrap();
    assert!(ModelFiles::open(&first).unwrap_err().to_string().contains("m-00002-of-00002.gguf"));
    let renamed = folder.path().join("m.gguf");
    std::fs::rename(&first, &renamed).unwrap();
    assert!(ModelFiles::open(&renamed).unwrap_err().to_string().contains("must end in -00001-of-00002.gguf"));
}

#[test]
fn a_token_reads_all_but_what_is_looked_up() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("m.gguf");
    let mut file = Writer::new("llama");
    file.zeros("token_embd.weight", &[256, 1000], TensorType::F16).unwrap();
    file.zeros("blk.0.ffn_up.weight", &[256, 8], TensorType::F16).unwrap();
    file.write_to(&path).unwrap();
    let tied = Traffic::of(&ModelFiles::open(&path).unwrap());
    assert_eq!(tied.bytes_per_token(), 256 * 1000 * 2 + 256 * 8 * 2);
    file.zeros("output.weight", &[256, 1000], TensorType::F16).unwrap();
    file.write_to(&path).unwrap();
    let traffic = Traffic::of(&ModelFiles::open(&path).unwrap());
    assert_eq!(traffic.bytes_per_token(), 256 * 1000 * 2 + 256 * 8 * 2 + 256 * 2);
}

/// A number, with the extremes more often.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![0_u32..9, any::<u32>(), Just(u32::MAX)]
}

proptest! {
    #[test]
    fn no_header_makes_it_panic(
        name in 0..fixtures::all().len(),
        keys in proptest::collection::vec((0_usize..KEYS.len(), number()), 0..6),
        n_ctx in number(),
        n_seq_max in number(),
    ) {
        let info = &fixtures::all()[name];
        prop_assume!(info.name.starts_with("arch-"));
        let whole = fixture(&info.name);
        let mut file = Writer::new(whole.architecture().unwrap());
        for (key, value) in whole.metadata().iter().filter(|(key, _)| !key.starts_with("tokenizer")) {
            file.set(key, value.clone());
        }
        for (key, value) in keys {
            file.set(&format!("{}.{}", whole.architecture().unwrap(), KEYS[key]), value);
        }
        let lying = GgufFile::from_bytes(&file.to_bytes()).unwrap();
        let params = ContextParams { n_ctx: n_ctx.into(), n_seq_max: n_seq_max.into(), ..ContextParams::default() };
        if let Ok(usage) = Shape::read(&lying).and_then(|shape| Usage::of(&shape, &params)) {
            prop_assert_eq!(usage.bytes, usage.caches.iter().map(|cache| cache.bytes).sum::<u64>());
        }
    }

    #[test]
    fn a_longer_context_never_takes_less(short in 1_u64..100_000, more in 0_u64..100_000, full in any::<bool>()) {
        let shape = Shape::read(&model(&[])).unwrap();
        let bytes = |n_ctx| {
            Usage::of(&shape, &ContextParams { n_ctx, swa_full: full, ..ContextParams::default() }).unwrap().bytes
        };
        prop_assert!(bytes(short) <= bytes(short + more));
    }
}

const KEYS: &[&str] = &[
    "block_count",
    "attention.head_count",
    "attention.head_count_kv",
    "attention.key_length",
    "attention.value_length",
    "attention.sliding_window",
    "attention.sliding_window_pattern",
    "attention.shared_kv_layers",
    "attention.indexer.key_length",
    "full_attention_interval",
    "nextn_predict_layers",
    "num_loops",
    "ssm.conv_kernel",
    "ssm.inner_size",
    "ssm.state_size",
    "wkv.head_size",
    "shortconv.l_cache",
    "kda.head_dim",
];
