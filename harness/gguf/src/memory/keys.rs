//! Metadata keys as llama.cpp's loader reads them.

use crate::{Array, GgufFile, Value};

use super::MemoryError;

/// Most blocks that llama.cpp has room for: `LLAMA_MAX_LAYERS`.
pub(super) const MOST_LAYERS: u64 = 512;

/// The keys of one architecture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys<'a> {
    file: &'a GgufFile,
    architecture: &'a str,
}

impl<'a> Keys<'a> {
    pub(super) fn new(file: &'a GgufFile) -> Result<Self, MemoryError> {
        let architecture = file
            .architecture()
            .ok_or_else(|| MemoryError::MissingKey { key: "general.architecture".to_owned() })?;
        Ok(Self { file, architecture })
    }

    pub(super) const fn architecture(&self) -> &'a str {
        self.architecture
    }

    pub(super) const fn file(&self) -> &'a GgufFile {
        self.file
    }

    fn name(&self, key: &str) -> String {
        format!("{}.{key}", self.architecture)
    }

    fn bad(&self, key: &str, problem: impl Into<String>) -> MemoryError {
        MemoryError::BadValue { key: self.name(key), problem: problem.into() }
    }

    /// A number of 32 bits, if the key is there.
    pub(super) fn number(&self, key: &str) -> Result<Option<u64>, MemoryError> {
        match self.file.get(&self.name(key)) {
            None => Ok(None),
            Some(value) => {
                let number = value.as_u64().filter(|number| *number <= u32::MAX.into());
                number.map(Some).ok_or_else(|| self.bad(key, "is no whole number of 32 bits"))
            }
        }
    }

    /// As [`Keys::number`], 0 where there is none.
    pub(super) fn number_or_zero(&self, key: &str) -> Result<u64, MemoryError> {
        Ok(self.number(key)?.unwrap_or(0))
    }

    /// As [`Keys::number`], of a key that must be there.
    pub(super) fn required(&self, key: &str) -> Result<u64, MemoryError> {
        self.number(key)?.ok_or_else(|| MemoryError::MissingKey { key: self.name(key) })
    }

    /// One number for each of `layers`: a list of that length, or one number for all.
    pub(super) fn each(&self, key: &str, layers: u64) -> Result<Option<Vec<u64>>, MemoryError> {
        match self.file.get(&self.name(key)) {
            Some(Value::Array(array)) => {
                let list =
                    whole_numbers(array).ok_or_else(|| self.bad(key, "is no list of whole numbers"))?;
                if list.len() as u64 == layers {
                    return Ok(Some(list));
                }
                Err(self.bad(key, format!("lists {} numbers, and {layers} are needed", list.len())))
            }
            _ => Ok(self.number(key)?.map(|number| vec![number; layers as usize])),
        }
    }

    /// A list, however long, up to as many layers as llama.cpp has room for; nothing where the value is no list.
    pub(super) fn list(&self, key: &str) -> Result<Option<Vec<u64>>, MemoryError> {
        match self.file.get(&self.name(key)) {
            Some(Value::Array(array)) => {
                let list =
                    whole_numbers(array).ok_or_else(|| self.bad(key, "is no list of whole numbers"))?;
                let fits = list.len() as u64 <= MOST_LAYERS;
                if fits {
                    Ok(Some(list))
                } else {
                    Err(self.bad(key, "lists more layers than llama.cpp has room for"))
                }
            }
            _ => Ok(None),
        }
    }

    /// As [`Keys::list`], of a key that must be there.
    pub(super) fn required_list(&self, key: &str) -> Result<Vec<u64>, MemoryError> {
        self.list(key)?.ok_or_else(|| MemoryError::MissingKey { key: self.name(key) })
    }
}

/// The elements of a list of truth values or of whole numbers of 32 bits, whatever their sign: llama.cpp keeps their
/// bits.
fn whole_numbers(array: &Array) -> Option<Vec<u64>> {
    Some(match array {
        Array::Bool(list) => list.iter().map(|flag| u64::from(*flag)).collect(),
        Array::U8(list) => list.iter().map(|number| u64::from(*number)).collect(),
        Array::U16(list) => list.iter().map(|number| u64::from(*number)).collect(),
        Array::U32(list) => list.iter().map(|number| u64::from(*number)).collect(),
        Array::I32(list) => list.iter().map(|number| u64::from(number.cast_unsigned())).collect(),
        _ => return None,
    })
}
