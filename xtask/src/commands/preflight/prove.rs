//! `cargo xtask preflight --prove`: the arithmetic against what llama.cpp says that it has allocated.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use gguf::GgufFile;
use gguf::memory::{ContextParams, Shape, Usage};
use judge::models::Model;
use judge::setup::{Folders, Suite};
use wire::{ContextConfig, FlashAttention, KvType, Weights};

use super::ask::{Asked, Memory, question};
use super::kind;
use crate::commands::fixtures;
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};

/// Lengths of context that every model is given.
const LENGTHS: [u32; 9] = [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072];
/// Most tokens computed at once: the compute buffer is not what is compared.
const UBATCH: u32 = 64;

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    models: u32,
    equal: u32,
    refused: u32,
    unequal: Vec<String>,
}

/// Compares every fixture that llama.cpp builds, in every length and kind of context.
pub(super) fn run(backend: &str, setup: bool, context: &Context) -> Result<Exit> {
    let folders = Folders::of_workspace(context.workspace.root());
    let suite = Suite::read(&folders).or_exit(Exit::Input)?;
    let models: Vec<Arc<Model>> =
        suite.registry.all(&folders.places()).into_iter().filter(is_asked).map(Arc::new).collect();
    fixtures::write_those(&models, context)?;
    let mut asked = Asked::of(backend, setup, context)?;
    let mut tally = Tally::default();
    for model in models.iter().filter(|model| model.path.is_file()) {
        let file = GgufFile::open(&model.path).or_exit(Exit::Input)?;
        tally.models += 1;
        compare(&mut asked, model, &file, &mut tally).with_context(|| model.name.clone())?;
    }
    println!(
        "{} models in {} contexts: {} equal to the byte, {} refused by both, {} unequal",
        tally.models,
        tally.equal + tally.refused + tally.unequal.len() as u32,
        tally.equal,
        tally.refused,
        tally.unequal.len()
    );
    tally.unequal.iter().for_each(|line| println!("{line}"));
    if tally.equal == 0 {
        return Err(Exit::NothingRan.error(format!(
            "the probe of {backend} does not say what it allocates: its llama.cpp has no llama_get_memory_breakdown of \
             b11434's form"
        )));
    }
    Ok(if tally.unequal.is_empty() { Exit::Fine } else { Exit::Verdicts })
}

/// Fixtures that llama.cpp makes, but for those that are damaged or as large as a phone's memory.
fn is_asked(model: &Model) -> bool {
    let odd = ["damaged-", "sparse-", "compiled-gemma-poisoned"];
    model.cannot.is_none() && model.role != "adapter" && !odd.iter().any(|odd| model.name.starts_with(odd))
}

fn compare(asked: &mut Asked, model: &Model, file: &GgufFile, tally: &mut Tally) -> Result<()> {
    // Files of metadata alone get their weights drawn.
    let weights = if file.tensors().is_empty() { Weights::Drawn } else { Weights::File };
    for (name, config) in contexts() {
        let ours = Shape::read(file).and_then(|shape| Usage::of(&shape, &params(&config)));
        let theirs = asked.ask(&question(model, weights, false, config))?;
        let said = match (ours, theirs) {
            (Ok(ours), Memory::Allocated { context, .. }) if ours.bytes == context => {
                tally.equal += 1;
                continue;
            }
            (Err(_), Memory::Refused(_)) => {
                tally.refused += 1;
                continue;
            }
            (_, Memory::Untold) => return Ok(()),
            (Ok(ours), Memory::Allocated { context, .. }) => {
                format!("llama.cpp allocates {context} bytes, and {} were reckoned", ours.bytes)
            }
            (Ok(ours), Memory::Refused(why)) => {
                format!("{} bytes were reckoned, and llama.cpp refuses: {why}", ours.bytes)
            }
            (Err(error), Memory::Allocated { context, .. }) => {
                format!("llama.cpp allocates {context} bytes: {error}")
            }
        };
        tally.unequal.push(format!("{} with {name}: {said}", model.name));
    }
    Ok(())
}

/// Every length, and at one of them every other thing that matters.
fn contexts() -> Vec<(String, ContextConfig)> {
    let plain =
        |n_ctx| ContextConfig { n_ctx, n_batch: UBATCH, n_ubatch: UBATCH, ..ContextConfig::default() };
    let mut all: Vec<_> = LENGTHS.iter().map(|&n_ctx| (format!("n_ctx {n_ctx}"), plain(n_ctx))).collect();
    let base = plain(2048);
    let kv = |kind| ContextConfig { type_k: kind, type_v: kind, ..base.clone() };
    let others = [
        ("n_ctx 1000", plain(1000)),
        ("windows of their own", ContextConfig { swa_full: false, ..base.clone() }),
        ("windows and 3 sequences", ContextConfig { swa_full: false, n_seq_max: 3, ..base.clone() }),
        ("windows at 131072", ContextConfig { swa_full: false, ..plain(131_072) }),
        ("3 sequences", ContextConfig { n_seq_max: 3, ..base.clone() }),
        ("no flash attention", ContextConfig { flash_attention: FlashAttention::Off, ..base.clone() }),
        ("keys alone in q8_0", ContextConfig { type_k: KvType::Q8_0, ..base.clone() }),
        (
            "values in q8_0 without flash attention",
            ContextConfig { type_v: KvType::Q8_0, flash_attention: FlashAttention::Off, ..base.clone() },
        ),
        ("f32", kv(KvType::F32)),
        ("q8_0", kv(KvType::Q8_0)),
        ("q4_0", kv(KvType::Q4_0)),
    ];
    all.extend(others.map(|(name, config)| (name.to_owned(), config)));
    all
}

/// The same in the words of the arithmetic.
fn params(config: &ContextConfig) -> ContextParams {
    ContextParams {
        n_ctx: config.n_ctx.into(),
        n_batch: config.n_batch.into(),
        n_ubatch: config.n_ubatch.into(),
        n_seq_max: config.n_seq_max.into(),
        kv_unified: false,
        type_k: kind::of_wire(config.type_k),
        type_v: kind::of_wire(config.type_v),
        flash_attention: config.flash_attention != FlashAttention::Off,
        swa_full: config.swa_full,
    }
}
