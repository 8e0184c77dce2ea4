//! What subjects once said, kept in a folder to be judged again, on any machine.
//!
//! ```text
//! DIR/recording.json          {"version": 1, "subjects": …, "models": …, …}
//! DIR/items/<name>.json       {"key": …, "request": …, "card": …, "observation": …}
//! ```
//! The name of an item's file is made from its key: what is readable of it, and 16 digits of its SHA-256.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wire::{Card, Observation, Request};

use super::RecordingError;
use crate::input;
use crate::models::Model;
use crate::plan::Partition;
use crate::whole;

/// The version of the folder's layout and of its files; another one is refused.
pub const RECORDING_VERSION: u32 = 1;

const HEADER: &str = "recording.json";
const ITEMS: &str = "items";

/// A folder of observations, one file an item.
///
/// What a killed run left unfinished is passed over: its item counts as not recorded.
#[derive(Debug)]
pub struct Recording {
    dir: PathBuf,
    run: RecordedRun,
}

/// What was asked of whom, whether or not an answer came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedRun {
    /// Name and card of every subject.
    pub subjects: Vec<(String, Card)>,
    /// The models that were asked, with their paths on the machine that recorded.
    pub models: Vec<Model>,
    /// Whether cases that need no model were asked too.
    pub without_model: bool,
    /// Whether nothing was left out: no case filtered, no model chosen by name.
    pub complete: bool,
    /// The globs that cases had to fit; none: all were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    /// Which part was asked, where it was one of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<Partition>,
}

/// One item of a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// The item's name in the plan.
    pub key: String,
    /// What was asked. Whoever judges compares it with what the case asks today.
    pub request: Request,
    /// Who answered.
    pub card: Card,
    /// What was seen.
    pub observation: Observation,
}

#[derive(Serialize, Deserialize)]
struct Header {
    version: u32,
    #[serde(flatten)]
    run: RecordedRun,
}

/// Read first: another version may have other fields.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

#[derive(Serialize)]
struct ToRecord<'a> {
    key: &'a str,
    request: &'a Request,
    card: &'a Card,
    observation: &'a Observation,
}

impl Recording {
    /// Makes sure that a recording can begin in `dir`: it is empty, or there is none yet. Changes nothing.
    ///
    /// # Errors
    /// When there is something in it, or it is no folder.
    pub fn refuse_used(dir: &Path) -> Result<(), RecordingError> {
        let failed = |source| RecordingError::Write { file: dir.to_owned(), source };
        let mut entries = match fs::read_dir(dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(failed)?,
        };
        match entries.next() {
            None => Ok(()),
            Some(entry) => {
                Err(RecordingError::NotEmpty { dir: dir.to_owned(), file: entry.map_err(failed)?.path() })
            }
        }
    }

    /// Begins the recording of `run` in `dir`, which is made, or is empty. Of two that begin at once, one fails.
    ///
    /// # Errors
    /// When there is something in `dir`, or it cannot be written to.
    pub fn create(dir: impl Into<PathBuf>, run: RecordedRun) -> Result<Self, RecordingError> {
        let dir = dir.into();
        fs::create_dir_all(&dir).map_err(|source| RecordingError::Write { file: dir.clone(), source })?;
        Self::refuse_used(&dir)?;
        let file = dir.join(HEADER);
        let header = Header { version: RECORDING_VERSION, run };
        text(&header).and_then(|text| whole::write_new(&file, &text)).map_err(|source| {
            match source.kind() {
                io::ErrorKind::AlreadyExists => {
                    RecordingError::NotEmpty { dir: dir.clone(), file: file.clone() }
                }
                _ => RecordingError::Write { file: file.clone(), source },
            }
        })?;
        let items = dir.join(ITEMS);
        fs::create_dir(&items).map_err(|source| RecordingError::Write { file: items, source })?;
        Ok(Self { dir, run: header.run })
    }

