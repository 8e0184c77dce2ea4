//! One pass over a file's bytes: checksum, numbers that are none, runs of zeros.

use std::io::{self, Read};

use sha2::{Digest as _, Sha256};

use super::findings::Findings;
use super::floats::{Count, Flaws};
use super::place::{self, Placed};
use super::problem::ProblemCode;
use super::zeros::Zeros;
use crate::{GgufFile, TensorInfo};

/// Bytes read at once.
const CHUNK: u64 = 1 << 20;

/// A stream whose every byte is counted and summed.
pub(super) struct Stream<'a, R> {
    inner: R,
    buffer: Vec<u8>,
    hasher: Sha256,
    position: u64,
    told: &'a mut dyn FnMut(u64),
}

impl<'a, R: Read> Stream<'a, R> {
    /// Reads `inner` from its beginning; `told` hears of how many bytes more were read.
    pub(super) fn new(inner: R, told: &'a mut dyn FnMut(u64)) -> Self {
        Self { inner, buffer: Vec::new(), hasher: Sha256::new(), position: 0, told }
    }

    /// Reads up to the offset `end`, in pieces of whole `unit`s but for the last, and shows each.
    fn read_to(&mut self, end: u64, unit: u64, mut show: impl FnMut(&[u8])) -> io::Result<()> {
        while self.position < end {
            let most = (CHUNK - CHUNK % unit).max(unit);
            let size = most.min(end - self.position);
            self.buffer.resize(size as usize, 0);
            self.inner.read_exact(&mut self.buffer)?;
            self.hasher.update(&self.buffer);
            show(&self.buffer);
            self.position += size;
            (self.told)(size);
        }
        Ok(())
    }

    /// Reads what is left up to `end`; the SHA-256 of everything, in lower-case hexadecimal.
    pub(super) fn sum(mut self, end: u64) -> io::Result<String> {
        self.read_to(end, 1, |_| ())?;
        Ok(self.hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// Reads all of `file` through `stream` and says what is wrong with its weights; the SHA-256 of the file.
pub(super) fn scan(
    file: &GgufFile,
    mut stream: Stream<'_, impl Read>,
    findings: &mut Findings<'_>,
) -> io::Result<String> {
    let placed = Placed::all(file);
    stream.read_to(file.data_start().min(file.file_bytes()), 1, |_| ())?;
    let mut zeros = Zeros::new(stream.position);
    for one in &placed {
        stream.read_to(one.start, 1, |bytes| zeros.feed(bytes))?;
        let kind = one.tensor.kind;
        let (mut flaws, mut block) = (Flaws::default(), 0);
        stream.read_to(one.end, kind.block_bytes(), |bytes| {
            zeros.feed(bytes);
            flaws.look(kind, bytes, block);
            block += bytes.len() as u64 / kind.block_bytes();
        })?;
        tell(&flaws, one, findings);
    }
    let data_end = stream.position;
    place::judge(&zeros.finish(), &placed, data_end, findings);
    stream.sum(file.file_bytes())
}

fn tell(flaws: &Flaws, placed: &Placed<'_>, findings: &mut Findings<'_>) {
    let table = [(ProblemCode::Nan, "NaN", flaws.nan), (ProblemCode::Infinity, "infinity", flaws.infinite)];
    for (code, what, count) in table {
        if count.blocks > 0 {
            let tensor = placed.tensor;
            let byte = placed.start + count.first * tensor.kind.block_bytes();
            findings.add(code, Some(&tensor.name), Some(byte), message(what, count, tensor, byte));
        }
    }
}

fn message(what: &str, count: Count, tensor: &TensorInfo, byte: u64) -> String {
    let kind = tensor.kind;
    let unit = match kind.block_elements() {
        1 => "values",
        _ => "blocks' scales",
    };
    let all = tensor.bytes / kind.block_bytes();
    let row = count.first * kind.block_elements() / tensor.dims.first().copied().unwrap_or(1).max(1);
    format!(
        "tensor \"{}\" ({kind}) has {what} in {} of {all} {unit}, first in row {row} at byte {byte}: whatever reads it \
         is no number any more; fetch the file again, or convert the model again",
        tensor.name, count.blocks
    )
}
