//! What a file says of a tensor.

use super::TensorType;

/// A tensor's place in the file. Its weights are never read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorInfo {
    /// Its name.
    pub name: String,
    /// 1 to 4 dimensions, the row length first.
    pub dims: Vec<u64>,
    /// Type of its elements.
    pub kind: TensorType,
    /// Offset of its data from the start of the file's data, in bytes.
    pub offset: u64,
    /// Length of its data in bytes, as type and dimensions ask for.
    pub bytes: u64,
}

impl TensorInfo {
    /// Where its data ends, counted as `offset`; saturates where the file lies.
    pub const fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes)
    }
}
