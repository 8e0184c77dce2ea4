//! Mixtures of experts that stream from flash.

use gguf::memory::ModelFiles;
use gguf::{TensorType, Writer};
use preflight::{Code, Options, Outcome, Report};
use tempfile::TempDir;

use super::support::{device_named, rights};

/// A 35B with 3B active: 40 layers of 256 experts of which 8 are chosen, a few hot layers in 4 bits and the rest in 2.
fn mixture(folder: &TempDir) -> ModelFiles {
    let path = folder.path().join("mixture.gguf");
    let mut file = Writer::new("qwen3moe");
    for (key, value) in [
        ("context_length", 262_144),
        ("embedding_length", 2048),
        ("block_count", 40),
        ("feed_forward_length", 6144),
        ("expert_feed_forward_length", 512),
        ("expert_count", 256),
        ("expert_used_count", 8),
        ("attention.head_count", 16),
        ("attention.head_count_kv", 2),
        ("attention.key_length", 256),
        ("attention.value_length", 256),
        ("vocab_size", 248_320),
    ] {
        file.set(&format!("qwen3moe.{key}"), value as u32);
    }
    file.zeros("token_embd.weight", &[2048, 248_320], TensorType::Q4_K).unwrap();
    file.zeros("output.weight", &[2048, 248_320], TensorType::Q6_K).unwrap();
    for layer in 0..40 {
        let kind = if layer < 10 { TensorType::Q4_K } else { TensorType::Q2_K };
        for (name, dims) in [("gate", [2048, 512, 256]), ("up", [2048, 512, 256]), ("down", [512, 2048, 256])]
        {
            file.zeros(&format!("blk.{layer}.ffn_{name}_exps.weight"), &dims, kind).unwrap();
        }
        file.zeros(&format!("blk.{layer}.attn_q.weight"), &[2048, 4096], TensorType::Q4_K).unwrap();
    }
    file.write_to(&path).unwrap();
    ModelFiles::open(&path).unwrap()
}

#[test]
fn eleven_tokens_a_second_are_more_than_the_flash_gives() {
    let folder = TempDir::new().unwrap();
    let options = Options { n_ctx: Some(4096), tokens_per_second: Some(11.0), ..Options::default() };
    let device = device_named("iPhone 17 Pro");
    let report = Report::of("35B-A3B", &mixture(&folder), &device, &rights(true), &options, None).unwrap();
    let streaming = report.streaming.clone().unwrap();
    assert_eq!((streaming.reads_per_token, streaming.experts, streaming.used), (320, 256, 8));
    assert!(streaming.experts_share > 0.9, "{}", streaming.experts_share);
    let finding = report.findings.iter().find(|finding| finding.code == Code::FlashRate).unwrap();
    assert_eq!(finding.needs, streaming.bytes_per_second);
    assert!(finding.message.contains("page cache"), "{}", finding.message);
    // It does not fit into the GPU's working set either.
    assert_eq!(report.outcome, Outcome::Fails);
    let mixed = &report.model.mixed;
    assert!(mixed.iter().any(|mixed| mixed.tensor == "blk.*.ffn_up_exps.weight" && mixed.types.len() == 2));
}

#[test]
fn a_slow_rate_is_no_finding() {
    let folder = TempDir::new().unwrap();
    let options = Options { n_ctx: Some(4096), tokens_per_second: Some(1.0), ..Options::default() };
    let device = device_named("iPhone 17 Pro");
    let report = Report::of("35B-A3B", &mixture(&folder), &device, &rights(true), &options, None).unwrap();
    assert!(report.findings.iter().all(|finding| finding.code != Code::FlashRate));
}
