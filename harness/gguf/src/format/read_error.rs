//! What can be wrong with a file that is being read, and where.

use std::fmt;
use std::path::PathBuf;

/// Why a GGUF file could not be read: the file, the place in it, the fault and its cure.
#[derive(Debug, thiserror::Error)]
#[error("{}: {place}, byte {offset}: {fault}", path.display())]
pub struct ReadError {
    /// The file, as it was named.
    pub path: PathBuf,
    /// What was being read.
    pub place: Place,
    /// Offset in the file.
    pub offset: u64,
    /// What is wrong.
    pub fault: Fault,
}

/// What was being read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// The first 24 bytes: magic, version and counts.
    #[default]
    Header,
    /// The key with this index, whose name is not known yet.
    Key(u64),
    /// The value of this key.
    Value(String),
    /// The tensor with this index, whose name is not known yet.
    TensorName(u64),
    /// The description of this tensor.
    Tensor(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("header"),
            Self::Key(index) => write!(f, "key {index}"),
            Self::Value(key) => write!(f, "value of \"{key}\""),
            Self::TensorName(index) => write!(f, "name of tensor {index}"),
            Self::Tensor(name) => write!(f, "tensor \"{name}\""),
        }
    }
}

/// What is wrong. The header of a file is everything before the weights.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The file system refused.
    #[error("{0}; check the path and its permissions")]
    Io(#[from] std::io::Error),
    /// Another kind of file.
    #[error("begins with {0:02x?}, not with \"GGUF\"; give a GGUF model file")]
    Magic([u8; 4]),
    /// Written on a machine of the other byte order.
    #[error("is a big-endian file; convert the model on a little-endian machine")]
    BigEndian,
    /// A version that this reader does not know.
    #[error("has version {0}, known are 2 and 3; convert the model again with a current llama.cpp")]
    Version(u32),
    /// The file ends before the header does.
    #[error("needs {needed} bytes, the file has {left} left; it is cut off or damaged, fetch it again")]
    Ended {
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// More of something than the rest of the file could hold.
    #[error(
        "claims {claimed} {what}, the {left} bytes left hold at most {most}; the file is damaged, fetch it again"
    )]
    Count {
        /// What is counted.
        what: &'static str,
        /// How many the file claims.
        claimed: u64,
        /// How many fit.
        most: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// A header too large to be meant.
    #[error("has metadata of more than {0} bytes; no model needs that, fetch the file again")]
    HeaderTooLarge(u64),
    /// A name too long to be meant.
    #[error("has a name of {claimed} bytes, at most {most} are allowed; the file is damaged, fetch it again")]
    NameTooLong {
        /// Bytes that the file claims.
        claimed: u64,
        /// Most bytes that a name can have.
        most: u64,
    },
    /// Text that is no UTF-8.
    #[error("is no UTF-8 text; convert the model again")]
    NotUtf8,
    /// A value type that this reader does not know.
    #[error("has the unknown value type {0}; the file is damaged or newer than this reader")]
    ValueType(u32),
    /// A truth value that is neither 0 nor 1.
    #[error("is the truth value {0}, not 0 or 1; the file is damaged, fetch it again")]
    NotBool(u8),
    /// Arrays within arrays without end.
    #[error("nests arrays more than {0} deep; the file is damaged, fetch it again")]
    TooDeep(usize),
    /// A tensor type that this reader does not know.
    #[error("has the unknown tensor type {0}; the file is damaged or newer than this reader")]
    TensorType(u32),
    /// More dimensions than ggml has.
    #[error("has {0} dimensions, ggml knows 1 to 4; the file is damaged, fetch it again")]
    Rank(u32),
    /// Dimensions that no tensor can have.
    #[error(
        "of type {kind} cannot have dimensions {dims:?}: a row is whole blocks and a tensor below 2^63 bytes"
    )]
    Dims {
        /// ggml's name of the type.
        kind: &'static str,
        /// The dimensions, the row length first.
        dims: Vec<u64>,
    },
    /// A name that was there before.
    #[error("is there twice; convert the model again")]
    Twice,
    /// An alignment that is none.
    #[error("is no power of two from 1 to 2^31 as u32; convert the model again")]
    Alignment,
}
