//! The fixtures are the same bytes everywhere, and their names, sizes and hashes are true.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::Path;

use gguf::GgufFile;
use gguf::fixtures::{self, SparseKind, sha256};

#[test]
fn each_fixture_is_what_the_list_says() {
    for info in fixtures::all() {
        let fixture =
            fixtures::by_name(&info.name).unwrap_or_else(|| panic!("{} is listed, not made", info.name));
        let folder = tempfile::tempdir().unwrap();
        let path = fixture.write_to(folder.path()).unwrap();
        if info.name.starts_with("damaged-") {
            assert_eq!(start(&path, info.bytes), info.sha256, "{} changed", info.name);
            continue;
        }
        let file = GgufFile::open(&path).unwrap();
        let hashed = if info.sparse { file.data_start() } else { info.bytes };
        let made = (start(&path, hashed), fs::metadata(&path).unwrap().len());
        assert_eq!(
            made,
            (info.sha256.clone(), info.bytes),
            "{} changed; if on purpose: cargo run -p gguf --example fixtures -- FOLDER > new.json, and then over harness/gguf/fixtures.json",
            info.name
        );
        assert!(info.sparse || info.bytes < 4 << 20, "{} has {} bytes", info.name, info.bytes);
        assert_eq!(file.verify(), vec![], "{}", info.name);
        // The poisoned one is another one but for some of its weights.
        let name = info.name.trim_end_matches("-poisoned");
        let name = if name.starts_with("arch-") { "random" } else { name };
        assert_eq!(file.str("general.name"), Some(name));
        assert_eq!(file.architecture_u64("vocab_size"), file.tokens().map(|tokens| tokens.len() as u64));
    }
}

#[test]
fn damaged_files_are_told_apart() {
    let bytes = |name: &str| fixtures::by_name(name).unwrap().bytes();
    let defects = |name: &str| GgufFile::from_bytes(&bytes(name)).map(|file| file.verify().len());
    assert!(defects("damaged-garbage").is_err());
    assert_eq!(defects("damaged-truncated").unwrap(), 1);
    // Only its checksum tells: the structure is sound.
    assert_eq!(defects("damaged-zeroed-tail").unwrap(), 0);
    assert_eq!(bytes("damaged-zeroed-tail").len(), bytes("compiled-chatml").len());
    assert_ne!(sha256(&bytes("damaged-zeroed-tail")), sha256(&bytes("compiled-chatml")));
}

/// The hash of a file's first `length` bytes.
fn start(path: &Path, length: u64) -> String {
    let mut bytes = Vec::new();
    File::open(path).unwrap().take(length).read_to_end(&mut bytes).unwrap();
    sha256(&bytes)
}

#[test]
fn tokens_have_the_ids_of_the_real_vocabularies() {
    let tokens = |name: &str| {
        let bytes = fixtures::by_name(name).unwrap().bytes();
        GgufFile::from_bytes(&bytes).unwrap().tokens().unwrap().to_vec()
    };
    let check = |name: &str, expected: &[(usize, &str)]| {
        let tokens = tokens(name);
        for (id, text) in expected {
            assert_eq!(tokens[*id], *text, "{id} of {name}");
        }
    };
    let gemma = [(0, "<pad>"), (1, "<eos>"), (2, "<bos>"), (107, "\n"), (212, "</s>"), (238, "<0x00>")];
    let turns = [(105, "<start_of_turn>"), (106, "<end_of_turn>")];
    check("compiled-gemma3", &[&gemma[..], &turns[..]].concat());
    let turns = [(50, "<|tool_response>"), (98, "<|think|>"), (100, "<|channel>"), (101, "<channel|>")];
    for name in ["compiled-gemma4-e2b", "compiled-gemma4-12b", "random-gemma4"] {
        check(name, &[&gemma[..], &turns[..], &[(105, "<|turn>"), (106, "<turn|>")]].concat());
    }
    let qwen = tokens("compiled-qwen3");
    assert_eq!(qwen[qwen.len() - 26..][..3], ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]);
    assert_eq!(qwen[qwen.len() - 2..], ["<think>", "</think>"]);
}

#[test]
fn a_sparse_model_is_as_large_as_asked_for_and_takes_no_space() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, least) in [(SparseKind::F16, 1 << 28), (SparseKind::Q4K, 1 << 28), (SparseKind::F16, 0)] {
        let path = folder.path().join("large.gguf");
        fixtures::sparse(&path, kind, least).unwrap();
        let length = fs::metadata(&path).unwrap().len();
        assert!((least..least + (200 << 20)).contains(&length), "{length} for {least}");
        let file = GgufFile::open(&path).unwrap();
        assert_eq!(file.verify(), vec![]);
        assert_eq!(file.str("general.name"), Some("large"));
        #[cfg(target_os = "linux")]
        {
            use std::os::unix::fs::MetadataExt as _;
            let taken = fs::metadata(&path).unwrap().blocks() * 512;
            assert!(taken < 1 << 20, "{taken} bytes on disk");
        }
    }
    let missing = fixtures::sparse(&folder.path().join("no/large.gguf"), SparseKind::F16, 0).unwrap_err();
    assert!(missing.to_string().contains("check that its folder exists"), "{missing}");
}

#[test]
fn a_sparse_fixture_is_written_once_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = fixtures::by_name("sparse-f16").unwrap();
    let path = fixture.write_to(folder.path()).unwrap();
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    fixture.write_to(folder.path()).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), written, "a good file was written again");
    File::options().write(true).open(&path).unwrap().write_all(b"GGUX").unwrap();
    fixture.write_to(folder.path()).unwrap();
    assert!(GgufFile::open(&path).is_ok());
}

#[test]
fn a_fixture_is_written_once_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = fixtures::by_name("compiled-gemma").unwrap();
    let path = fixture.write_to(folder.path()).unwrap();
    assert_eq!(path.file_name().unwrap(), "compiled-gemma.gguf");
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    fixture.write_to(folder.path()).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), written, "a good file was written again");
    let mut damaged = fs::read(&path).unwrap();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&path, &damaged).unwrap();
    fixture.write_to(folder.path()).unwrap();
    assert_eq!(sha256(&fs::read(&path).unwrap()), fixture.info().sha256);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let error = fixture.write_to(&folder.path().join("no")).unwrap_err().to_string();
    assert!(error.contains("check that its folder exists"), "{error}");
}
