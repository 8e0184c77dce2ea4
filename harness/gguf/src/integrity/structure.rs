//! What the header alone tells: extents, alignment, overlaps, names, metadata numbers.

use std::collections::{HashMap, HashSet};

use super::findings::{Findings, MOST};
use super::problem::ProblemCode;
use crate::{Defect, GgufFile, Value};

/// Says what is wrong with the header of `file`.
pub(super) fn judge(file: &GgufFile, findings: &mut Findings<'_>) {
    let defects = file.verify();
    let places = places(file, &defects);
    for defect in &defects {
        let (code, tensor) = coded(defect);
        findings.add(code, Some(tensor), places.get(tensor).copied(), defect.to_string());
    }
    trailing(file, findings);
    for (key, value) in file.metadata() {
        let number = match value {
            Value::F32(number) => f64::from(*number),
            Value::F64(number) => *number,
            _ => continue,
        };
        if !number.is_finite() {
            let message = format!("the metadata value {key} is {number}; convert the model again");
            findings.add(ProblemCode::MetadataNotFinite, None, None, message);
        }
    }
}

fn coded(defect: &Defect) -> (ProblemCode, &str) {
    match defect {
        Defect::Truncated { tensor, .. } => (ProblemCode::Truncated, tensor),
        Defect::Misaligned { tensor, .. } => (ProblemCode::Misaligned, tensor),
        Defect::Overlap { second, .. } => (ProblemCode::Overlap, second),
        Defect::Gap { tensor, .. } => (ProblemCode::Gap, tensor),
        Defect::LongName { tensor, .. } => (ProblemCode::LongName, tensor),
    }
}

/// Where the tensors of those defects that are kept begin, from the start of the file.
fn places<'a>(file: &'a GgufFile, defects: &[Defect]) -> HashMap<&'a str, u64> {
    let wanted: HashSet<&str> = defects.iter().take(MOST).map(|defect| coded(defect).1).collect();
    let hit = file.tensors().iter().filter(|tensor| wanted.contains(tensor.name.as_str()));
    hit.map(|tensor| (tensor.name.as_str(), file.data_start().saturating_add(tensor.offset))).collect()
}

/// Bytes after the last tensor, but for the padding that writers add.
fn trailing(file: &GgufFile, findings: &mut Findings<'_>) {
    let needed = file.needed_bytes().max(file.data_start().min(file.file_bytes()));
    let padded = needed.checked_next_multiple_of(file.alignment().into()).unwrap_or(u64::MAX);
    if file.file_bytes() > padded {
        let message = format!(
            "{} bytes follow the last tensor and belong to nothing: two downloads in one file, or another file's end; \
             fetch it again",
            file.file_bytes() - needed
        );
        findings.add(ProblemCode::TrailingBytes, None, Some(needed), message);
    }
}
