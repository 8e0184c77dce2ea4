//! The GPU's memory and the app's.

use super::finding::over;
use super::situation::APP_ITSELF;
use super::{Code, Finding, Severity, Situation};
use crate::entitlements::INCREASED_MEMORY_LIMIT;
use crate::size::{size, thousands};

/// Weights, cache and compute buffer against Metal's working set.
pub(super) fn working_set(at: &Situation<'_>) -> Option<Finding> {
    let limit = at.device.limits.working_set.as_ref().filter(|_| !at.options.cpu_only)?;
    let needs = at.on_gpu();
    let severity = over(needs, limit)?;
    let message = format!(
        "the GPU needs {} for weights, cache and computing, and may hold {} ({}): loading warns, decoding fails",
        size(needs),
        size(limit.bytes),
        limit.certainty.name()
    );
    let room = limit.bytes.checked_sub(at.need.weights.bytes);
    Some(
        Finding::new(Code::WorkingSet, severity, message)
            .bytes(needs, limit)
            .cures(shrink(at, room, needs - limit.bytes))
            .cure("offload fewer layers (n_gpu_layers), which is slower"),
    )
}

/// The largest piece against the largest buffer.
pub(super) fn buffer_cap(at: &Situation<'_>) -> Option<Finding> {
    let limit = at.device.limits.max_buffer.as_ref().filter(|_| !at.options.cpu_only)?;
    let (needs, what) = at.largest_buffer();
    let severity = over(needs, limit)?;
    let message = format!(
        "{what} takes {} in one piece, and one buffer may have {} ({}): the allocation fails or asserts",
        size(needs),
        size(limit.bytes),
        limit.certainty.name()
    );
    let cure = if needs == at.need.compute.bytes {
        let ubatch = at.need.params.n_ubatch.saturating_mul(limit.bytes) / needs.max(1);
        format!("set n_ubatch to {} or less: the compute buffer grows with it", (ubatch / 32 * 32).max(32))
    } else {
        "take a shorter context, or a smaller quantisation of that tensor".to_owned()
    };
    Some(Finding::new(Code::BufferCap, severity, message).bytes(needs, limit).cure(cure))
}

/// What the app writes to against what it may have.
pub(super) fn app_memory(at: &Situation<'_>) -> Option<Finding> {
    if !at.device.is_mobile() {
        return None;
    }
    let pair = &at.device.limits.app_memory;
    let limit = pair.get(at.takes_more())?;
    let needs = at.written();
    let severity = over(needs, limit)?;
    let message = format!(
        "the app writes to {} and is ended at {} ({})",
        size(needs),
        size(limit.bytes),
        limit.certainty.name()
    );
    let mut cures = Vec::new();
    let entitled = pair.get(true).filter(|with| with.bytes >= needs && !at.takes_more());
    if let Some(with) = entitled {
        cures.push(format!("add the entitlement {INCREASED_MEMORY_LIMIT}: then it is {}", size(with.bytes)));
    }
    if !at.options.mmap {
        cures.push("map the file: mapped weights are not counted".to_owned());
    }
    if at.options.cpu_only && at.need.weights.repacked > 0 {
        let bytes = size(at.need.weights.repacked);
        cures.push(format!("set use_extra_bufts = false: {bytes} are the weights in another order"));
    }
    let fixed = needs.saturating_sub(at.need.usage.bytes).saturating_sub(at.need.compute.bytes);
    cures.extend(shrink(at, limit.bytes.checked_sub(fixed), needs - limit.bytes));
    Some(Finding::new(Code::AppMemory, severity, message).bytes(needs, limit).cures(cures))
}

/// The sum of an app that refuses to load what does not fit with room to spare.
pub(super) fn headroom(at: &Situation<'_>) -> Option<Finding> {
    let limit = at.device.limits.app_memory.get(at.takes_more()).filter(|_| at.device.is_mobile())?;
    let needs = gate(at);
    if needs <= limit.bytes {
        return None;
    }
    let message = format!(
        "weights × 1.6 + cache + 350 MB is {}, and the app may have {}: an app in the store refuses such a model",
        size(needs),
        size(limit.bytes)
    );
    Some(
        Finding::new(Code::Headroom, Severity::Advice, message)
            .bytes(needs, limit)
            .cure("watch os_proc_available_memory(), and expect slow first tokens: weights come and go"),
    )
}

/// Weights × 1.6 + cache + 350 MB.
fn gate(at: &Situation<'_>) -> u64 {
    let weights = at.need.weights.bytes;
    let more = weights.saturating_add(weights / 10 * 6);
    more.saturating_add(at.need.usage.bytes).saturating_add(APP_ITSELF)
}

/// Ways to stay within `room` bytes of cache and compute buffer, when `over` bytes are too many.
fn shrink(at: &Situation<'_>, room: Option<u64>, over: u64) -> Vec<String> {
    let mut cures = Vec::new();
    for (bytes, words) in at.savings() {
        let enough = if bytes >= over { ", which is enough" } else { "" };
        cures.push(format!("{words}: saves {}{enough}", size(bytes)));
    }
    match room.and_then(|room| at.longest_context(room)) {
        Some(longest) if longest < at.need.usage.n_ctx_seq => {
            cures.insert(0, format!("set n_ctx to {} or less", thousands(longest)));
        }
        Some(_) => {}
        // Savings that do not suffice are no cure: they only help the smaller model that is needed first.
        None => cures.insert(
            0,
            "take a smaller quantisation, or a smaller model: no context is short enough".to_owned(),
        ),
    }
    cures
}
