//! A model's files: one, or the parts that it was split into.

use std::path::{Path, PathBuf};

use crate::{GgufFile, ReadError, TensorInfo};

/// Most parts that a model is read from.
const MOST_PARTS: u64 = 999;

/// The headers of a model's files. Weights stay on the disk.
#[derive(Clone, Debug)]
pub struct ModelFiles {
    parts: Vec<GgufFile>,
}

/// Why a model's files could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ModelFilesError {
    /// One of them.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A part that is not the first.
    #[error(
        "{}: this is part {part} of {count}, and the first part holds what the model is; give the file that ends in \
         -00001-of-{count:05}.gguf",
        path.display()
    )]
    NotFirst {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        part: u64,
        /// How many there are.
        count: u64,
    },
    /// A first part whose name does not lead to the others.
    #[error(
        "{}: it is the first of {count} parts, whose names llama.cpp makes of its own; it must end in \
         -00001-of-{count:05}.gguf",
        path.display()
    )]
    Name {
        /// The file.
        path: PathBuf,
        /// How many there are.
        count: u64,
    },
    /// A count that makes no sense.
    #[error("{}: it says that it has {count} parts; fetch the model again", path.display())]
    Count {
        /// The file.
        path: PathBuf,
        /// What it says.
        count: u64,
    },
}

impl ModelFiles {
    /// Reads the header at `path`, and those of the other parts where it is the first of several.
    ///
    /// # Errors
    /// When one cannot be read, or `path` is not the first part.
    pub fn open(path: &Path) -> Result<Self, ModelFilesError> {
        let first = GgufFile::open(path)?;
        let count = first.u64("split.count").unwrap_or(1);
        let path = || path.to_owned();
        if count > MOST_PARTS {
            return Err(ModelFilesError::Count { path: path(), count });
        }
        let mut parts = vec![first];
        if count > 1 {
            let part = parts[0].u64("split.no").unwrap_or(0).saturating_add(1);
            if part != 1 {
                return Err(ModelFilesError::NotFirst { path: path(), part, count });
            }
            let stem =
                stem(parts[0].path(), count).ok_or_else(|| ModelFilesError::Name { path: path(), count })?;
            for part in 2..=count {
                parts.push(GgufFile::open(Path::new(&format!("{stem}-{part:05}-of-{count:05}.gguf")))?);
            }
        }
        Ok(Self { parts })
    }

    /// A model in one file.
    pub fn one(file: GgufFile) -> Self {
        Self { parts: vec![file] }
    }

    /// The first file, which holds the metadata.
    pub fn first(&self) -> &GgufFile {
        &self.parts[0]
    }

    /// How many files there are.
    pub const fn count(&self) -> usize {
        self.parts.len()
    }

    /// All tensors.
    pub fn tensors(&self) -> impl Iterator<Item = &TensorInfo> {
        self.parts.iter().flat_map(GgufFile::tensors)
    }

    /// Bytes of each file, in order: what is mapped at once.
    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        self.parts.iter().map(GgufFile::file_bytes)
    }

    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.sizes().fold(0, u64::saturating_add)
    }
}

fn stem(path: &Path, count: u64) -> Option<String> {
    let text = path.to_str()?;
    text.strip_suffix(&format!("-00001-of-{count:05}.gguf")).map(str::to_owned)
}
