//! The weights: their type, how they come to memory, how fast they are read.

use gguf::TensorType;

use super::{Code, Finding, Severity, Situation};
use crate::architecture::{Known, closest, known};
use crate::size::size;

/// Bits of a weight in the quantisation that most apps ship (Q4_K_M), times 100.
const USUAL_BITS: u64 = 485;

/// Bytes of weights below which their type does not matter.
const SMALL: u64 = 256 << 20;

/// 16 or 32 bits a weight, on a phone.
pub(super) fn full_precision(at: &Situation<'_>) -> Option<Finding> {
    let weights = &at.need.weights;
    let kind = weights.main_type().filter(|_| at.device.is_mobile())?;
    let bits = match kind {
        TensorType::F16 | TensorType::BF16 => 16,
        TensorType::F32 => 32,
        _ => return None,
    };
    if weights.bytes < SMALL {
        return None;
    }
    let smaller = weights.bytes / (bits * 100) * USUAL_BITS;
    let message = format!(
        "the weights are in {kind}, {}: in 4 bits (Q4_K_M) they are about {}, and as much faster",
        size(weights.bytes),
        size(smaller)
    );
    let finding = Finding::new(Code::FullPrecision, Severity::Advice, message);
    Some(finding.cure("quantise the model, and compare its answers: `cargo xtask test --model FILE`"))
}

/// Read instead of mapped.
pub(super) fn mmap_off(at: &Situation<'_>) -> Option<Finding> {
    if at.options.mmap || !at.device.is_mobile() {
        return None;
    }
    let message = format!(
        "the file is read, not mapped: {} of weights count as the app's own, and loading takes as long as reading",
        size(at.need.weights.bytes)
    );
    Some(Finding::new(Code::MmapOff, Severity::Advice, message).cure("map it: llama.cpp's default"))
}

/// A copy in another order, on CPUs with dot products.
pub(super) fn cpu_repack(at: &Situation<'_>) -> Option<Finding> {
    let bytes = at.need.weights.repacked;
    if !at.options.cpu_only || bytes == 0 {
        return None;
    }
    let message = format!(
        "on the CPU, builds with dot products copy up to {} of the weights into another order (CPU_REPACK)",
        size(bytes)
    );
    let finding = Finding::new(Code::CpuRepack, Severity::Advice, message);
    Some(finding.cure("set use_extra_bufts = false where memory matters more than speed"))
}

/// Several files.
pub(super) fn split(at: &Situation<'_>) -> Option<Finding> {
    let count = at.need.files.len();
    if count < 2 {
        return None;
    }
    let message = format!(
        "the model is in {count} files, which are mapped one by one; the largest has {}",
        size(at.need.largest_file())
    );
    Some(Finding::new(Code::SplitModel, Severity::Note, message))
}

/// Tensors that do not lie where they should.
pub(super) fn damaged(at: &Situation<'_>) -> Option<Finding> {
    let (first, rest) = at.need.defects.split_first()?;
    let more = if rest.is_empty() { String::new() } else { format!(" (and {} more defects)", rest.len()) };
    let finding = Finding::new(Code::DamagedFile, Severity::Fails, format!("{first}{more}"));
    Some(finding.cure("fetch the file again, and compare its checksum"))
}

/// Experts that come from flash as they are needed.
pub(super) fn flash_rate(at: &Situation<'_>) -> Option<Finding> {
    let (rate, experts) = (at.options.tokens_per_second?, at.need.traffic.experts.as_ref()?);
    let limit = at.device.limits.flash_read.as_ref()?;
    let needs = (experts.bytes_per_token as f64 * rate) as u64;
    if needs <= limit.bytes {
        return None;
    }
    let cached = 100 - (limit.bytes as f64 / needs as f64 * 100.0) as u64;
    let message = format!(
        "{rate} tokens a second read {} of experts a second, and the flash gives {} ({}): {cached} % must come from the \
         system's page cache",
        size(needs),
        size(limit.bytes),
        limit.certainty.name()
    );
    Some(
        Finding::new(Code::FlashRate, Severity::Risk, message)
            .bytes(needs, limit)
            .cure("leave the caching to the system: an app's own cache was 38 % slower than the page cache")
            .cure("keep experts that are seldom used in 2 bits, and those often used in 4"),
    )
}

/// An architecture that llama.cpp does not have.
pub(super) fn unknown_architecture(at: &Situation<'_>) -> Option<Finding> {
    let name = at.need.shape.architecture();
    if known(name) != Known::Unknown {
        return None;
    }
    let guess = closest(name).map_or_else(String::new, |known| format!(" (\"{known}\" is the closest)"));
    let message = format!("llama.cpp b11434 has no architecture \"{name}\"{guess}: the file does not load");
    let finding = Finding::new(Code::UnknownArchitecture, Severity::Fails, message);
    Some(finding.cure("ship a llama.cpp that has it, or convert the model again"))
}

/// An architecture that no fixture builds.
pub(super) fn uncompared(at: &Situation<'_>) -> Option<Finding> {
    let name = at.need.shape.architecture();
    if known(name) != Known::Uncompared {
        return None;
    }
    let message = format!(
        "the cache of the architecture {name} is computed after llama.cpp's sources and was never compared with a load"
    );
    Some(Finding::new(Code::UncomparedArchitecture, Severity::Note, message))
}
