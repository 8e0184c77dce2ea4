//! Models of random weights: they say nonsense, but the same nonsense everywhere, with logits spread as wide as
//! those of a real model. For numbers, not for words.

use crate::Writer;

use super::{Architecture, CompileError, Matrix, Noise, Shape, Vocabulary, VocabularySpec};

/// A random model in words.
#[derive(Clone, Debug)]
pub(crate) struct RandomSpec {
    pub(crate) name: &'static str,
    pub(crate) architecture: Architecture,
    pub(crate) shape: Shape,
    pub(crate) vocabulary: VocabularySpec,
    /// Jinja; empty for none.
    pub(crate) template: String,
}

/// Standard deviation 147/128: about 1 an element.
const EMBEDDING: f32 = 1.0 / 128.0;
/// Standard deviation 147/2048: about 1 / √256, so that a block adds as much as it finds.
const BLOCK: f32 = 1.0 / 2048.0;
/// Standard deviation 147/1024 over 256 inputs: logits of about 2.3.
const OUTPUT: f32 = 1.0 / 1024.0;
/// Norms are 1, give or take 147/2048.
const NORM: f32 = 1.0 / 2048.0;

/// Makes a random model.
///
/// # Errors
/// [`CompileError`] where the description contradicts itself.
pub(crate) fn random(spec: &RandomSpec) -> Result<Writer, CompileError> {
    let vocabulary = Vocabulary::new(&spec.vocabulary);
    let mut file = spec.architecture.begin(spec.name, &spec.template, &spec.shape, &vocabulary)?;
    let shape = &spec.shape;
    let (queries, keys) = (shape.heads * shape.head, shape.kv_heads * shape.head);
    matrix(&mut file, "token_embd", vocabulary.len(), shape.width, EMBEDDING)?;
    matrix(&mut file, "output", vocabulary.len(), shape.width, OUTPUT)?;
    norm(&mut file, "output_norm", shape.width)?;
    for block in 0..shape.blocks {
        norm(&mut file, &format!("blk.{block}.attn_norm"), shape.width)?;
        norm(&mut file, &format!("blk.{block}.ffn_norm"), shape.width)?;
        for (name, rows, columns) in [
            ("attn_q", queries, shape.width),
            ("attn_k", keys, shape.width),
            ("attn_v", keys, shape.width),
            ("attn_output", shape.width, queries),
            ("ffn_gate", shape.feed_forward, shape.width),
            ("ffn_up", shape.feed_forward, shape.width),
            ("ffn_down", shape.width, shape.feed_forward),
        ] {
            matrix(&mut file, &format!("blk.{block}.{name}"), rows, columns, BLOCK)?;
        }
    }
    Ok(file)
}

fn matrix(file: &mut Writer, name: &str, rows: usize, columns: usize, unit: f32) -> Result<(), CompileError> {
    let name = format!("{name}.weight");
    let matrix = Matrix::random(&name, rows, columns, unit);
    file.f16(&name, &matrix.dims(), matrix.values())?;
    Ok(())
}

fn norm(file: &mut Writer, name: &str, width: usize) -> Result<(), CompileError> {
    let name = format!("{name}.weight");
    let mut values = vec![0.0; width];
    Noise::named(&name).fill_bell(&mut values, NORM);
    values.iter_mut().for_each(|value| *value += 1.0);
    file.f32(&name, &[width as u64], &values)?;
    Ok(())
}
