//! What a model needs, under the options of an app.

use gguf::TensorType;
use gguf::memory::{ContextParams, MemoryError, ModelFiles, Shape, Traffic, Usage, Weights};
use serde::Serialize;

use crate::Options;
use crate::device::Device;

/// What a model needs.
#[derive(Clone, Debug)]
pub struct Need {
    /// What the files hold.
    pub shape: Shape,
    /// The weights.
    pub weights: Weights,
    /// What a token reads.
    pub traffic: Traffic,
    /// What the context takes.
    pub usage: Usage,
    /// How the context is made.
    pub params: ContextParams,
    /// Whether `params.n_ctx` was assumed: nobody said it.
    pub assumed: bool,
    /// What computing takes besides.
    pub compute: Compute,
    /// Bytes of the files, in order.
    pub files: Vec<u64>,
    /// A cache type that does not fit the model's heads: the figures are those of f16.
    pub unfit: Option<MemoryError>,
    /// What is wrong with the files' structure.
    pub defects: Vec<String>,
}

/// The buffer in which graphs are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Compute {
    /// Its bytes.
    pub bytes: u64,
    /// Whether llama.cpp said so; else it is an estimate.
    pub measured: bool,
}

/// Contexts that apps dare on phones with so many GB of memory:
/// 4096 tokens on 4, 6144 on 6, 8192 from 8 on.
pub(crate) const fn tier(ram: u64) -> u64 {
    match ram {
        0..=5 => 4096,
        6..=7 => 6144,
        _ => 8192,
    }
}

impl Need {
    /// Of a model on a device, under an app's options.
    ///
    /// # Errors
    /// Where the file's sizes make no sense, or its memory belongs to another model's context.
    pub fn of(model: &ModelFiles, device: &Device, options: &Options) -> Result<Self, MemoryError> {
        let shape = Shape::read(model.first())?;
        let assumed = options.n_ctx.is_none();
        let n_ctx = options.n_ctx.unwrap_or_else(|| tier(device.ram).min(shape.n_ctx_train().max(1)));
        let params = options.params(n_ctx);
        let (usage, unfit) = match Usage::of(&shape, &params) {
            Err(error) if error.is_of_the_cache_types() => {
                let plain = ContextParams { type_k: TensorType::F16, type_v: TensorType::F16, ..params };
                (Usage::of(&shape, &plain)?, Some(error))
            }
            usage => (usage?, None),
        };
        let verified = if model.count() == 1 { model.first().verify() } else { Vec::new() };
        Ok(Self {
            compute: Compute { bytes: estimate(&shape, &params), measured: false },
            weights: Weights::of(model),
            traffic: Traffic::of(model),
            files: model.sizes().collect(),
            defects: verified.iter().map(ToString::to_string).collect(),
            shape,
            usage,
            params,
            assumed,
            unfit,
        })
    }

    /// Bytes of all files.
    pub fn file_bytes(&self) -> u64 {
        self.files.iter().copied().fold(0, u64::saturating_add)
    }

    /// Bytes of the largest file: what is mapped in one piece.
    pub fn largest_file(&self) -> u64 {
        self.files.iter().copied().max().unwrap_or(0)
    }

    /// What computing would take with other parameters: as much less, or more, as the estimate says.
    pub(crate) fn compute_of(&self, params: &ContextParams) -> u64 {
        let (now, then) = (estimate(&self.shape, &self.params), estimate(&self.shape, params));
        self.compute.bytes.saturating_add(then).saturating_sub(now)
    }

    /// What the context would take with other parameters.
    pub(crate) fn with(&self, params: &ContextParams) -> Option<u64> {
        Usage::of(&self.shape, params).ok().map(|usage| usage.bytes)
    }
}

/// Bytes of the compute buffer, roughly: for every token that is computed at once the widest of what is alive together
/// (logits, a feed-forward network, the scores of attention without flash attention), and a mask as long as the context.
/// On CPUs it is within a few per cent of what llama.cpp reserves for its worst case; a probe knows it exactly.
fn estimate(shape: &Shape, params: &ContextParams) -> u64 {
    let tokens = params.ubatch(shape.n_ctx_train());
    let n_ctx = params.n_ctx_seq(shape.n_ctx_train());
    let times = u64::saturating_mul;
    let logits = shape.n_vocab().saturating_add(times(shape.n_embd(), 6));
    let network = times(shape.n_ff(), 3).saturating_add(times(shape.n_embd(), 4));
    let scores = if params.flash_attention { 0 } else { times(shape.heads(), n_ctx) };
    // In 16 bits with flash attention, else in 32; one more for layers with a window.
    let mask = times(n_ctx, if params.flash_attention { 2 } else { 4 });
    let masks = if shape.sliding_window().is_some() { times(mask, 2) } else { mask };
    let row = times(logits.max(network).max(scores), 4).saturating_add(masks);
    times(tokens, row)
}
