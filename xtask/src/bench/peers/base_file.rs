//! The head of the file that `llama-perplexity --kl-divergence-base` writes: which tokens were scored.
//!
//! llama.cpp, tools/perplexity/perplexity.cpp: `_logits_`, then little-endian 32-bit numbers: tokens a chunk, size of the
//! vocabulary, chunks, and every chunk's tokens. Log-probabilities follow, which nobody needs here.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

/// Its first bytes.
const MAGIC: &[u8; 8] = b"_logits_";

/// The most tokens that are believed: 64 MiB of ids.
const MOST: usize = 1 << 24;

/// What was scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BaseFile {
    /// The tokens of each chunk. Each was scored in an empty context.
    pub(crate) chunks: Vec<Vec<i32>>,
}

impl BaseFile {
    /// Reads the head of the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read or is no such file.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let parse = |file: File| Self::parse(BufReader::new(file));
        let read = File::open(path).map_err(anyhow::Error::from).and_then(parse);
        read.with_context(|| format!("{} is not what llama-perplexity writes", path.display()))
    }

    fn parse(mut input: impl Read) -> Result<Self> {
        let mut magic = [0; MAGIC.len()];
        input.read_exact(&mut magic)?;
        ensure!(magic == *MAGIC, "it begins with {magic:?}");
        let mut number = || -> Result<i32> {
            let mut bytes = [0; 4];
            input.read_exact(&mut bytes)?;
            Ok(i32::from_le_bytes(bytes))
        };
        let size = usize::try_from(number()?)?;
        number()?;
        let count = usize::try_from(number()?)?;
        let total = size.checked_mul(count).filter(|total| (1..=MOST).contains(total));
        ensure!(total.is_some(), "it says that it holds {count} chunks of {size} tokens");
        let chunk = |_| (0..size).map(|_| number()).collect::<Result<Vec<i32>>>();
        Ok(Self { chunks: (0..count).map(chunk).collect::<Result<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(head: &[u8], numbers: &[i32]) -> Vec<u8> {
        let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
        head.iter().copied().chain(numbers).chain([0; 40]).collect()
    }

    #[test]
    fn chunks_of_tokens() {
        let bytes = file(MAGIC, &[3, 99, 2, 1, 2, 3, 4, 5, 6]);
        let chunks = vec![vec![1, 2, 3], vec![4, 5, 6]];
        assert_eq!(BaseFile::parse(&bytes[..]).unwrap(), BaseFile { chunks });
    }

    #[test]
    fn what_is_no_such_file_is_an_error_and_takes_no_memory() {
        for (bytes, problem) in [
            (file(b"GGUF\x03\0\0\0", &[1, 1, 1, 1]), "it begins with"),
            (file(MAGIC, &[0, 9, 1]), "holds 1 chunks of 0 tokens"),
            (file(MAGIC, &[i32::MAX, 9, i32::MAX]), "it says that it holds"),
            (file(MAGIC, &[-1, 9, 2]), "out of range"),
            (MAGIC.to_vec(), "failed to fill whole buffer"),
            (file(MAGIC, &[4096, 9, 4096]), "failed to fill whole buffer"),
        ] {
            let error = format!("{:#}", BaseFile::parse(&bytes[..]).unwrap_err());
            assert!(error.contains(problem), "{error}");
        }
    }
}
