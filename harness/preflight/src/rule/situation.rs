//! What rules look at.

use crate::device::Device;
use crate::entitlements::{EXTENDED_VIRTUAL_ADDRESSING, INCREASED_MEMORY_LIMIT, Rights};
use crate::size::MIB;
use crate::{Need, Options};

/// A model on a device in an app.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation<'a> {
    pub(crate) need: &'a Need,
    pub(crate) device: &'a Device,
    pub(crate) rights: &'a Rights,
    pub(crate) options: &'a Options,
}

/// What an app takes for itself, beside the model: what one in the store counts for its compute buffer and the rest.
pub(crate) const APP_ITSELF: u64 = 350 * 1_000_000;

impl Situation<'_> {
    /// Whether the app may map more than others.
    pub(crate) fn maps_more(&self) -> bool {
        self.rights.has(EXTENDED_VIRTUAL_ADDRESSING)
    }

    /// Whether the app may take more memory than others.
    pub(crate) fn takes_more(&self) -> bool {
        self.rights.has(INCREASED_MEMORY_LIMIT)
    }

    /// Bytes that the GPU holds: weights, cache, compute buffer.
    pub(crate) fn on_gpu(&self) -> u64 {
        let Need { weights, usage, compute, .. } = self.need;
        weights.bytes.saturating_add(usage.bytes).saturating_add(compute.bytes)
    }

    /// Bytes that the app writes to: cache and compute buffer, and the weights where they are not mapped, or a second
    /// time in another order. Mapped weights are clean: the system drops and reads them again as it likes.
    pub(crate) fn written(&self) -> u64 {
        let Need { weights, usage, compute, .. } = self.need;
        let read = if self.options.mmap { 0 } else { weights.bytes };
        let again = if self.options.cpu_only { weights.repacked } else { 0 };
        // Weights that were read are repacked in place.
        let weights = read.max(again);
        usage.bytes.saturating_add(compute.bytes).saturating_add(weights)
    }

    /// The largest piece that must lie in one of the GPU's buffers, and what it is.
    pub(crate) fn largest_buffer(&self) -> (u64, String) {
        let cache = self.need.usage.caches.iter().map(|cache| cache.largest).max().unwrap_or(0);
        let tensor = self.need.weights.largest.clone().unwrap_or_default();
        let pieces = [
            (self.need.compute.bytes, "the compute buffer".to_owned()),
            (cache, "the cache of one layer".to_owned()),
            (tensor.1, format!("the tensor {}", tensor.0)),
        ];
        pieces.into_iter().max_by_key(|(bytes, _)| *bytes).unwrap_or_default()
    }

    /// The longest context, in steps of 256, with which `bytes` are enough for cache and compute buffer; `None` where
    /// not even the shortest is.
    pub(crate) fn longest_context(&self, bytes: u64) -> Option<u64> {
        let takes = |steps: u64| {
            let params = self.options.params(steps * 256);
            let cache = self.need.with(&params).unwrap_or(u64::MAX);
            cache.saturating_add(self.need.compute_of(&params))
        };
        let most = self.need.shape.n_ctx_train().max(256) / 256;
        if takes(1) > bytes {
            return None;
        }
        let (mut fits, mut above) = (1, most + 1);
        while above - fits > 1 {
            let middle = fits.midpoint(above);
            if takes(middle) <= bytes { fits = middle } else { above = middle }
        }
        Some(fits * 256)
    }

    /// Ways to need less for cache and compute buffer, each with what it saves; the largest saving first.
    pub(crate) fn savings(&self) -> Vec<(u64, String)> {
        let (need, options) = (self.need, self.options);
        let mut savings = Vec::new();
        let mut less = |params, words: &str| {
            let bytes = need.with(&params).map_or(0, |bytes| need.usage.bytes.saturating_sub(bytes));
            if bytes > MIB {
                savings.push((bytes, words.to_owned()));
            }
        };
        let params = need.params;
        if params.swa_full && need.shape.sliding_window().is_some() {
            less(gguf::memory::ContextParams { swa_full: false, ..params }, "set swa_full = false");
        }
        if params.type_k == gguf::TensorType::F16 && options.flash_attention {
            let q8 = gguf::TensorType::Q8_0;
            let smaller = gguf::memory::ContextParams { type_k: q8, type_v: q8, ..params };
            less(smaller, "keep the cache in q8_0 (type_k and type_v)");
        }
        if params.n_ubatch > 128 {
            let smaller = gguf::memory::ContextParams { n_ubatch: 128, ..params };
            let bytes = need.compute.bytes.saturating_sub(need.compute_of(&smaller));
            if bytes > MIB {
                savings.push((bytes, "set n_ubatch = 128".to_owned()));
            }
        }
        savings.sort_by_key(|(bytes, _)| std::cmp::Reverse(*bytes));
        savings
    }
}
