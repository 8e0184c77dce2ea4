//! The fixtures are the same bytes everywhere, and their names, sizes and hashes are true.

use std::fs;

use gguf::GgufFile;
use gguf::fixtures::{self, sha256};

#[test]
fn each_fixture_is_what_the_list_says() {
    for info in fixtures::all() {
        let fixture =
            fixtures::by_name(&info.name).unwrap_or_else(|| panic!("{} is listed, not made", info.name));
        let bytes = fixture.bytes();
        let made = (sha256(&bytes), bytes.len() as u64);
        assert_eq!(
            made,
            (info.sha256.clone(), info.bytes),
            "{} changed; if on purpose: cargo run -p gguf --example fixtures -- FOLDER > harness/gguf/fixtures.json",
            info.name
        );
        assert!(bytes.len() < 4 << 20, "{} has {} bytes", info.name, bytes.len());
        let file = GgufFile::from_bytes(&bytes).unwrap();
        assert_eq!(file.verify(), vec![], "{}", info.name);
        assert_eq!(file.str("general.name"), Some(info.name.as_str()));
        assert_eq!(file.architecture_u64("vocab_size"), file.tokens().map(|tokens| tokens.len() as u64));
    }
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
    assert!(error.contains("create its folder"), "{error}");
}
