//! How far two subjects may be apart: data, in cases/tolerances.json, each with a reason.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Distance;
use crate::globs::fits;
use crate::input::{self, InputError};

/// The largest distance that is no finding. Every bound has its reason in `why`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// What it is called; `default` is for whomever no other one is.
    pub name: String,
    /// Glob over backends' names; left out: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// Glob over models' names; left out: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Glob over the names of variants; left out: cases themselves, and variants that have no tolerance of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// NMSE of the logits at one position.
    pub nmse: f64,
    /// KL divergence at one position in nats.
    pub kl: f64,
    /// Change of an end-of-generation token's log-probability in nats.
    pub eog: f64,
    /// Logit margin between the two most likely tokens below which either may be chosen.
    pub near_tie: f32,
    /// Where the numbers come from.
    pub why: String,
}

impl Tolerance {
    /// How many of backend, model and variant it names.
    fn names(&self) -> usize {
        [&self.backend, &self.model, &self.variant].into_iter().filter(|glob| glob.is_some()).count()
    }

    /// Which bounds `distance` exceeds, with the numbers; `worst` is the largest NMSE around.
    pub fn exceeded(&self, distance: &Distance, worst: f64) -> String {
        let mut words = Vec::new();
        if distance.nmse > self.nmse {
            let worst =
                if worst > distance.nmse { format!(", at worst {}", number(worst)) } else { String::new() };
            words.push(format!("NMSE {}{worst}, limit {}", number(distance.nmse), number(self.nmse)));
        }
        if distance.kl > self.kl && words.is_empty() {
            words.push(format!("KL divergence {}, limit {}", number(distance.kl), number(self.kl)));
        }
        words.join("; ")
    }
}

/// Two digits that count: `0.83`, `1e-4`, `2.4e-3`.
fn number(value: f64) -> String {
    if value >= 0.01 {
        return format!("{value:.2}");
    }
    let text = format!("{value:.1e}");
    text.replace(".0e", "e")
}

/// All tolerances.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerances(Vec<Tolerance>);

/// Why tolerances.json cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ToleranceError {
    /// It cannot be read, or does not parse.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It parses and breaks a rule.
    #[error("{}: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Which rule.
        problem: &'static str,
    },
}

impl Tolerances {
    /// Reads `path`.
    ///
    /// # Errors
    /// When it cannot be read, does not parse, is not sorted by name, lacks `default`, or a reason is missing.
    pub fn read(path: &Path) -> Result<Self, ToleranceError> {
        let list: Vec<Tolerance> = input::json(path)?;
        let invalid = |problem| ToleranceError::Invalid { path: path.to_owned(), problem };
        if !list.is_sorted_by(|a, b| a.name < b.name) {
            return Err(invalid("tolerances must be sorted by name, without duplicates"));
        }
        let is_default = |tolerance: &Tolerance| tolerance.name == "default" && tolerance.names() == 0;
        if !list.iter().any(is_default) {
            return Err(invalid(
                "there must be a tolerance called default, for any backend, model and variant",
            ));
        }
        if list.iter().any(|tolerance| tolerance.why.trim().is_empty()) {
            return Err(invalid("every tolerance needs a why"));
        }
        Ok(Self(list))
    }

    /// The tolerance for `model` on `backend`, asked under `variant`: the one that names most of the three, of several
    /// the loosest, else `default`.
    pub fn of(&self, backend: &str, model: &str, variant: Option<&str>) -> &Tolerance {
        let fits = |glob: &Option<String>, text: Option<&str>| {
            glob.as_ref().is_none_or(|glob| text.is_some_and(|text| fits(glob, text)))
        };
        let candidates = self.0.iter().filter(|tolerance| {
            fits(&tolerance.backend, Some(backend))
                && fits(&tolerance.model, Some(model))
                && fits(&tolerance.variant, variant)
        });
        let order = |a: &&Tolerance, b: &&Tolerance| {
            a.names().cmp(&b.names()).then(a.nmse.total_cmp(&b.nmse)).then(a.kl.total_cmp(&b.kl))
        };
        candidates.max_by(order).expect("default fits everything: checked when reading")
    }

    /// All of them, sorted by name.
    pub fn all(&self) -> &[Tolerance] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Tolerances, ToleranceError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), json).unwrap();
        Tolerances::read(file.path())
    }

    fn one(name: &str, rest: &str) -> String {
        format!(r#"{{"name":"{name}","nmse":1,"kl":1,"eog":1,"near_tie":1,"why":"w"{rest}}}"#)
    }

    #[test]
    fn the_most_specific_one_counts() {
        let list = [
            one("a", r#","model":"q*","backend":"vulkan""#),
            one("default", ""),
            one("q", r#","model":"q*""#),
            one("v", r#","variant":"kv-*""#).replace("\"nmse\":1", "\"nmse\":2"),
        ];
        let list = read(&format!("[{}]", list.join(","))).unwrap();
        let name = |backend, model| list.of(backend, model, None).name.as_str();
        let variant = |backend, model, variant| list.of(backend, model, Some(variant)).name.as_str();
        assert_eq!(name("cpu", "random"), "default");
        assert_eq!(name("cpu", "q4"), "q");
        assert_eq!(name("vulkan", "q4"), "a");
        assert_eq!(name("vulkan", "random"), "default");
        assert_eq!(variant("cpu", "random", "kv-q4_0"), "v");
        assert_eq!(variant("cpu", "q4", "kv-q4_0"), "v", "of two that name as much the loosest");
        assert_eq!(variant("vulkan", "q4", "kv-q4_0"), "a");
        assert_eq!(variant("cpu", "random", "batch-7"), "default");
    }

    #[test]
    fn each_rule_is_kept() {
        let default = one("default", "");
        let table = [
            (format!("[{default},{}]", one("a", "")), "sorted by name"),
            (format!("[{}]", one("a", r#","model":"x""#)), "called default"),
            (format!("[{}]", one("default", r#","model":"x""#)), "called default"),
            (format!("[{}]", default.replace("\"w\"", "\" \"")), "needs a why"),
            (format!("[{}]", default.replace("nmse", "nsme")), "unknown field `nsme`"),
        ];
        for (json, problem) in table {
            let error = read(&json).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in
            [(0.83, "0.83"), (1e-4, "1e-4"), (2.44e-3, "2.4e-3"), (1.0, "1.00"), (0.0, "0e0")]
        {
            assert_eq!(number(value), text);
        }
    }
}
