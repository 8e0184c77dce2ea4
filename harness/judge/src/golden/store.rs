//! The golden folder.

use std::io;
use std::path::{Path, PathBuf};

use super::Golden;
use super::pending::ACCEPTED;
use crate::input;
use crate::whole;

/// The only subject whose answers may become goldens: every CPU can build it, so anyone can make them again.
pub const MAKER: &str = "cpu-baseline";

/// The folder of goldens: `<model>/<case>.snap`, in insta's format.
#[derive(Clone, Debug)]
pub struct GoldenStore {
    root: PathBuf,
    stage: bool,
}

/// Why a golden cannot be read or staged.
#[derive(Debug, thiserror::Error)]
pub enum GoldenError {
    /// It is no snapshot, or holds no golden.
    #[error("{}: not a golden: {problem}; restore it from git, or delete it and make it again", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A folder of goldens cannot be read.
    #[error("{}: cannot read the folder of goldens: {source}; check its permissions", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// What a person decided of a pending golden cannot be done.
    #[error("{}: cannot accept or reject it: {source}; was it reviewed elsewhere meanwhile?", path.display())]
    Review {
        /// The pending file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A pending golden cannot be written.
    #[error("{}: cannot write a pending golden: {source}; make the folder writable, or pass --no-stage", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl GoldenStore {
    /// The store in `root`. Without `stage` (on CI) nothing is ever written.
    pub fn new(root: impl Into<PathBuf>, stage: bool) -> Self {
        Self { root: root.into(), stage }
    }

    /// The golden of `case` for `model`, if there is one.
    ///
    /// # Errors
    /// When the file is there and cannot be understood.
    pub fn read(&self, model: &str, case: &str) -> Result<Option<Golden>, GoldenError> {
        let path = self.path(model, case);
        if !path.exists() {
            return Ok(None);
        }
        parse(&path).map(Some)
    }

    /// How many bytes each distribution in the accepted goldens of `model` takes.
    ///
    /// # Errors
    /// When a golden cannot be read.
    pub fn position_bytes(&self, model: &str) -> Result<Vec<usize>, GoldenError> {
        let files = self.files(ACCEPTED)?.into_iter().filter(|(of, ..)| of == model);
        let mut bytes = Vec::new();
        for (_, _, path) in files {
            let turns = parse(&path)?.observation.turns;
            let positions = turns.iter().flat_map(|turn| turn.prefill.iter().chain(&turn.decode));
            bytes.extend(positions.map(|position| serde_json::to_vec(position).map_or(0, |text| text.len())));
        }
        Ok(bytes)
    }

    /// Stages `golden` for review and says where; `None` where this store does not write.
    ///
    /// # Errors
    /// When the file cannot be written; then nothing has changed.
    pub fn stage(
        &self,
        model: &str,
        case: &str,
        why: &str,
        golden: &Golden,
    ) -> Result<Option<PathBuf>, GoldenError> {
        if !self.stage {
            return Ok(None);
        }
        let path = self.path(model, case).with_extension("snap.new");
        let header = format!(
            "---\nsource: cases/{case}.json\ndescription: {}\n---\n",
            serde_json::Value::from(why.trim())
        );
        let text = format!("{header}{}\n", golden.to_text());
        std::fs::create_dir_all(whole::folder(&path))
            .and_then(|()| whole::write(&path, text.as_bytes()))
            .map_err(|source| GoldenError::Write { path: path.clone(), source })?;
        Ok(Some(path))
    }

    /// Takes back what an earlier run staged, now that the answer agrees with the accepted golden.
    ///
    /// # Errors
    /// When there is one and it cannot be removed.
    pub fn unstage(&self, model: &str, case: &str) -> Result<(), GoldenError> {
        let path = self.path(model, case).with_extension("snap.new");
        if !self.stage || !path.exists() {
            return Ok(());
        }
        std::fs::remove_file(&path).map_err(|source| GoldenError::Write { path, source })
    }

    /// The folder.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    fn path(&self, model: &str, case: &str) -> PathBuf {
        self.root.join(model).join(format!("{}.snap", case.replace('/', SLASH)))
    }
}

/// What stands in a file's name for the slash of a case's id.
const SLASH: &str = "__";

/// The id of the case whose golden's file is called `stem`, without its end.
pub(super) fn case_of(stem: &str) -> String {
    stem.replace(SLASH, "/")
}

/// The golden in the snapshot at `path`, accepted or staged.
pub(super) fn parse(path: &Path) -> Result<Golden, GoldenError> {
    let unreadable = |problem: String| GoldenError::Unreadable { path: path.to_owned(), problem };
    input::bytes(path, input::MOST_RECORDED).map_err(|error| unreadable(error.to_string()))?;
    let snapshot = insta::Snapshot::from_file(path).map_err(|error| unreadable(error.to_string()))?;
    let text = snapshot.as_text().ok_or_else(|| unreadable("it is binary".into()))?.to_string();
    serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use wire::{Ending, Observation};

    use super::*;

    fn golden() -> Golden {
        Golden { made_by: "a test".into(), observation: Observation::ended(Ending::Completed) }
    }

    fn accept(root: &Path) {
        let pending = root.join("m/eog__x.snap.new");
        std::fs::rename(pending, root.join("m/eog__x.snap")).unwrap();
    }

    #[test]
    fn what_is_staged_is_what_insta_reads_after_review() {
        let root = tempfile::tempdir().unwrap();
        let store = GoldenStore::new(root.path(), true);
        assert_eq!(store.read("m", "eog/x").unwrap(), None);
        assert!(store.stage("m", "eog/x", "why: \"quoted\"\nand more", &golden()).unwrap().is_some());
        assert_eq!(store.read("m", "eog/x").unwrap(), None, "pending is not accepted");
        accept(root.path());
        assert_eq!(store.read("m", "eog/x").unwrap(), Some(golden()));
    }

    #[test]
    fn without_staging_nothing_is_written() {
        let root = tempfile::tempdir().unwrap();
        let store = GoldenStore::new(root.path(), false);
        assert_eq!(store.stage("m", "eog/x", "why", &golden()).unwrap(), None);
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
    }

    #[test]
    fn each_distribution_of_a_model_counts() {
        let root = tempfile::tempdir().unwrap();
        let store = GoldenStore::new(root.path(), true);
        let position = wire::Position::of(0, &[1.0, 2.0], &[1], None);
        let bytes = serde_json::to_vec(&position).unwrap().len();
        let turn =
            wire::Turn { prefill: vec![position.clone()], decode: vec![position], ..wire::Turn::default() };
        let mut golden = golden();
        golden.observation.turns = vec![turn];
        store.stage("m", "eog/x", "why", &golden).unwrap();
        assert!(store.position_bytes("m").unwrap().is_empty(), "pending is not accepted");
        accept(root.path());
        assert_eq!(store.position_bytes("m").unwrap(), [bytes, bytes]);
        assert!(store.position_bytes("other").unwrap().is_empty());
    }

    #[test]
    fn a_damaged_golden_names_its_file() {
        let root = tempfile::tempdir().unwrap();
        let store = GoldenStore::new(root.path(), true);
        store.stage("m", "eog/x", "why", &golden()).unwrap();
        accept(root.path());
        let path = root.path().join("m/eog__x.snap");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 20]).unwrap();
        let error = store.read("m", "eog/x").unwrap_err().to_string();
        assert!(error.contains("eog__x.snap: not a golden"), "{error}");
    }
}
