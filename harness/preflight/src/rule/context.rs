//! The length of the context, and the cache's types.

use gguf::memory::MemoryError;

use super::{Code, Finding, Severity, Situation};
use crate::need::tier;
use crate::size::{size, thousands};

/// 0 means the training context, which for some models has ended whole phones.
pub(super) fn no_size(at: &Situation<'_>) -> Option<Finding> {
    if at.options.n_ctx != Some(0) {
        return None;
    }
    let message = format!(
        "n_ctx is 0, which means the {} tokens that the model was trained for: {} of cache",
        thousands(at.need.shape.n_ctx_train()),
        size(at.need.usage.bytes)
    );
    let severity = if at.device.is_mobile() { Severity::Fails } else { Severity::Risk };
    let own = tier(at.device.ram).min(at.need.shape.n_ctx_train().max(1));
    let finding = Finding::new(Code::NoContextSize, severity, message);
    Some(finding.cure(format!("say how long it may be: n_ctx = {}", thousands(own))))
}

/// More than apps dare with so little memory.
pub(super) fn tier_of_memory(at: &Situation<'_>) -> Option<Finding> {
    let most = tier(at.device.ram);
    let n_ctx = at.need.usage.n_ctx_seq;
    if !at.device.is_mobile() || n_ctx <= most || at.options.n_ctx == Some(0) {
        return None;
    }
    let message = format!(
        "{} tokens of context; apps keep to {} on a device with {} GB",
        thousands(n_ctx),
        thousands(most),
        at.device.ram
    );
    let finding = Finding::new(Code::ContextTier, Severity::Advice, message);
    Some(finding.cure(format!("n_ctx = {} leaves room for other apps", thousands(most))))
}

/// More than the model was trained for.
pub(super) fn beyond_training(at: &Situation<'_>) -> Option<Finding> {
    let trained = at.need.shape.n_ctx_train();
    let asked = at.options.n_ctx.filter(|asked| *asked > trained && trained > 0)?;
    let message = format!(
        "{} tokens are more than the {} that the model was trained for: answers decay beyond",
        thousands(asked),
        thousands(trained)
    );
    let finding = Finding::new(Code::BeyondTraining, Severity::Advice, message);
    Some(finding.cure(format!("n_ctx = {}", thousands(trained))))
}

/// llama.cpp refuses to make such a context.
pub(super) fn quantised_v(at: &Situation<'_>) -> Option<Finding> {
    let error = at.need.unfit.as_ref().filter(|error| matches!(error, MemoryError::QuantisedV { .. }))?;
    let finding = Finding::new(Code::QuantisedV, Severity::Fails, error.to_string());
    let finding =
        if at.options.flash_attention { finding } else { finding.cure("leave flash attention on (auto)") };
    Some(finding.cure("keep the values in f16, and quantise the keys alone"))
}

/// Types that do not fit the model, or each other.
pub(super) fn kv_types(at: &Situation<'_>) -> Option<Finding> {
    let error = at.need.unfit.as_ref().filter(|error| !matches!(error, MemoryError::QuantisedV { .. }))?;
    Some(Finding::new(Code::KvTypes, Severity::Fails, error.to_string()).cure("keep the cache in f16"))
}

/// A window's cache that is as long as the context.
pub(super) fn swa_full(at: &Situation<'_>) -> Option<Finding> {
    let window = at.need.shape.sliding_window().filter(|_| at.options.swa_full)?;
    let saving = at.savings().into_iter().find(|(_, words)| words.contains("swa_full"))?.0;
    let message = format!(
        "layers with a window of {} tokens keep {} of them, the C interface's default: {} more than they look at",
        thousands(window),
        thousands(at.need.usage.n_ctx_seq),
        size(saving)
    );
    Some(
        Finding::new(Code::SwaFull, Severity::Advice, message)
            .cure("set swa_full = false, unless you shift or cut the context"),
    )
}

/// The share of a context that history may take: an app that trims to it found answers from further back.
const HISTORY: f64 = 0.68;

/// How much of a conversation to send.
pub(super) fn history(at: &Situation<'_>) -> Option<Finding> {
    let n_ctx = at.need.usage.n_ctx_seq;
    if at.need.usage.caches.is_empty() {
        return None;
    }
    let budget = (n_ctx as f64 * HISTORY) as u64;
    let message = format!(
        "of {} tokens, trim the history to {}: a full context loses what was said early",
        thousands(n_ctx),
        thousands(budget)
    );
    Some(Finding::new(Code::HistoryBudget, Severity::Note, message))
}
