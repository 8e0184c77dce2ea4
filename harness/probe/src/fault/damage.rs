//! A damaged copy of a model file.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use gguf::{GgufFile, TensorInfo, Value};
use tempfile::NamedTempFile;
use wire::{Layer, Refusal, RefusalCode};

use super::Fault;
use crate::refuse::refuse;

/// Bytes at the end of a tensor that a download which broke off leaves zero: one page.
const TAIL: u64 = 4096;
/// The number of GGUF's value type f32.
const TYPE_F32: u32 = 6;

/// Bytes that replace others in a file.
#[derive(Debug, PartialEq, Eq)]
struct Patch {
    at: u64,
    bytes: Vec<u8>,
}

/// A copy of the file at `path`, beside it, with the damage that `fault` stands for; `None` where it stands for
/// none. The copy is removed when it is dropped.
pub(super) fn damaged(fault: Fault, path: &Path) -> Result<Option<NamedTempFile>, Refusal> {
    if !matches!(fault, Fault::TensorTailZeroed | Fault::ExpertZeroed | Fault::RopeBaseWrong) {
        return Ok(None);
    }
    let file = GgufFile::open(path).map_err(|error| failed(&error.to_string()))?;
    let patch = patch(fault, &file)?;
    copy(path, &patch)
        .map(Some)
        .map_err(|error| failed(&format!("cannot write a damaged copy beside {}: {error}", path.display())))
}

fn patch(fault: Fault, file: &GgufFile) -> Result<Patch, Refusal> {
    match fault {
        Fault::ExpertZeroed => expert(file),
        Fault::RopeBaseWrong => rope_base(file),
        _ => tail(file),
    }
}

fn tail(file: &GgufFile) -> Result<Patch, Refusal> {
    let last = file.tensors().iter().max_by_key(|tensor| tensor.offset);
    let last = last.ok_or_else(|| failed("the file has no tensor; ask a model that has some"))?;
    let length = TAIL.min(last.bytes);
    Ok(zeros(file.data_start() + last.end() - length, length))
}

/// The down-projection of the first block's first expert. Experts are the slowest dimension, so each is one piece.
fn expert(file: &GgufFile) -> Result<Patch, Refusal> {
    let is_experts = |tensor: &&TensorInfo| tensor.name.ends_with(".ffn_down_exps.weight");
    let experts = file.tensors().iter().find(is_experts);
    let experts = experts.ok_or_else(|| failed("the file has no experts; ask a mixture-of-experts model"))?;
    let count = experts.dims.last().copied().unwrap_or(1).max(1);
    Ok(zeros(file.data_start() + experts.offset, experts.bytes / count))
}

fn rope_base(file: &GgufFile) -> Result<Patch, Refusal> {
    let pair = file.metadata().iter().find(|(key, _)| key.ends_with(".rope.freq_base"));
    let Some((key, Value::F32(base))) = pair else {
        return Err(failed("the file names no RoPE base; ask a model that does"));
    };
    let mut header = Vec::new();
    let read = File::open(file.path()).and_then(|open| open.take(file.data_start()).read_to_end(&mut header));
    read.map_err(|error| failed(&error.to_string()))?;
    let needle = [key.as_bytes(), &TYPE_F32.to_le_bytes(), &base.to_le_bytes()].concat();
    let at = header.windows(needle.len()).position(|window| window == needle);
    let at = at.ok_or_else(|| failed("the RoPE base is not where the file says"))? + needle.len() - 4;
    // Llama 2's base where the file has another, else Llama 3's.
    let wrong: f32 = if *base == 10_000.0 { 500_000.0 } else { 10_000.0 };
    Ok(Patch { at: at as u64, bytes: wrong.to_le_bytes().to_vec() })
}

fn zeros(at: u64, length: u64) -> Patch {
    Patch { at, bytes: vec![0; length as usize] }
}

fn copy(path: &Path, patch: &Patch) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut copy = tempfile::Builder::new().prefix(".damaged-").suffix(".gguf").tempfile_in(folder)?;
    io::copy(&mut File::open(path)?, &mut copy)?;
    copy.seek(SeekFrom::Start(patch.at))?;
    copy.write_all(&patch.bytes)?;
    copy.flush()?;
    Ok(copy)
}

fn failed(message: &str) -> Refusal {
    refuse(Layer::Load, RefusalCode::Unsupported, format!("this fault cannot be made here: {message}"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use gguf::fixtures::by_name;

    use super::*;

    /// The byte offsets at which the damaged copy differs, first and last, and what became of the copy.
    fn differences(fault: Fault, model: &str) -> (usize, usize, usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = by_name(model).unwrap().write_to(folder.path()).unwrap();
        let copy = damaged(fault, &path).unwrap().expect("a damaged copy");
        let (sound, broken) = (fs::read(&path).unwrap(), fs::read(copy.path()).unwrap());
        assert_eq!((sound.len(), copy.path().parent()), (broken.len(), Some(folder.path())));
        drop(copy);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the copy is removed");
        let at: Vec<usize> = (0..sound.len()).filter(|&at| sound[at] != broken[at]).collect();
        (at[0], at[at.len() - 1], sound.len())
    }

    #[test]
    fn damage_is_done_to_a_copy_and_only_where_it_says() {
        let (first, last, length) = differences(Fault::TensorTailZeroed, "random-llama");
        assert!(last < length && first >= last - TAIL as usize, "{first} to {last} of {length}");
        let (first, last, _) = differences(Fault::RopeBaseWrong, "random-llama");
        assert!(last - first < 4, "{first} to {last}");
        let (first, last, length) = differences(Fault::ExpertZeroed, "random-qwen3moe");
        assert!(last < length && last - first > 1000, "{first} to {last} of {length}");
    }

    #[test]
    fn what_a_file_lacks_cannot_be_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let path = by_name("random-llama").unwrap().write_to(folder.path()).unwrap();
        assert!(damaged(Fault::Abort, &path).unwrap().is_none());
        let refusal = damaged(Fault::ExpertZeroed, &path).unwrap_err();
        assert!(refusal.message.contains("mixture-of-experts"), "{}", refusal.message);
        assert!(damaged(Fault::TensorTailZeroed, &folder.path().join("gone.gguf")).is_err());
    }
}
