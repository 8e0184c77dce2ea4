//! The sheet.

use std::io;
use std::path::{Path, PathBuf};

use judge::models::Model;
use judge::subject::RecordingError;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use wire::{Capability, Request};

/// The version of sheets and answers; another one is refused, here and on the phone.
pub const SHEET_VERSION: u32 = 1;

/// Everything that a phone is asked in one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// [`SHEET_VERSION`].
    pub version: u32,
    /// A hash of the questions. Answers repeat it: those to another sheet are left aside.
    pub id: String,
    /// What the subject is called in reports.
    pub subject: String,
    /// The files that must be there.
    pub models: Vec<SheetModel>,
    /// Whether cases that need no model are asked too.
    pub without_model: bool,
    /// Whether nothing was left out.
    pub complete: bool,
    /// The questions, in order.
    pub questions: Vec<Question>,
}

/// A model file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetModel {
    /// Its file name in the app's folder of models.
    pub file: String,
    /// Bytes.
    pub bytes: u64,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// What the judge must know of it again; `None` for one that others only need, such as an adapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
}

/// One question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The item's name in the plan: `<subject>/<model>/<case>`.
    pub key: String,
    /// The case.
    pub case: String,
    /// The name of its answer's file.
    pub file: String,
    /// What a subject must be able to do to be asked.
    pub needs: Vec<Capability>,
    /// What is asked. Models are named by their files alone: the phone knows where they lie.
    pub request: Request,
}

/// Why there is no sheet, or nothing can be made of its answers.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// A file could not be read.
    #[error("reading {}: {source}; {cure}", file.display())]
    Read {
        /// Which.
        file: PathBuf,
        /// Why.
        source: io::Error,
        /// What to do.
        cure: &'static str,
    },
    /// A file is no sheet.
    #[error("{} is no sheet: {source}; make it with `cargo xtask device sheet`", file.display())]
    Json {
        /// Which.
        file: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// Another version.
    #[error("{} has version {theirs}, and this program writes {SHEET_VERSION}; make it again", file.display())]
    Version {
        /// Which file.
        file: PathBuf,
        /// Its version.
        theirs: u32,
    },
    /// Nothing was answered.
    #[error("none of {asked} questions was answered{why}; look at the app's log, then run it again")]
    NoAnswer {
        /// How many were asked.
        asked: usize,
        /// What else was found.
        why: String,
    },
    /// A recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

impl Sheet {
    /// Reads a sheet.
    ///
    /// # Errors
    /// When there is none, or one of another version.
    pub fn read(file: &Path) -> Result<Self, SheetError> {
        let text = std::fs::read(file).map_err(|source| SheetError::Read {
            file: file.to_owned(),
            source,
            cure: "make it with `cargo xtask device sheet`",
        })?;
        let json = |source| SheetError::Json { file: file.to_owned(), source };
        let version: AnyVersion = serde_json::from_slice(&text).map_err(json)?;
        if version.version != SHEET_VERSION {
            return Err(SheetError::Version { file: file.to_owned(), theirs: version.version });
        }
        serde_json::from_slice(&text).map_err(json)
    }

    /// The sheet as it is written: one line a question, so that people can look at it.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The question called `key`.
    pub fn question(&self, key: &str) -> Option<&Question> {
        self.questions.iter().find(|question| question.key == key)
    }
}

#[derive(Deserialize)]
struct AnyVersion {
    version: u32,
}

/// The hash that a sheet of `questions` is known by.
pub(super) fn id_of(questions: &[Question]) -> String {
    let text = serde_json::to_vec(questions).unwrap_or_default();
    hex(&Sha256::digest(text)[..8])
}

/// `bytes` in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The file name of the answer to `key`: what is readable of it, and enough of its hash to be alone.
pub(super) fn file_of(key: &str) -> String {
    const READABLE: usize = 90;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = key.chars().map(plain).take(READABLE).collect();
    format!("{name}-{}.json", hex(&Sha256::digest(key)[..6]))
}
