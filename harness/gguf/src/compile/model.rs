//! A compiled model: from a description to the file.

use crate::Writer;

use super::rule::rules;
use super::{
    Architecture, Attention, Chain, CompileError, FeedForward, Flags, Layout, Matrix, Shape, TokenId,
    Vocabulary, VocabularySpec,
};

/// The value of the dimension that is always there. Four times as large as any other, so that the norms hardly
/// depend on how many flags are up.
pub(crate) const CONSTANT: f32 = 4.0;
/// Scale of both norms: 1 / √width · CONSTANT, so that a lone constant stays what it is.
const NORM: f32 = 0.25;
/// Gain of the output matrix.
const GAIN: f32 = 2.0;
/// Units of noise: at most 127 of them.
const EMBEDDING_NOISE: f32 = 1.0 / 65536.0;
const BLOCK_NOISE: f32 = 1.0 / 8192.0;
const OUTPUT_NOISE: f32 = 1.0 / 8192.0;

/// A model in words.
#[derive(Clone, Debug)]
pub(crate) struct ModelSpec {
    pub(crate) name: &'static str,
    pub(crate) architecture: Architecture,
    pub(crate) shape: Shape,
    pub(crate) vocabulary: VocabularySpec,
    pub(crate) flags: Flags,
    pub(crate) chains: Vec<Chain>,
    /// What comes where no rule holds.
    pub(crate) fallback: &'static str,
    /// Jinja; empty for none.
    pub(crate) template: String,
}

/// Compiles a model into a GGUF file.
///
/// # Errors
/// [`CompileError`] where the description contradicts itself or is too large for its shape.
pub(crate) fn compile(spec: &ModelSpec) -> Result<Writer, CompileError> {
    let vocabulary = Vocabulary::new(&spec.vocabulary);
    let rules = rules(&spec.chains, &spec.flags, &vocabulary)?;
    let fallback = vocabulary.id(spec.fallback)?;
    let layout = Layout::new(&rules, &spec.flags, fallback, &vocabulary, &spec.shape)?;
    let mut file = spec.architecture.begin(spec.name, &spec.template, &spec.shape, &vocabulary)?;
    add(&mut file, "token_embd", &embedding(&layout, &vocabulary, &spec.shape))?;
    add(&mut file, "output", &output(&layout, &vocabulary, &spec.shape))?;
    let norm = |scale| vec![scale; spec.shape.width];
    file.f32("output_norm.weight", &[spec.shape.width as u64], &norm(1.0))?;
    for block in 0..spec.shape.blocks {
        let mut attention = Attention::noisy(block, &spec.shape, spec.architecture.rope(), BLOCK_NOISE);
        let mut feed_forward = FeedForward::noisy(block, &spec.shape, BLOCK_NOISE);
        if block == 0 {
            attention.install(&layout, &spec.flags, &vocabulary)?;
        }
        if block + 1 == spec.shape.blocks {
            feed_forward.install(&rules, fallback, &layout);
        }
        file.f32(&format!("blk.{block}.attn_norm.weight"), &[spec.shape.width as u64], &norm(NORM))?;
        file.f32(&format!("blk.{block}.ffn_norm.weight"), &[spec.shape.width as u64], &norm(NORM))?;
        for (name, matrix) in [
            ("attn_q", &attention.query),
            ("attn_k", &attention.key),
            ("attn_v", &attention.value),
            ("attn_output", &attention.output),
            ("ffn_gate", &feed_forward.gate),
            ("ffn_up", &feed_forward.up),
            ("ffn_down", &feed_forward.down),
        ] {
            add(&mut file, &format!("blk.{block}.{name}"), matrix)?;
        }
    }
    Ok(file)
}

fn add(file: &mut Writer, name: &str, matrix: &Matrix) -> Result<(), CompileError> {
    file.f16(&format!("{name}.weight"), &matrix.dims(), matrix.values())?;
    Ok(())
}

/// Every token raises the constant, and its own dimension if the rules know it.
fn embedding(layout: &Layout, vocabulary: &Vocabulary, shape: &Shape) -> Matrix {
    let mut matrix = Matrix::noisy("token_embd.weight", vocabulary.len(), shape.width, EMBEDDING_NOISE);
    for token in 0..vocabulary.len() {
        matrix.set(token, Layout::CONSTANT, CONSTANT);
    }
    for (&token, &dimension) in &layout.here {
        matrix.set(token, dimension, 1.0);
    }
    matrix
}

fn output(layout: &Layout, vocabulary: &Vocabulary, shape: &Shape) -> Matrix {
    let mut matrix = Matrix::noisy("output.weight", vocabulary.len(), shape.width, OUTPUT_NOISE);
    for (&token, &dimension) in &layout.next {
        let token: TokenId = token;
        matrix.set(token, dimension, GAIN);
    }
    matrix
}
