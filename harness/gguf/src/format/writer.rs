//! Writing a GGUF file.

use std::fs::File;
use std::io::{self, BufWriter, Cursor, Seek, SeekFrom, Write};
use std::path::Path;

use half::f16;
use half::slice::HalfFloatSliceExt as _;

use super::encode::{put_string, put_value};
use super::{TensorType, Value, WriteError, replace};

/// Version of the format that is written.
const VERSION: u32 = 3;
/// Alignment of tensor data where `general.alignment` says nothing else.
const DEFAULT_ALIGNMENT: u32 = 32;

/// The data of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// These bytes, little-endian.
    Bytes(Vec<u8>),
    /// Zeros. A file that is written by [`Writer::write_to`] has a hole there: it takes no space on disk.
    Zeros,
}

#[derive(Clone, Debug)]
struct Tensor {
    name: String,
    dims: Vec<u64>,
    kind: TensorType,
    data: Data,
    bytes: u64,
}

/// Builds a GGUF file of version 3. Metadata keep the order in which they were set, tensors that in which they came.
#[derive(Clone, Debug)]
pub struct Writer {
    alignment: u32,
    metadata: Vec<(String, Value)>,
    tensors: Vec<Tensor>,
}

impl Writer {
    /// A file whose `general.architecture` is `architecture`.
    pub fn new(architecture: &str) -> Self {
        let mut writer = Self { alignment: DEFAULT_ALIGNMENT, metadata: Vec::new(), tensors: Vec::new() };
        writer.set("general.architecture", architecture);
        writer
    }

    /// Sets a metadata value; one that was set before is replaced in place.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) -> &mut Self {
        let value = value.into();
        match self.metadata.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value,
            None => self.metadata.push((key.to_owned(), value)),
        }
        self
    }

    /// Sets the alignment of tensor data in bytes, in the file's metadata too.
    ///
    /// # Errors
    /// [`WriteError::Alignment`] unless it is a power of two from 8 up.
    pub fn align(&mut self, alignment: u32) -> Result<&mut Self, WriteError> {
        if alignment < 8 || !alignment.is_power_of_two() {
            return Err(WriteError::Alignment(alignment));
        }
        self.alignment = alignment;
        Ok(self.set("general.alignment", alignment))
    }

    /// Adds a tensor. `dims` has the row length first.
    ///
    /// # Errors
    /// [`WriteError::Dims`], [`WriteError::Size`] or [`WriteError::Twice`].
    pub fn tensor(
        &mut self,
        name: &str,
        dims: &[u64],
        kind: TensorType,
        data: Data,
    ) -> Result<&mut Self, WriteError> {
        let (tensor, dims) = (name.to_owned(), dims.to_vec());
        if self.tensors.iter().any(|known| known.name == name) {
            return Err(WriteError::Twice { tensor });
        }
        let Some(bytes) = kind.bytes(&dims).filter(|_| (1..=4).contains(&dims.len())) else {
            return Err(WriteError::Dims { tensor, kind: kind.name(), dims });
        };
        if let Data::Bytes(given) = &data
            && given.len() as u64 != bytes
        {
            let actual = given.len() as u64;
            return Err(WriteError::Size { tensor, kind: kind.name(), dims, expected: bytes, actual });
        }
        self.tensors.push(Tensor { name: tensor, dims, kind, data, bytes });
        Ok(self)
    }

    /// Adds a tensor of 32-bit floats.
    ///
    /// # Errors
    /// As [`Writer::tensor`].
    pub fn f32(&mut self, name: &str, dims: &[u64], values: &[f32]) -> Result<&mut Self, WriteError> {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.tensor(name, dims, TensorType::F32, Data::Bytes(bytes))
    }

    /// Adds a tensor of 16-bit floats; `values` are rounded to the nearest, ties to even.
    ///
    /// # Errors
    /// As [`Writer::tensor`].
    pub fn f16(&mut self, name: &str, dims: &[u64], values: &[f32]) -> Result<&mut Self, WriteError> {
        let mut halves = vec![f16::ZERO; values.len()];
        halves.convert_from_f32_slice(values);
        let bytes = halves.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.tensor(name, dims, TensorType::F16, Data::Bytes(bytes))
    }

    /// Adds a tensor of zeros that takes no space on disk.
    ///
    /// # Errors
    /// As [`Writer::tensor`].
    pub fn zeros(&mut self, name: &str, dims: &[u64], kind: TensorType) -> Result<&mut Self, WriteError> {
        self.tensor(name, dims, kind, Data::Zeros)
    }

    /// The whole file in memory, zeros written out: for small files.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (header, total) = self.layout();
        let mut out = Cursor::new(Vec::with_capacity(usize::try_from(total).unwrap_or(0)));
        self.fill(&header, &mut out).expect("writing to memory does not fail");
        let mut bytes = out.into_inner();
        bytes.resize(usize::try_from(total).expect("a file in memory is smaller than memory"), 0);
        bytes
    }

    /// Everything before the first tensor's data, with the padding.
    pub fn header(&self) -> Vec<u8> {
        self.layout().0
    }

    /// Length of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.layout().1
    }

    /// Writes the file to `path`: a temporary file beside it, synced, then renamed. Zeros stay holes.
    ///
    /// # Errors
    /// [`WriteError::Io`]; `path` is then as it was before.
    pub fn write_to(&self, path: &Path) -> Result<(), WriteError> {
        let (header, total) = self.layout();
        let fill = |file: &mut File| {
            let mut out = BufWriter::new(&mut *file);
            self.fill(&header, &mut out)?;
            out.flush()?;
            drop(out);
            file.set_len(total)
        };
        replace(path, fill).map_err(|source| WriteError::Io { path: path.to_owned(), source })
    }

    /// The header with its padding, and the length of the file.
    fn layout(&self) -> (Vec<u8>, u64) {
        let mut out = Vec::new();
        out.extend_from_slice(b"GGUF");
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&(self.tensors.len() as u64).to_le_bytes());
        out.extend_from_slice(&(self.metadata.len() as u64).to_le_bytes());
        for (key, value) in &self.metadata {
            put_string(&mut out, key);
            out.extend_from_slice(&value.value_type().number().to_le_bytes());
            put_value(&mut out, value);
        }
        let mut offset = 0;
        for tensor in &self.tensors {
            put_string(&mut out, &tensor.name);
            out.extend_from_slice(&(tensor.dims.len() as u32).to_le_bytes());
            tensor.dims.iter().for_each(|dim| out.extend_from_slice(&dim.to_le_bytes()));
            out.extend_from_slice(&tensor.kind.number().to_le_bytes());
            out.extend_from_slice(&u64::to_le_bytes(offset));
            offset += self.padded(tensor.bytes);
        }
        let padding = self.padded(out.len() as u64) as usize - out.len();
        out.extend(std::iter::repeat_n(0, padding));
        let total = out.len() as u64 + offset;
        (out, total)
    }

    fn fill(&self, header: &[u8], out: &mut (impl Write + Seek)) -> io::Result<()> {
        out.write_all(header)?;
        let mut position = header.len() as u64;
        for tensor in &self.tensors {
            if let Data::Bytes(bytes) = &tensor.data {
                out.seek(SeekFrom::Start(position))?;
                out.write_all(bytes)?;
            }
            position += self.padded(tensor.bytes);
        }
        Ok(())
    }

    fn padded(&self, bytes: u64) -> u64 {
        bytes.next_multiple_of(self.alignment.into())
    }
}
