//! Why the memory of a model cannot be computed.

use crate::TensorType;

/// Why the memory of a model cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// A key without which llama.cpp does not load the model.
    #[error("the file has no key \"{key}\", which llama.cpp demands; convert the model again")]
    MissingKey {
        /// The key.
        key: String,
    },
    /// A value of the wrong type, or a list of the wrong length.
    #[error("the key \"{key}\" {problem}; convert the model again")]
    BadValue {
        /// The key.
        key: String,
        /// What is wrong with its value.
        problem: String,
    },
    /// More than 63 bits can count.
    #[error(
        "the sizes in the file multiply to more than any machine has; the file is damaged or not what it says"
    )]
    TooLarge,
    /// An architecture whose memory belongs to another model's context.
    #[error(
        "a model of the architecture \"{architecture}\" works inside another model's context; give that model instead"
    )]
    NeedsAnother {
        /// The architecture.
        architecture: String,
    },
    /// Quantised values without flash attention.
    #[error("values in {kind} need flash attention, which is off: llama.cpp makes no context")]
    QuantisedV {
        /// Their type.
        kind: TensorType,
    },
    /// Latent attention with keys in one type and values in another.
    #[error(
        "the model keeps keys alone, and its cache takes one type, not {k} and {v}: llama.cpp makes no context"
    )]
    DifferentTypes {
        /// The keys' type.
        k: TensorType,
        /// The values' type.
        v: TensorType,
    },
    /// An element type of the cache that does not divide a head.
    #[error(
        "a cache in {kind} needs whole blocks of {block} elements, and this model has heads of {width}: llama.cpp \
         makes no context"
    )]
    Blocks {
        /// The type.
        kind: TensorType,
        /// Elements in its block.
        block: u64,
        /// Elements in a head, or in all heads.
        width: u64,
    },
}

impl MemoryError {
    /// Whether the model could have a context, only not with such a cache.
    pub const fn is_of_the_cache_types(&self) -> bool {
        matches!(self, Self::Blocks { .. } | Self::QuantisedV { .. } | Self::DifferentTypes { .. })
    }
}
