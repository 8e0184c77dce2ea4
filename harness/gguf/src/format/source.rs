//! Reading a header step by step, bounded by what the file really holds.

use std::io::{BufReader, Read, Seek, SeekFrom};

use super::{Array, Fault, Place, ValueType};

/// Most bytes of metadata that are read: the largest vocabularies take about 20 MB.
pub(super) const MAX_HEADER_BYTES: u64 = 256 << 20;
/// Most bytes of a key or a tensor's name, as the format's description has it.
const MAX_NAME_BYTES: u64 = 65_535;
/// Arrays in arrays in arrays; llama.cpp allows no arrays of arrays at all.
const MAX_DEPTH: usize = 3;
/// Bytes read at once: what a lie in the file can make this reader allocate beyond the file's own size.
const CHUNK: usize = 1 << 16;

/// A file under a reading head that knows how much is left.
#[derive(Debug)]
pub(super) struct Source<R> {
    inner: BufReader<R>,
    position: u64,
    end: u64,
    /// What is being read, for messages.
    pub(super) place: Place,
}

impl<R: Read + Seek> Source<R> {
    /// Starts at the beginning.
    pub(super) fn new(mut file: R) -> Result<Self, Fault> {
        let end = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        Ok(Self { inner: BufReader::with_capacity(CHUNK, file), position: 0, end, place: Place::Header })
    }

    /// Offset of the next byte.
    pub(super) const fn position(&self) -> u64 {
        self.position
    }

    /// Length of the file.
    pub(super) const fn end(&self) -> u64 {
        self.end
    }

    /// Checks that `count` things of at least `least` bytes can follow.
    pub(super) fn expect(&self, what: &'static str, count: u64, least: u64) -> Result<(), Fault> {
        let left = self.end - self.position;
        let most = left / least;
        if count > most { Err(Fault::Count { what, claimed: count, most, left }) } else { Ok(()) }
    }

    /// The next `N` bytes.
    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        self.advance(N as u64)?;
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Fault> {
        self.take().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, Fault> {
        self.take().map(u64::from_le_bytes)
    }

    pub(super) fn bool(&mut self) -> Result<bool, Fault> {
        match self.take()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => Err(Fault::NotBool(other)),
        }
    }

    /// A key or a tensor's name.
    pub(super) fn name(&mut self) -> Result<String, Fault> {
        let claimed = self.u64()?;
        if claimed > MAX_NAME_BYTES {
            return Err(Fault::NameTooLong { claimed, most: MAX_NAME_BYTES });
        }
        self.text(claimed)
    }

    pub(super) fn string(&mut self) -> Result<String, Fault> {
        let claimed = self.u64()?;
        self.expect("bytes of text", claimed, 1)?;
        self.text(claimed)
    }

    /// The value type that comes next.
    pub(super) fn value_type(&mut self) -> Result<ValueType, Fault> {
        let number = self.u32()?;
        ValueType::from_number(number).ok_or(Fault::ValueType(number))
    }

    /// The array that comes next, itself inside `depth` others.
    pub(super) fn array(&mut self, depth: usize) -> Result<Array, Fault> {
        if depth >= MAX_DEPTH {
            return Err(Fault::TooDeep(MAX_DEPTH));
        }
        let element = self.value_type()?;
        let count = self.u64()?;
        self.expect("array elements", count, element.least_bytes())?;
        Ok(match element {
            ValueType::U8 => Array::U8(self.bytes(count)?),
            ValueType::I8 => Array::I8(self.numbers(count, i8::from_le_bytes)?),
            ValueType::U16 => Array::U16(self.numbers(count, u16::from_le_bytes)?),
            ValueType::I16 => Array::I16(self.numbers(count, i16::from_le_bytes)?),
            ValueType::U32 => Array::U32(self.numbers(count, u32::from_le_bytes)?),
            ValueType::I32 => Array::I32(self.numbers(count, i32::from_le_bytes)?),
            ValueType::U64 => Array::U64(self.numbers(count, u64::from_le_bytes)?),
            ValueType::I64 => Array::I64(self.numbers(count, i64::from_le_bytes)?),
            ValueType::F32 => Array::F32(self.numbers(count, f32::from_le_bytes)?),
            ValueType::F64 => Array::F64(self.numbers(count, f64::from_le_bytes)?),
            ValueType::Bool => Array::Bool(self.list(count, Self::bool)?),
            ValueType::String => Array::String(self.list(count, Self::string)?),
            ValueType::Array => Array::Array(self.list(count, |source| source.array(depth + 1))?),
        })
    }

    fn text(&mut self, count: u64) -> Result<String, Fault> {
        String::from_utf8(self.bytes(count)?).map_err(|_| Fault::NotUtf8)
    }

    /// `count` bytes, of which the file was seen to hold as many.
    fn bytes(&mut self, count: u64) -> Result<Vec<u8>, Fault> {
        self.advance(count)?;
        let mut bytes = Vec::new();
        let read = (&mut self.inner).take(count).read_to_end(&mut bytes)? as u64;
        if read == count { Ok(bytes) } else { Err(Fault::Ended { needed: count, left: read }) }
    }

    fn numbers<const N: usize, T>(&mut self, count: u64, decode: fn([u8; N]) -> T) -> Result<Vec<T>, Fault> {
        let bytes = self.bytes(count.saturating_mul(N as u64))?;
        Ok(bytes.as_chunks::<N>().0.iter().map(|chunk| decode(*chunk)).collect())
    }

    fn list<T>(
        &mut self,
        count: u64,
        mut next: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(next(self)?);
        }
        Ok(list)
    }

    /// Moves the head, or says why it can't.
    fn advance(&mut self, needed: u64) -> Result<(), Fault> {
        let left = self.end - self.position;
        if needed > left {
            return Err(Fault::Ended { needed, left });
        }
        if self.position + needed > MAX_HEADER_BYTES {
            return Err(Fault::HeaderTooLarge(MAX_HEADER_BYTES));
        }
        self.position += needed;
        Ok(())
    }
}
