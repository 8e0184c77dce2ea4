//! One file of a Hugging Face repository.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::Places;

/// What a reference on the command line begins with.
const PREFIX: &str = "hf:";
/// The revision that is meant where none is named.
const MAIN: &str = "main";

/// `hf:OWNER/REPO/FILE.gguf[@REVISION]`. The file may lie in folders of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubFile {
    repo: String,
    file: String,
    revision: String,
}

/// Why a reference names no file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{reference}\" names no file of a Hugging Face repository: {problem}; write hf:OWNER/REPO/FILE.gguf[@REVISION]"
)]
pub struct HubFileError {
    /// What was written.
    pub reference: String,
    /// What is wrong with it.
    pub problem: &'static str,
}

impl HubFile {
    /// Whether `text` wants to be such a reference.
    pub fn is_meant(text: &str) -> bool {
        text.starts_with(PREFIX)
    }

    /// The file `file` of `source`, which is `OWNER/REPO[@REVISION]`, as models.json spells it.
    ///
    /// # Errors
    /// When one of the two is malformed.
    pub fn of_source(source: &str, file: &str) -> Result<Self, HubFileError> {
        match source.split_once('@') {
            Some((repo, revision)) => format!("{PREFIX}{repo}/{file}@{revision}"),
            None => format!("{PREFIX}{source}/{file}"),
        }
        .parse()
    }

    /// `OWNER/REPO`.
    pub fn repo(&self) -> &str {
        &self.repo
    }

    /// The file's path in the repository.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// A branch, a tag or a commit.
    pub fn revision(&self) -> &str {
        &self.revision
    }

    /// Where it lies once it is fetched without standing in models.json.
    pub fn path(&self, places: &Places) -> PathBuf {
        places.hub().join(&self.repo).join(self.revision.replace('/', "%2F")).join(&self.file)
    }

    /// The file that lies at `path`, if one of the hub's can lie there.
    pub fn at(path: &Path, places: &Places) -> Option<Self> {
        let inside = path.strip_prefix(places.hub()).ok()?.to_str()?;
        let [owner, repo, revision, file] = inside.splitn(4, '/').collect::<Vec<_>>().try_into().ok()?;
        format!("{PREFIX}{owner}/{repo}/{file}@{}", revision.replace("%2F", "/")).parse().ok()
    }
}

impl fmt::Display for HubFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}/{}", self.repo, self.file)?;
        if self.revision == MAIN { Ok(()) } else { write!(f, "@{}", self.revision) }
    }
}

impl FromStr for HubFile {
    type Err = HubFileError;

    fn from_str(reference: &str) -> Result<Self, HubFileError> {
        let wrong = |problem| HubFileError { reference: reference.to_owned(), problem };
        let rest = reference.strip_prefix(PREFIX).ok_or_else(|| wrong("it does not begin with hf:"))?;
        let (path, revision) = rest.split_once('@').unwrap_or((rest, MAIN));
        let parts: Vec<_> = path.split('/').chain(revision.split('/')).collect();
        if !parts.iter().all(|part| is_plain(part)) {
            return Err(wrong("a part is empty, or holds more than letters, digits, '.', '-' and '_'"));
        }
        let [owner, repo, file] = path
            .splitn(3, '/')
            .collect::<Vec<_>>()
            .try_into()
            .map_err(|_| wrong("it has not three parts: owner, repository, file"))?;
        if !file.ends_with(".gguf") {
            return Err(wrong("the file is no .gguf"));
        }
        Ok(Self { repo: format!("{owner}/{repo}"), file: file.to_owned(), revision: revision.to_owned() })
    }
}

/// Whether `part` can stand in a path and in an address without being anything else there.
fn is_plain(part: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    !part.is_empty() && !part.chars().all(|c| c == '.') && part.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn places() -> Places {
        Places { fixtures: "/fixtures".into(), models: "/models".into() }
    }

    #[test]
    fn references_and_their_places() {
        let table = [
            ("hf:o/r/m.gguf", "/models/hf/o/r/main/m.gguf"),
            ("hf:o/r/Q4/m.gguf@v1.0", "/models/hf/o/r/v1.0/Q4/m.gguf"),
            ("hf:o/r/m.gguf@refs/pr/1", "/models/hf/o/r/refs%2Fpr%2F1/m.gguf"),
        ];
        for (reference, path) in table {
            let file: HubFile = reference.parse().unwrap();
            assert_eq!(file.to_string(), reference);
            assert_eq!(file.path(&places()), Path::new(path));
            assert_eq!(HubFile::at(Path::new(path), &places()), Some(file));
        }
        assert_eq!(HubFile::of_source("o/r@v1", "m.gguf").unwrap().to_string(), "hf:o/r/m.gguf@v1");
        assert_eq!(HubFile::of_source("o/r", "m.gguf").unwrap().to_string(), "hf:o/r/m.gguf");
    }

    #[test]
    fn what_is_no_reference_says_what_one_is() {
        let table = [
            ("o/r/m.gguf", "does not begin with hf:"),
            ("hf:o/m.gguf", "not three parts"),
            ("hf:o/r/m.bin", "no .gguf"),
            ("hf:o/../m.gguf", "a part is empty"),
            ("hf:o//m.gguf", "a part is empty"),
            ("hf:o/r/m.gguf@", "a part is empty"),
            ("hf:o/r/m m.gguf", "a part is empty"),
            ("hf:o/r/m.gguf@a@b", "a part is empty"),
            ("hf:o/r/m.gguf?download=1", "a part is empty"),
        ];
        for (reference, problem) in table {
            let error = reference.parse::<HubFile>().unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
            assert!(error.ends_with("write hf:OWNER/REPO/FILE.gguf[@REVISION]"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn a_reference_never_leaves_the_folder(text in "hf:[a./%@-]{0,12}/[a./%]{0,8}.gguf") {
            if let Ok(file) = text.parse::<HubFile>() {
                let path = file.path(&places());
                prop_assert!(path.starts_with("/models/hf"));
                prop_assert!(path.components().all(|part| part != std::path::Component::ParentDir));
                prop_assert_eq!(HubFile::at(&path, &places()), Some(file));
            }
        }
    }
}
