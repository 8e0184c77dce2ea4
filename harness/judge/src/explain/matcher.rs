//! All patterns at once over one line.

use std::sync::LazyLock;

use regex::bytes::{Captures, Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use super::words::fill;
use super::{Signature, When, signatures};

/// Bytes that all patterns together may take up compiled, and bytes of their search's cache.
const SET_BYTES: usize = 32 * 1024 * 1024;

/// The signatures that are patterns, compiled. The regex crate's search is linear in the line's length.
pub(super) struct Matcher {
    set: RegexSet,
    patterns: Vec<(&'static Signature, Regex)>,
}

/// A signature that fits a line.
pub(super) struct Hit {
    pub(super) signature: &'static Signature,
    pub(super) meaning: String,
}

static MATCHER: LazyLock<Matcher> = LazyLock::new(|| {
    let patterns: Vec<_> = signatures()
        .iter()
        .filter_map(|signature| match &signature.when {
            When::Pattern(pattern) => Some((signature, compile(pattern))),
            When::Rule(_) => None,
        })
        .collect();
    let set = compile_set(patterns.iter().map(|(_, regex)| regex.as_str()));
    Matcher { set, patterns }
});

/// A pattern over bytes: letters, digits and word boundaries are ASCII's, which keeps the search of many patterns
/// at once fast on any text.
pub(super) fn compile(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).unicode(false).build().expect("patterns are part of the program: tested")
}

/// All `patterns` at once, as [`compile`] compiles each.
pub(super) fn compile_set<'a>(patterns: impl Iterator<Item = &'a str>) -> RegexSet {
    let mut builder = RegexSetBuilder::new(patterns);
    builder.unicode(false).size_limit(SET_BYTES).dfa_size_limit(SET_BYTES);
    builder.build().expect("patterns are part of the program: tested")
}

impl Matcher {
    /// The one matcher.
    pub(super) fn get() -> &'static Self {
        &MATCHER
    }

    /// What fits `line`: the specific signatures, or, where there are none, the general ones.
    pub(super) fn hits(&self, line: &str) -> Vec<Hit> {
        let fitting: Vec<_> =
            self.set.matches(line.as_bytes()).iter().map(|index| &self.patterns[index]).collect();
        let specific = fitting.iter().any(|(signature, _)| !signature.general);
        let beaten = |signature: &Signature| {
            signature.general && specific
                || fitting.iter().any(|(other, _)| signature.unless.contains(&other.id))
        };
        fitting
            .iter()
            .filter(|(signature, _)| !beaten(signature))
            .filter_map(|(signature, regex)| {
                let captures = regex.captures(line.as_bytes())?;
                Some(Hit {
                    signature,
                    meaning: fill(&signature.meaning, |name| group(regex, &captures, name)),
                })
            })
            .collect()
    }
}

/// What the group `name` caught, or `name2`, `name3` … in another branch of the pattern.
fn group(regex: &Regex, captures: &Captures<'_>, name: &str) -> Option<String> {
    let base = |group: &str| group.trim_end_matches(|c: char| c.is_ascii_digit()) == name;
    let groups = regex.capture_names().flatten().filter(|group| base(group));
    groups
        .filter_map(|group| captures.name(group))
        .next()
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}
