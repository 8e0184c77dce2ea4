//! Any bytes are read as a GGUF file and checked as one: nothing may panic, overflow, hang, or take more memory than
//! the file's own size can justify. `cargo xtask fuzz` builds and runs it.
#![forbid(unsafe_code)]
#![no_main]

use std::alloc::System;

use cap::Cap;
use gguf::GgufFile;
use gguf::integrity::check_bytes;
use libfuzzer_sys::fuzz_target;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// As in tests/memory.rs.
const BYTES_A_BYTE: usize = 24;
const BYTES_ALWAYS: usize = 4 << 20;

fuzz_target!(|bytes: &[u8]| {
    let limit = ALLOCATOR.allocated() + BYTES_ALWAYS + BYTES_A_BYTE * bytes.len();
    ALLOCATOR.set_limit(limit).expect("the limit is above what is allocated");
    let outcome = check_bytes(bytes).expect("memory can be read");
    if let Ok(file) = GgufFile::from_bytes(bytes) {
        let _ = (file.tokens(), file.chat_template(), file.architecture_u64("block_count"));
        let whole = file.needed_bytes() <= file.file_bytes();
        assert!(whole || !outcome.sound, "a file whose end is missing was called sound");
    } else {
        assert!(!outcome.sound, "a file that cannot be read was called sound");
    }
    drop(outcome);
    ALLOCATOR.set_limit(usize::MAX).expect("no limit is below what is allocated");
});
