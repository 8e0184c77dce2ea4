//! What the fuzzer starts from, and what it once found, is read without a panic, in every test run.

use std::fs;
use std::path::Path;

use gguf::GgufFile;
use gguf::integrity::check_bytes;

#[test]
fn every_seed_is_read_and_checked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let mut sound = 0;
    let mut bytes = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let seed = fs::read(&path).unwrap();
        let outcome = check_bytes(&seed).unwrap();
        let header = GgufFile::from_bytes(&seed).is_ok();
        assert!(header || !outcome.sound, "{} cannot be read and was called sound", path.display());
        sound += usize::from(outcome.sound);
        bytes += seed.len();
    }
    assert!(sound >= 5, "{sound} sound seeds in {}", folder.display());
    assert!(bytes < 256 << 10, "{bytes} bytes of seeds: keep the smallest that show something");
}
