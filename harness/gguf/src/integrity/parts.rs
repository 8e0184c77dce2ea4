//! The parts of a split model: how llama.cpp finds and checks them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::findings::Findings;
use super::problem::ProblemCode;
use crate::GgufFile;

/// `PREFIX-00001-of-00003.gguf`, as llama.cpp's `llama_split_path` spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PartName {
    folder: PathBuf,
    prefix: String,
    /// From 1.
    number: u64,
    count: u64,
}

impl PartName {
    /// The name of the file at `path`, if it is a part's.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let stem = path.file_name()?.to_str()?.strip_suffix(".gguf")?;
        let (rest, count) = stem.rsplit_once("-of-")?;
        let (prefix, number) = rest.rsplit_once('-')?;
        let (number, count) = (five_digits(number)?, five_digits(count)?);
        let sensible = number >= 1 && number <= count;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        sensible.then(|| Self { folder, prefix: prefix.to_owned(), number, count })
    }

    /// All parts in order.
    pub(super) fn all(&self) -> impl Iterator<Item = PathBuf> + '_ {
        (1..=self.count)
            .map(|number| self.folder.join(format!("{}-{number:05}-of-{:05}.gguf", self.prefix, self.count)))
    }
}

fn five_digits(text: &str) -> Option<u64> {
    let digits = text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// Compares what one part's file says with its name.
pub(super) fn judge_one(file: &GgufFile, findings: &mut Findings<'_>) {
    let count = file.u64("split.count").unwrap_or(0);
    match PartName::of(file.path()) {
        None if count > 1 => findings.add(
            ProblemCode::PartMismatch,
            None,
            None,
            format!(
                "is part {} of {count}, but llama.cpp finds the others by the name \
                 NAME-00001-of-{count:05}.gguf; give every part its own name again",
                file.u64("split.no").map_or(0, |number| number.saturating_add(1))
            ),
        ),
        Some(name) => {
            let number = file.u64("split.no").map(|number| number.saturating_add(1));
            if (number, count) != (Some(name.number), name.count) {
                let said = match (number, count) {
                    (Some(number), 1..) => format!("part {number} of {count}"),
                    _ => "a whole model".to_owned(),
                };
                let message = format!(
                    "is named part {} of {}, but says that it is {said}; give the file its own name again",
                    name.number, name.count
                );
                findings.add(ProblemCode::PartMismatch, None, None, message);
            }
        }
        None => {}
    }
}

/// Says which parts are missing, by number.
pub(super) fn judge_missing(missing: &[PathBuf], all: usize, findings: &mut Findings<'_>) {
    let Some(first) = missing.first() else { return };
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    let message = format!(
        "{} of {all} parts are not there, first {name}; fetch all parts into one folder",
        missing.len()
    );
    findings.add(ProblemCode::PartMissing, None, None, message);
}

/// Compares the parts with each other: the same model, every tensor once, as many as the first says.
pub(super) fn judge_together(parts: &[GgufFile], findings: &mut Findings<'_>) {
    let mut names = HashSet::new();
    let twice = parts.iter().flat_map(GgufFile::tensors).find(|tensor| !names.insert(&tensor.name));
    if let Some(tensor) = twice {
        let message = format!("tensor \"{}\" is in two parts; split the model again", tensor.name);
        findings.add(ProblemCode::PartTensors, Some(&tensor.name), None, message);
    }
    let here: usize = parts.iter().map(|part| part.tensors().len()).sum();
    let said: HashSet<_> = parts.iter().filter_map(|part| part.u64("split.tensors.count")).collect();
    if said.len() > 1 || said.iter().any(|count| *count != here as u64) {
        let mut said: Vec<_> = said.iter().map(u64::to_string).collect();
        said.sort();
        let message = format!(
            "the parts hold {here} tensors and say {}: they are of different models, or one was exchanged; fetch all \
             parts of one revision",
            said.join(" and ")
        );
        findings.add(ProblemCode::PartTensors, None, None, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let name = PartName::of(Path::new("a/m-Q4-00002-of-00003.gguf")).unwrap();
        let all: Vec<_> = name.all().collect();
        assert_eq!(all.len(), 3);
        assert_eq!((name.number, all[0].as_path()), (2, Path::new("a/m-Q4-00001-of-00003.gguf")));
        for other in [
            "m.gguf",
            "m-2-of-3.gguf",
            "m-00004-of-00003.gguf",
            "m-00000-of-00003.gguf",
            "00001-of-00002.gguf",
        ] {
            assert_eq!(PartName::of(Path::new(other)), None, "{other}");
        }
    }
}
