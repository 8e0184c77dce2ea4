//! Entitlements, and how well the device is known.

use super::{Code, Finding, Severity, Situation};
use crate::entitlements::{EXTENDED_VIRTUAL_ADDRESSING, INCREASED_MEMORY_LIMIT};

/// Asked for, and not granted: the signature is not valid there.
pub(super) fn not_granted(at: &Situation<'_>) -> Option<Finding> {
    let refused = at.rights.refused();
    if refused.is_empty() {
        return None;
    }
    let message = format!(
        "the app asks for {} and its profile does not grant it: it is not installed, or the limit stays",
        refused.join(" and ")
    );
    Some(
        Finding::new(Code::EntitlementNotGranted, Severity::Fails, message)
            .cure("switch the capability on for the app's identifier, and make the profile again"),
    )
}

/// Not asked for, although it would raise a limit of this device.
pub(super) fn missing(at: &Situation<'_>) -> Option<Finding> {
    if !at.rights.known || !at.device.is_mobile() {
        return None;
    }
    let raises = |key: &&&str| match **key {
        EXTENDED_VIRTUAL_ADDRESSING => at.device.limits.address_space.with.is_some(),
        INCREASED_MEMORY_LIMIT => at.device.limits.app_memory.with.is_some(),
        _ => false,
    };
    let missing = at.rights.missing();
    let missing: Vec<&str> = missing.iter().filter(raises).copied().collect();
    if missing.is_empty() {
        return None;
    }
    let message = format!("the app does not ask for {}", missing.join(" and "));
    let finding = Finding::new(Code::EntitlementMissing, Severity::Advice, message);
    Some(finding.cure("add it in Xcode: Signing & Capabilities"))
}

/// A device that is known by its memory alone.
pub(super) fn by_memory(at: &Situation<'_>) -> Option<Finding> {
    if !at.device.by_ram {
        return None;
    }
    let message =
        format!("{} is not listed: its limits are those of others with {} GB", at.device.name, at.device.ram);
    let finding = Finding::new(Code::DeviceByMemory, Severity::Note, message);
    Some(finding.cure("measure on the device, and pass the file with --measured"))
}
