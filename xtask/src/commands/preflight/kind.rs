//! Element types of the cache, from one room's words to another's.

use gguf::TensorType;
use wire::KvType;

use crate::flags::KvKind;

/// The type that a flag names.
pub(super) const fn of_flag(kind: KvKind) -> TensorType {
    match kind {
        KvKind::F32 => TensorType::F32,
        KvKind::F16 => TensorType::F16,
        KvKind::Bf16 => TensorType::BF16,
        KvKind::Q8 => TensorType::Q8_0,
        KvKind::Q51 => TensorType::Q5_1,
        KvKind::Q50 => TensorType::Q5_0,
        KvKind::Q41 => TensorType::Q4_1,
        KvKind::Q40 => TensorType::Q4_0,
        KvKind::Iq4Nl => TensorType::IQ4_NL,
    }
}

/// The type that a probe is asked for.
pub(super) const fn of_wire(kind: KvType) -> TensorType {
    match kind {
        KvType::F32 => TensorType::F32,
        KvType::F16 => TensorType::F16,
        KvType::Q8_0 => TensorType::Q8_0,
        KvType::Q4_0 => TensorType::Q4_0,
    }
}

/// The type to ask a probe for; `None` where probes know no such type.
pub(super) const fn to_wire(kind: TensorType) -> Option<KvType> {
    Some(match kind {
        TensorType::F32 => KvType::F32,
        TensorType::F16 => KvType::F16,
        TensorType::Q8_0 => KvType::Q8_0,
        TensorType::Q4_0 => KvType::Q4_0,
        _ => return None,
    })
}
