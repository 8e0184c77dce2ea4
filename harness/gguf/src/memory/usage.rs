//! What a context takes: all its caches.

use super::architecture::Memory;
use super::cache::{CacheKind, Maker, Row};
use super::{Cache, ContextParams, MemoryError, Shape};

/// By how much DeepSeek 4 compresses in its two kinds of layers.
const COMPRESSIONS: [u64; 2] = [4, 128];

/// The memory of one context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Its caches; those that have no layer are left out.
    pub caches: Vec<Cache>,
    /// Tokens that a sequence has room for.
    pub n_ctx_seq: u64,
    /// Bytes of all caches: what llama.cpp's breakdown calls context.
    pub bytes: u64,
}

impl Usage {
    /// Of a context on a model.
    ///
    /// # Errors
    /// Where the sizes make no sense, the cache's type does not fit the heads, or the memory is another model's.
    pub fn of(shape: &Shape, params: &ContextParams) -> Result<Self, MemoryError> {
        // llama.cpp switches it off for this one.
        let params = &ContextParams {
            flash_attention: params.flash_attention && shape.architecture != "grok",
            ..*params
        };
        types(shape, params)?;
        heads(shape, params)?;
        let maker = Maker { shape, params };
        let mut caches = match shape.memory {
            Memory::None => Vec::new(),
            Memory::Another => {
                return Err(MemoryError::NeedsAnother { architecture: shape.architecture.clone() });
            }
            Memory::Recurrent => vec![maker.recurrent(|_| true)],
            Memory::Attention => maker.attention(|layer| maker.attended(layer))?,
            Memory::Hybrid | Memory::Both | Memory::HybridIndexed => maker.hybrid()?,
            Memory::Indexed => maker.indexed()?,
            Memory::IndexedBlocks => maker.indexed_blocks()?,
            Memory::Compressed => maker.compressed()?,
        };
        caches.retain(|cache| cache.layers > 0);
        let bytes = caches.iter().map(|cache| cache.bytes).fold(0, u64::saturating_add);
        if i64::try_from(bytes).is_err() {
            return Err(MemoryError::TooLarge);
        }
        Ok(Self { caches, n_ctx_seq: params.n_ctx_seq(shape.n_ctx_train), bytes })
    }

    /// Bytes by which one more token of context makes all caches larger.
    pub fn bytes_per_token(&self) -> u64 {
        let grows = |cache: &&Cache| match cache.kind {
            CacheKind::Full | CacheKind::Indexer => true,
            CacheKind::Window => cache.cells == self.n_ctx_seq,
            CacheKind::Compressed | CacheKind::State => false,
        };
        let each = |cache: &Cache| cache.cell_bytes.saturating_mul(cache.streams);
        self.caches.iter().filter(grows).map(each).fold(0, u64::saturating_add)
    }

    /// Bytes that do not depend on the length of the context: states.
    pub fn state_bytes(&self) -> u64 {
        let states = self.caches.iter().filter(|cache| cache.kind == CacheKind::State);
        states.map(|cache| cache.bytes).fold(0, u64::saturating_add)
    }
}

/// Which types go together: `llama_init_from_model` refuses others.
fn types(shape: &Shape, params: &ContextParams) -> Result<(), MemoryError> {
    let ContextParams { type_k: k, type_v: v, .. } = *params;
    if (shape.latent || shape.memory == Memory::Compressed) && k != v {
        return Err(MemoryError::DifferentTypes { k, v });
    }
    if v.block_elements() > 1 && !params.flash_attention {
        return Err(MemoryError::QuantisedV { kind: v });
    }
    Ok(())
}

/// With flash attention, a quantised type must divide every head: `llama_init_from_model` refuses others.
fn heads(shape: &Shape, params: &ContextParams) -> Result<(), MemoryError> {
    if !params.flash_attention {
        return Ok(());
    }
    for layer in 0..shape.n_layer as usize {
        let (k, v) = if shape.slides(layer) { shape.window_head } else { shape.head };
        for (kind, width) in [(params.type_k, k), (params.type_v, v)] {
            let block = kind.block_elements();
            if !width.is_multiple_of(block) {
                return Err(MemoryError::Blocks { kind, block, width });
            }
        }
    }
    Ok(())
}

