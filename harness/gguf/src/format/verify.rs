//! The structure of a file: does every tensor lie where llama.cpp will look for it?

use super::GgufFile;

/// Something that llama.cpp will stumble over, or, worse, not notice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// The file ends too early.
    #[error(
        "the file has {actual} bytes and needs {needed}: {} are missing, first in tensor \"{tensor}\"; fetch it again",
        needed - actual
    )]
    Truncated {
        /// The first tensor that is not whole.
        tensor: String,
        /// Bytes that the tensors ask for.
        needed: u64,
        /// Bytes that the file has.
        actual: u64,
    },
    /// A tensor that starts between two alignment steps.
    #[error("tensor \"{tensor}\" starts at {offset}, no multiple of {alignment}; convert the model again")]
    Misaligned {
        /// The tensor.
        tensor: String,
        /// Its offset from the start of the data.
        offset: u64,
        /// The file's alignment.
        alignment: u32,
    },
    /// Two tensors that share bytes.
    #[error("tensors \"{first}\" and \"{second}\" share {bytes} bytes; convert the model again")]
    Overlap {
        /// The one that starts first.
        first: String,
        /// The one that starts inside it.
        second: String,
        /// Bytes in both.
        bytes: u64,
    },
    /// A hole between two tensors: llama.cpp refuses such a file.
    #[error(
        "there are {bytes} bytes that belong to nothing before tensor \"{tensor}\"; convert the model again"
    )]
    Gap {
        /// The tensor after the hole.
        tensor: String,
        /// Its size, alignment taken off.
        bytes: u64,
    },
    /// A name that ggml cannot hold.
    #[error("the name of tensor \"{tensor}\" has {bytes} bytes, ggml holds 63; convert the model again")]
    LongName {
        /// The tensor.
        tensor: String,
        /// Length of its name.
        bytes: usize,
    },
}

/// Longest name of a tensor in bytes: `GGML_MAX_NAME` − 1.
const MAX_TENSOR_NAME: usize = 63;

impl GgufFile {
    /// Checks that all tensors lie inside the file, aligned, one after the other. What they hold is not looked at:
    /// a file with the right structure and zeroed weights passes. [`crate::integrity`] reads them.
    pub fn verify(&self) -> Vec<Defect> {
        let mut defects: Vec<Defect> = self.truncated().into_iter().collect();
        let step = u64::from(self.alignment);
        let mut sorted: Vec<_> = self.tensors.iter().collect();
        sorted.sort_by_key(|tensor| (tensor.offset, tensor.bytes));
        let mut previous_end = 0_u64;
        let mut previous_name = "";
        for tensor in sorted {
            let name = || tensor.name.clone();
            if tensor.name.len() > MAX_TENSOR_NAME {
                defects.push(Defect::LongName { tensor: name(), bytes: tensor.name.len() });
            }
            if !tensor.offset.is_multiple_of(step) {
                let (offset, alignment) = (tensor.offset, self.alignment);
                defects.push(Defect::Misaligned { tensor: name(), offset, alignment });
            }
            let expected = previous_end.checked_next_multiple_of(step).unwrap_or(u64::MAX);
            if tensor.offset > expected {
                defects.push(Defect::Gap { tensor: name(), bytes: tensor.offset - expected });
            } else if tensor.offset < previous_end && tensor.bytes > 0 {
                let bytes = previous_end.min(tensor.end()) - tensor.offset;
                defects.push(Defect::Overlap { first: previous_name.to_owned(), second: name(), bytes });
            }
            if tensor.end() >= previous_end {
                previous_end = tensor.end();
                previous_name = &tensor.name;
            }
        }
        defects
    }

    /// Bytes that the file must have to hold all its tensors.
    pub fn needed_bytes(&self) -> u64 {
        let data = self.tensors.iter().map(super::TensorInfo::end).max();
        data.map_or(0, |end| self.data_start.saturating_add(end))
    }

    fn truncated(&self) -> Option<Defect> {
        let ends = |end: u64| self.data_start.saturating_add(end) > self.file_bytes;
        let first =
            self.tensors.iter().filter(|tensor| ends(tensor.end())).min_by_key(|tensor| tensor.offset)?;
        let (needed, actual) = (self.needed_bytes(), self.file_bytes);
        Some(Defect::Truncated { tensor: first.name.clone(), needed, actual })
    }
}
