//! One known failure.

use serde::{Deserialize, Serialize};
use wire::Card;

use crate::finding::Code;
use crate::globs::fits;

/// One known failure. All globs match whole words: `*` for anything.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFailure {
    /// Glob over case ids.
    pub case: String,
    /// The finding that is known.
    pub finding: Code,
    /// Glob over the models' names; all, where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// On which subjects.
    pub subject: SubjectMatch,
    /// Whether it must fail, or may.
    pub stance: Stance,
    /// Why it fails.
    pub reason: String,
    /// Where that is reported.
    pub link: String,
}

/// Which subjects a known failure is about; what is left out matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SubjectMatch {
    /// Glob over the backend's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// Glob over the description of any of its devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Glob over its operating system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// llama.cpp builds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub builds: Option<Builds>,
}

/// A range of llama.cpp build numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Builds {
    /// The first build.
    pub from: u32,
    /// The last; left out while it is not mended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u32>,
}

/// How sure a known failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stance {
    /// It fails every time: if it passes, the entry is stale.
    MustFail,
    /// It fails now and then.
    MayFail,
}

impl KnownFailure {
    /// Whether this entry is about `case` with `model` on the subject with `card`.
    pub fn is_about(&self, case: &str, model: &str, card: &Card) -> bool {
        let fits_model = self.model.as_ref().is_none_or(|glob| fits(glob, model));
        fits(&self.case, case) && fits_model && self.subject.fits(card)
    }
}

impl SubjectMatch {
    /// Whether the subject with `card` is meant.
    pub fn fits(&self, card: &Card) -> bool {
        let globs = |glob: &Option<String>, text: &str| glob.as_ref().is_none_or(|glob| fits(glob, text));
        let device =
            self.device.is_none() || card.devices.iter().any(|d| globs(&self.device, &d.description));
        let number = card.llama_build.or_else(|| build_number(&card.llama_version));
        let build = self.builds.is_none_or(|builds| number.is_some_and(|number| builds.hold(number)));
        globs(&self.backend, &card.backend) && globs(&self.os, &card.os) && device && build
    }
}

impl Builds {
    fn hold(self, build: u32) -> bool {
        build >= self.from && self.to.is_none_or(|to| build <= to)
    }
}

/// The number in `b11434` or `build: 11434 (abc)`; a version such as `0.6.0-dev` has none.
fn build_number(version: &str) -> Option<u32> {
    const FEWEST_DIGITS: usize = 4;
    let numbers = version.split(|character: char| !character.is_ascii_digit() && character != '.');
    numbers.filter(|digits| digits.len() >= FEWEST_DIGITS).find_map(|digits| digits.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_says_a_build_only_where_it_has_one() {
        for (version, build) in [
            ("b11434", Some(11434)),
            ("build: 11434 (abc)", Some(11434)),
            ("b9986-7bb7141e", Some(9986)),
            ("0.6.0-dev", None),
            ("1234.5", None),
            ("none", None),
            ("", None),
        ] {
            assert_eq!(build_number(version), build, "{version}");
        }
    }
}