impl Maker<'_> {
    /// Layers whose keys and values an ordinary context keeps: without those that predict ahead, unless the model has
    /// no others, or they are a router.
    fn attended(&self, layer: usize) -> bool {
        let all = self.shape.n_layer == self.shape.all
            || self.shape.n_layer == 0
            || self.shape.architecture == "graniteswitch";
        all || self.shape.is_own(layer)
    }

    fn every(&self) -> std::ops::Range<usize> {
        0..self.shape.all as usize
    }

    fn whole(&self) -> (u64, u64) {
        (self.params.n_ctx_seq(self.shape.n_ctx_train), self.params.streams())
    }

    /// The widest value of any layer.
    fn widest(&self) -> u64 {
        self.every().map(|layer| self.shape.rows(layer).1).max().unwrap_or(0)
    }

    fn rows(&self, wanted: impl Fn(usize) -> bool) -> Vec<Row> {
        let kept = self.every().filter(|layer| self.shape.has_kv(*layer) && wanted(*layer));
        kept.map(|layer| self.shape.rows(layer)).collect()
    }

    /// Layers that see everything, and those that see a window.
    fn attention(&self, wanted: impl Fn(usize) -> bool) -> Result<Vec<Cache>, MemoryError> {
        let shape = self.shape;
        let full = self.rows(|layer| wanted(layer) && !shape.slides(layer));
        let mut caches =
            vec![self.cells(CacheKind::Full, self.whole(), &full, self.widest(), shape.latent)?];
        if let Some(window) = &shape.window {
            let unified = self.params.kv_unified;
            let cells = self.params.window_cells(shape.n_ctx_train, window.tokens, unified);
            let rows = self.rows(|layer| wanted(layer) && shape.slides(layer));
            let size = (cells, self.params.streams());
            caches.push(self.cells(CacheKind::Window, size, &rows, self.widest(), shape.latent)?);
        }
        Ok(caches)
    }

    fn recurrent(&self, wanted: impl Fn(usize) -> bool) -> Cache {
        let states = &self.shape.states;
        let layers = self.every().filter(|layer| self.shape.is_own(*layer) && wanted(*layer));
        let layers = layers.count() as u64;
        let rows = self.params.sequences();
        let mut cache = self.states(layers, rows, &[states.rolling, states.recurrent]);
        if let Some((elements, _)) = states.history.filter(|(_, layer)| wanted(*layer)) {
            let history = self.states(1, rows, &[elements]);
            cache.bytes = cache.bytes.saturating_add(history.bytes);
            cache.cell_bytes = cache.cell_bytes.saturating_add(history.cell_bytes);
        }
        cache
    }

    fn hybrid(&self) -> Result<Vec<Cache>, MemoryError> {
        let shape = self.shape;
        let recurrent = |layer: usize| shape.states.layers[layer];
        let attends = |layer: usize| match shape.architecture.as_str() {
            "falcon-h1" => true,
            "nemotron_h" | "nemotron_h_moe" => !recurrent(layer) && shape.feed_forward[layer] == 0,
            "qwen3next" | "qwen35" | "qwen35moe" | "qwen4exp" | "minimax-01" | "glm5-next" => {
                shape.is_own(layer) && !recurrent(layer)
            }
            _ => !recurrent(layer),
        };
        let mut caches = self.attention(attends)?;
        if shape.memory == Memory::HybridIndexed && shape.indexer.width > 0 {
            let full = |layer: usize| attends(layer) && shape.indexer.layers[layer];
            caches.push(self.indexer(full, true)?);
        }
        caches.push(self.recurrent(recurrent));
        Ok(caches)
    }

    /// An indexer's keys: one head. Where values are kept besides, they are as wide as one head's.
    fn indexer(&self, wanted: impl Fn(usize) -> bool, keys_only: bool) -> Result<Cache, MemoryError> {
        let shape = self.shape;
        let width = shape.indexer.width.saturating_mul(shape.indexer.slots(&shape.architecture));
        let value = |layer: usize| if shape.slides(layer) { shape.window_head.1 } else { shape.head.1 };
        let row =
            |layer: usize| (if shape.slides(layer) { shape.window_head.0 } else { width }, value(layer));
        let rows: Vec<Row> = self.every().filter(|layer| wanted(*layer)).map(row).collect();
        let widest = self.every().map(value).max().unwrap_or(0);
        self.cells(CacheKind::Indexer, self.whole(), &rows, widest, keys_only)
    }

    fn indexed(&self) -> Result<Vec<Cache>, MemoryError> {
        let shape = self.shape;
        // A checkpoint of hy_v4 without an indexer.
        let has = shape.architecture != "hy_v4" || shape.indexer.top_k > 0;
        let trunk = |layer: usize| shape.architecture == "hy_v4" || shape.is_own(layer);
        let mut caches = self.attention(trunk)?;
        if has {
            caches.push(self.indexer(|layer| trunk(layer) && shape.indexer.layers[layer], shape.latent)?);
        }
        Ok(caches)
    }

    fn indexed_blocks(&self) -> Result<Vec<Cache>, MemoryError> {
        let mut caches = self.attention(|_| true)?;
        let sparse = |layer: usize| layer as u64 >= self.shape.indexer.dense_lead;
        caches.push(self.indexer(sparse, self.shape.latent)?);
        Ok(caches)
    }

    /// DeepSeek 4: each sequence has its own streams, even where a context is unified.
    fn compressed(&self) -> Result<Vec<Cache>, MemoryError> {
        let shape = self.shape;
        let (whole, streams) = (self.params.n_ctx_seq(shape.n_ctx_train), self.params.sequences());
        let window = shape.window.as_ref().map_or(0, |window| window.tokens);
        let cells = self.params.window_cells(shape.n_ctx_train, window, false);
        let mut caches =
            vec![self.cells(CacheKind::Window, (cells, streams), &self.rows(|_| true), 0, true)?];
        let head = shape.window_head.0;
        for ratio in COMPRESSIONS {
            let layers = |layer: &usize| shape.indexer.ratios[*layer] == ratio;
            let rows = self.rows(|layer| layers(&layer));
            let own = self.every().filter(|layer| shape.is_own(*layer)).filter(layers).count() as u64;
            let cells = whole.div_ceil(ratio).max(1).next_multiple_of(256);
            caches.push(self.cells(CacheKind::Compressed, (cells, streams), &rows, 0, true)?);
            // The finer one overlaps, and has an indexer.
            let (depth, wide) = if ratio == COMPRESSIONS[0] { (2 * ratio, 2) } else { (ratio, 1) };
            let plane = |width: u64| [width.saturating_mul(wide).saturating_mul(depth); 2];
            caches.push(self.states(own, streams, &plane(head)));
            if ratio == COMPRESSIONS[0] {
                let keys = vec![(shape.indexer.width, 0); rows.len()];
                caches.push(self.cells(CacheKind::Compressed, (cells, streams), &keys, 0, true)?);
                caches.push(self.states(own, streams, &plane(shape.indexer.width)));
            }
        }
        Ok(caches)
    }
}
