//! A GGUF file that was read: its metadata and the places of its tensors.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use super::{Array, Fault, Place, ReadError, TensorInfo, Value, parse};

/// What a GGUF file holds, without its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct GgufFile {
    pub(super) path: PathBuf,
    pub(super) version: u32,
    pub(super) alignment: u32,
    pub(super) metadata: Vec<(String, Value)>,
    pub(super) tensors: Vec<TensorInfo>,
    pub(super) data_start: u64,
    pub(super) file_bytes: u64,
    pub(super) by_key: HashMap<String, usize>,
}

impl GgufFile {
    /// Reads the header of the file at `path`; the weights stay where they are. A file whose weights are cut off
    /// can be read: [`GgufFile::verify`] says what is missing.
    ///
    /// # Errors
    /// [`ReadError`] with the place, the byte and the cure.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let open = || {
            let file = File::open(path)?;
            if file.metadata()?.is_dir() {
                return Err(std::io::Error::from(std::io::ErrorKind::IsADirectory));
            }
            Ok(file)
        };
        let file = open().map_err(|error| ReadError {
            path: path.to_owned(),
            place: Place::Header,
            offset: 0,
            fault: Fault::Io(error),
        })?;
        Self::read(file, path)
    }

    /// Reads a file that is in memory.
    ///
    /// # Errors
    /// As [`GgufFile::open`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::read(Cursor::new(bytes), Path::new("bytes in memory"))
    }

    /// Reads from anything that can seek; `path` is for messages.
    ///
    /// # Errors
    /// As [`GgufFile::open`].
    pub fn read(file: impl Read + Seek, path: &Path) -> Result<Self, ReadError> {
        parse::parse(file, path)
    }

    /// The file, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Version of the format: 2 or 3.
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// Alignment of tensor data in bytes.
    pub const fn alignment(&self) -> u32 {
        self.alignment
    }

    /// Offset of the first tensor's data in bytes.
    pub const fn data_start(&self) -> u64 {
        self.data_start
    }

    /// Length of the file in bytes.
    pub const fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// Keys and values in the order of the file.
    pub fn metadata(&self) -> &[(String, Value)] {
        &self.metadata
    }

    /// Tensors in the order of the file.
    pub fn tensors(&self) -> &[TensorInfo] {
        &self.tensors
    }

    /// The tensor `name`, if there is one.
    pub fn tensor(&self, name: &str) -> Option<&TensorInfo> {
        self.tensors.iter().find(|tensor| tensor.name == name)
    }

    /// The value of `key`, if it is there.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.by_key.get(key).map(|&index| &self.metadata[index].1)
    }

    /// The value of `key`, if it is there and text.
    pub fn str(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// The value of `key`, if it is there and an integer that is not negative.
    pub fn u64(&self, key: &str) -> Option<u64> {
        self.get(key)?.as_u64()
    }

    /// The value of `key`, if it is there and a truth value.
    pub fn bool(&self, key: &str) -> Option<bool> {
        self.get(key)?.as_bool()
    }

    /// The value of `key`, if it is there and an array.
    pub fn array(&self, key: &str) -> Option<&Array> {
        self.get(key)?.as_array()
    }

    /// `general.architecture`.
    pub fn architecture(&self) -> Option<&str> {
        self.str("general.architecture")
    }

    /// The value of `<architecture>.<key>`, if it is there and an integer that is not negative.
    pub fn architecture_u64(&self, key: &str) -> Option<u64> {
        self.u64(&format!("{}.{key}", self.architecture()?))
    }

    /// `tokenizer.chat_template`, whole.
    pub fn chat_template(&self) -> Option<&str> {
        self.str("tokenizer.chat_template")
    }

    /// The texts of the vocabulary as the file spells them, by token id.
    pub fn tokens(&self) -> Option<&[String]> {
        self.array("tokenizer.ggml.tokens")?.as_strings()
    }
}
