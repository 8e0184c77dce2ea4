//! A model's file, or all of its parts, from the first byte to the last.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::findings::Findings;
use super::parts::{self, PartName};
use super::problem::{Problem, ProblemCode, Severity};
use super::scan::{Stream, scan};
use super::structure;
use crate::{Fault, GgufFile};

/// What is known of a file beforehand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// SHA-256 of each part in order, in lower-case hexadecimal; empty where nothing is known.
    pub sha256: Vec<String>,
    /// Who says so, for messages.
    pub source: String,
}

/// One file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileSeen {
    /// Where it lies.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
    /// Of all its bytes, in lower-case hexadecimal.
    pub sha256: String,
    /// Who says that it must be this checksum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_said_by: Option<String>,
    /// Version of the format; absent where the header cannot be read, as all that follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// Metadata keys.
    pub keys: usize,
    /// Tensors by element type.
    pub tensors: BTreeMap<&'static str, u64>,
}

/// What came of checking a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Integrity {
    /// No problem is an error.
    pub sound: bool,
    /// Its files in order.
    pub files: Vec<FileSeen>,
    /// What is wrong: each file's, the worst first.
    pub problems: Vec<Problem>,
    /// Problems beyond those that are listed.
    pub left_out: u64,
}

/// Why a model could not be checked.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot read it: {source}; check the path, its permissions and the disk", path.display())]
pub struct IntegrityError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Checks the model at `path`: with all its parts where it is split, whichever of them is named. `told` hears of how
/// many bytes more were read.
///
/// # Errors
/// [`IntegrityError`] when the system cannot read a file. A file that is wrong is no error.
pub fn check(
    path: &Path,
    expected: &Expected,
    told: &mut dyn FnMut(u64),
) -> Result<Integrity, IntegrityError> {
    let paths = PartName::of(path).map_or_else(|| vec![path.to_owned()], |name| name.all().collect());
    let (there, missing): (Vec<_>, Vec<_>) =
        paths.iter().cloned().partition(|part| part == path || part.exists());
    let mut whole = Whole::default();
    let mut parts = Vec::new();
    for path in &there {
        let failed = |source| IntegrityError { path: path.clone(), source };
        let file = open(path).map_err(failed)?;
        let known = paths.iter().position(|one| one == path).and_then(|index| expected.sha256.get(index));
        let known = known.map(|sum| (sum.as_str(), expected.source.as_str()));
        parts.extend(whole.add(file, path, known, told).map_err(failed)?);
    }
    let mut findings = Findings::new(path);
    parts::judge_missing(&missing, paths.len(), &mut findings);
    if missing.is_empty() && paths.len() > 1 && parts.len() == paths.len() {
        parts::judge_together(&parts, &mut findings);
    }
    Ok(whole.finish(findings))
}

/// Checks one file in memory, whatever it says of other parts.
///
/// # Errors
/// None that memory can have.
pub fn check_bytes(bytes: &[u8]) -> Result<Integrity, IntegrityError> {
    let path = Path::new("bytes in memory");
    let mut whole = Whole::default();
    let added = whole.add(Cursor::new(bytes), path, None, &mut |_| ());
    added.map_err(|source| IntegrityError { path: path.to_owned(), source })?;
    Ok(whole.finish(Findings::new(path)))
}

/// Opens a regular file: a pipe would keep us waiting, and a device has no end.
fn open(path: &Path) -> io::Result<File> {
    if path.metadata()?.is_file() {
        return File::open(path);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a folder, a pipe or a device"))
}

#[derive(Default)]
struct Whole {
    files: Vec<FileSeen>,
    problems: Vec<Problem>,
    left_out: u64,
}

impl Whole {
    /// Reads one file; its header, if that can be read.
    fn add(
        &mut self,
        mut source: impl Read + Seek,
        path: &Path,
        known: Option<(&str, &str)>,
        told: &mut dyn FnMut(u64),
    ) -> io::Result<Option<GgufFile>> {
        let mut findings = Findings::new(path);
        let bytes = source.seek(io::SeekFrom::End(0))?;
        let header = match GgufFile::read(&mut source, path) {
            Err(error) if matches!(error.fault, Fault::Io(_)) => return Err(io_error(error.fault)),
            Err(error) => {
                let message = format!("{}, byte {}: {}", error.place, error.offset, error.fault);
                findings.add(ProblemCode::Header, None, Some(error.offset), message);
                None
            }
            Ok(file) => Some(file),
        };
        source.rewind()?;
        let stream = Stream::new(source, told);
        let sha256 = match &header {
            Some(file) => {
                structure::judge(file, &mut findings);
                parts::judge_one(file, &mut findings);
                scan(file, stream, &mut findings)?
            }
            None => stream.sum(bytes)?,
        };
        let right = known.filter(|(sum, _)| *sum == sha256);
        if let (Some((sum, source)), None) = (known, right) {
            let message = format!("has sha256 {sha256}, but {source} says {sum}; fetch the file again");
            findings.add(ProblemCode::Checksum, None, None, message);
        }
        self.take(findings, right.is_some());
        self.files.push(FileSeen {
            path: path.to_owned(),
            bytes,
            sha256,
            as_said_by: right.map(|(_, source)| source.to_owned()),
            version: header.as_ref().map(GgufFile::version),
            keys: header.as_ref().map_or(0, |file| file.metadata().len()),
            tensors: header.as_ref().map(by_type).unwrap_or_default(),
        });
        Ok(header)
    }

    /// Takes the problems. Where the file is what was published, its zeros are meant.
    fn take(&mut self, findings: Findings<'_>, published: bool) {
        let (mut problems, left_out) = findings.finish();
        for problem in &mut problems {
            let zeros = [ProblemCode::ZeroTensor, ProblemCode::ZeroedHole, ProblemCode::ZeroedTail];
            if published && zeros.contains(&problem.code) {
                problem.severity = Severity::Note;
                let seen = problem.message.split(':').next().unwrap_or_default();
                problem.message = format!("{seen}, as in the file that was published");
            }
        }
        self.problems.extend(problems);
        self.left_out += left_out;
    }

    fn finish(mut self, findings: Findings<'_>) -> Integrity {
        self.take(findings, false);
        let sound = self.left_out == 0 && self.problems.iter().all(|one| one.severity < Severity::Error);
        Integrity { sound, files: self.files, problems: self.problems, left_out: self.left_out }
    }
}

fn io_error(fault: Fault) -> io::Error {
    match fault {
        Fault::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

fn by_type(file: &GgufFile) -> BTreeMap<&'static str, u64> {
    let mut types = BTreeMap::new();
    for tensor in file.tensors() {
        *types.entry(tensor.kind.name()).or_insert(0) += 1;
    }
    types
}
