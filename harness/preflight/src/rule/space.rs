//! Mapping the files.

use super::finding::over;
use super::{Code, Finding, Severity, Situation};
use crate::device::{Limit, MapReport};
use crate::entitlements::{EXTENDED_VIRTUAL_ADDRESSING, INCREASED_MEMORY_LIMIT};
use crate::size::size;

/// The file against the address space: what the system allows, and what failed although it allows it.
pub(super) fn address_space(at: &Situation<'_>) -> Option<Finding> {
    let needs = at.need.file_bytes();
    if !at.options.mmap || !at.device.is_mobile() {
        return None;
    }
    let limit = at.device.limits.address_space.get(at.maps_more())?;
    let finding = match over(needs, limit) {
        Some(severity) => {
            let message = format!(
                "mapping {} fails: an app here can map {} ({})",
                size(needs),
                size(limit.bytes),
                limit.certainty.name()
            );
            Finding::new(Code::AddressSpace, severity, message).bytes(needs, limit)
        }
        None => failed_before(at, needs)?,
    };
    Some(finding.cures(cures(at, needs)))
}

/// The smallest file that failed, where this one is as large.
fn failed_before(at: &Situation<'_>, needs: u64) -> Option<Finding> {
    if at.maps_more() {
        return None;
    }
    let larger = |report: &&MapReport| report.bytes <= needs;
    let reports = &at.device.limits.maps;
    let loaded = reports.iter().filter(|report| report.mapped).map(|report| report.bytes).max().unwrap_or(0);
    // What was mapped there says more than what failed with another kind of map.
    let failed = |read_only: bool| {
        let kind = reports.iter().filter(|report| !report.mapped && report.read_only == read_only);
        kind.filter(larger).min_by_key(|report| report.bytes)
    };
    let (report, severity) = match (failed(true), failed(false)) {
        (Some(report), _) => (report, Severity::Fails),
        (None, Some(report)) if needs > loaded => (report, Severity::Risk),
        _ => return None,
    };
    let limit = Limit {
        bytes: report.bytes.saturating_sub(1),
        certainty: crate::device::Certainty::Reported,
        source: report.source.clone(),
    };
    let kind = if report.read_only { "" } else { " (mapped to be written to, which fails earlier)" };
    let word = if severity == Severity::Fails { "fails" } else { "may fail" };
    let message = format!(
        "mapping {} {word}: {}{kind} did not map here without entitlements",
        size(needs),
        size(report.bytes)
    );
    Some(Finding::new(Code::AddressSpace, severity, message).bytes(needs, &limit))
}

/// Both keys, spelled out, unless the app has them; then less to map.
fn cures(at: &Situation<'_>, needs: u64) -> Vec<String> {
    let mut cures = Vec::new();
    let with = at.device.limits.address_space.get(true).is_some_and(|limit| needs <= limit.bytes);
    let lacks = !at.maps_more() || !at.takes_more();
    if lacks && with {
        cures.push(format!(
            "add both entitlements to the app: {EXTENDED_VIRTUAL_ADDRESSING} (needs a paid developer account) and \
             {INCREASED_MEMORY_LIMIT}"
        ));
    }
    cures.push("take a smaller quantisation, or a smaller model".to_owned());
    cures
}