    /// Opens a recording and looks at the names of all its files.
    ///
    /// # Errors
    /// When `dir` holds no recording, one of another version, or a file that is no item's.
    pub fn open(dir: impl Into<PathBuf>) -> Result<Self, RecordingError> {
        let dir = dir.into();
        let file = dir.join(HEADER);
        let text = match input::bytes(&file, input::MOST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(RecordingError::Missing { dir });
            }
            Err(source) => return Err(RecordingError::Read { file, source }),
            Ok(text) => text,
        };
        let Version { version } = parse(&file, &text)?;
        if version != RECORDING_VERSION {
            return Err(RecordingError::Version { file, theirs: version, ours: RECORDING_VERSION });
        }
        let Header { run, .. } = parse(&file, &text)?;
        let recording = Self { dir, run };
        recording.files()?;
        Ok(recording)
    }

    /// What was asked of whom.
    pub fn run(&self) -> &RecordedRun {
        &self.run
    }

    /// Writes one item's file, whole or not at all. An item that is put twice keeps its latest observation.
    ///
    /// # Errors
    /// When the file cannot be written; an older one stays as it was.
    pub fn put(
        &self,
        key: &str,
        request: &Request,
        card: &Card,
        observation: &Observation,
    ) -> Result<(), RecordingError> {
        let file = self.file(key);
        let item = ToRecord { key, request, card, observation };
        text(&item)
            .and_then(|text| whole::write(&file, &text))
            .map_err(|source| RecordingError::Write { file: file.clone(), source })
    }

    /// The item called `key`; `None` when it was not recorded.
    ///
    /// # Errors
    /// When its file cannot be read, is cut off or changed, or belongs to another item.
    pub fn get(&self, key: &str) -> Result<Option<Recorded>, RecordingError> {
        let file = self.file(key);
        match input::bytes(&file, input::MOST_RECORDED) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(RecordingError::Read { file, source }),
            Ok(text) => self.item(file, &text).map(Some),
        }
    }

    /// All items, by file name.
    ///
    /// # Errors
    /// As [`Self::get`], for each of them.
    pub fn items(&self) -> Result<Vec<Recorded>, RecordingError> {
        let read = |file: PathBuf| match input::bytes(&file, input::MOST_RECORDED) {
            Err(source) => Err(RecordingError::Read { file, source }),
            Ok(text) => self.item(file, &text),
        };
        self.files()?.into_iter().map(read).collect()
    }

    fn item(&self, file: PathBuf, text: &[u8]) -> Result<Recorded, RecordingError> {
        let item: Recorded = parse(&file, text)?;
        if self.file(&item.key) != file {
            return Err(RecordingError::Renamed { file, key: item.key });
        }
        Ok(item)
    }

    fn files(&self) -> Result<Vec<PathBuf>, RecordingError> {
        let items = self.dir.join(ITEMS);
        let failed = |source| RecordingError::Read { file: items.clone(), source };
        let mut files = Vec::new();
        for entry in fs::read_dir(&items).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with(whole::UNFINISHED) {
                continue;
            }
            if !name.ends_with(".json") {
                return Err(RecordingError::Foreign { file });
            }
            files.push(file);
        }
        files.sort();
        Ok(files)
    }

    fn file(&self, key: &str) -> PathBuf {
        self.dir.join(ITEMS).join(file_name(key))
    }
}

fn file_name(key: &str) -> String {
    const READABLE: usize = 80;
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    let mut name: String = key.chars().map(plain).take(READABLE).collect();
    name.push('-');
    for byte in &Sha256::digest(key)[..8] {
        name.push_str(&format!("{byte:02x}"));
    }
    name + ".json"
}

fn text(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    Ok(text)
}

fn parse<T: for<'de> Deserialize<'de>>(file: &Path, text: &[u8]) -> Result<T, RecordingError> {
    serde_json::from_slice(text).map_err(|source| RecordingError::Json { file: file.to_owned(), source })
}
