//! One cache: as many cells as it has, in as many layers.

use super::shape::Shape;
use super::{ContextParams, MemoryError};
use crate::TensorType;

/// What ggml rounds the size of a tensor up to, in bytes: `TENSOR_ALIGNMENT` of the CPU, and Metal's.
const ALIGNMENT: u64 = 32;

/// What a cache holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CacheKind {
    /// Keys and values of layers that see everything.
    Full,
    /// Keys and values of layers that see a window.
    Window,
    /// An indexer's keys.
    Indexer,
    /// Keys of several tokens in one cell.
    Compressed,
    /// States, one for each sequence.
    State,
}

/// What one cache of a context takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// What it holds.
    pub kind: CacheKind,
    /// Layers that it serves.
    pub layers: u64,
    /// Cells in one stream; for states, rows.
    pub cells: u64,
    /// Streams.
    pub streams: u64,
    /// Bytes that llama.cpp allocates for it.
    pub bytes: u64,
    /// Bytes of one cell over all its layers.
    pub cell_bytes: u64,
    /// Bytes of its largest tensor, which must fit into one buffer.
    pub largest: u64,
}

/// A layer's widths of a cell: keys, values; in elements.
pub(super) type Row = (u64, u64);

/// What all caches of a context have in common.
#[derive(Clone, Copy)]
pub(super) struct Maker<'a> {
    pub(super) shape: &'a Shape,
    pub(super) params: &'a ContextParams,
}

impl Maker<'_> {
    /// A cache of `cells` cells with these rows. Without flash attention all values are as wide as the `widest`.
    pub(super) fn cells(
        &self,
        kind: CacheKind,
        (cells, streams): (u64, u64),
        rows: &[Row],
        widest: u64,
        keys_only: bool,
    ) -> Result<Cache, MemoryError> {
        let (mut bytes, mut cell_bytes, mut largest) = (0_u64, 0_u64, 0);
        for &(k, v) in rows {
            let v = if self.params.flash_attention { v } else { widest };
            let values = (!keys_only).then_some((self.params.type_v, v));
            for (kind, width) in [Some((self.params.type_k, k)), values].into_iter().flatten() {
                let row = row_bytes(kind, width)?;
                cell_bytes = cell_bytes.saturating_add(row);
                let tensor = padded(product(&[row, cells, streams]));
                bytes = bytes.saturating_add(tensor);
                largest = largest.max(tensor);
            }
        }
        Ok(Cache { kind, layers: rows.len() as u64, cells, streams, bytes, cell_bytes, largest })
    }

    /// States of `rows` rows: in each of `layers` layers tensors of these many 32-bit elements a row.
    pub(super) fn states(&self, layers: u64, rows: u64, elements: &[u64]) -> Cache {
        let each = |elements: &u64| padded(product(&[*elements, 4, rows]));
        let layer = elements.iter().map(each).fold(0, u64::saturating_add);
        let cell: u64 =
            elements.iter().map(|elements| elements.saturating_mul(4)).fold(0, u64::saturating_add);
        Cache {
            kind: CacheKind::State,
            layers,
            cells: rows,
            streams: 1,
            bytes: layer.saturating_mul(layers),
            cell_bytes: cell.saturating_mul(layers),
            largest: elements.iter().map(each).max().unwrap_or(0),
        }
    }
}

fn row_bytes(kind: TensorType, width: u64) -> Result<u64, MemoryError> {
    if !width.is_multiple_of(kind.block_elements()) {
        return Err(MemoryError::Blocks { kind, block: kind.block_elements(), width });
    }
    kind.bytes(&[width]).ok_or(MemoryError::TooLarge)
}

fn product(factors: &[u64]) -> u64 {
    factors.iter().copied().fold(1, u64::saturating_mul)
}

const fn padded(bytes: u64) -> u64 {
    match bytes.checked_next_multiple_of(ALIGNMENT) {
        Some(bytes) => bytes,
        None => u64::MAX,
    }
}
