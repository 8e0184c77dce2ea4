//! What a header says is never believed further than the file reaches: memory stays below a multiple of the file's
//! size, whatever the file claims, and below a few megabytes, whatever its weights are.
#![forbid(unsafe_code)]

use std::alloc::System;

use cap::Cap;
use gguf::integrity::{ProblemCode, check_bytes};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Most bytes of memory for a byte of the file: an empty text of 8 bytes is one of 24 here, in a list that grows by
/// doubling.
const BYTES_A_BYTE: usize = 24;
/// Buffers and problems.
const BYTES_ALWAYS: usize = 4 << 20;

fn header(tensors: u64, pairs: u64, body: &[u8]) -> Vec<u8> {
    let counts = [tensors.to_le_bytes(), pairs.to_le_bytes()].concat();
    [b"GGUF\x03\0\0\0", &counts[..], body].concat()
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat()
}

/// One key whose value is an array of `count` elements of type `element`.
fn array(element: u32, count: u64, body: &[u8]) -> Vec<u8> {
    let start = [&text("k")[..], &9_u32.to_le_bytes(), &element.to_le_bytes(), &count.to_le_bytes()].concat();
    header(0, 1, &[&start[..], body].concat())
}

fn tensors(count: u64) -> Vec<u8> {
    let one = |index: u64| {
        let numbers = [&1_u32.to_le_bytes()[..], &8_u64.to_le_bytes(), &0_u32.to_le_bytes()].concat();
        // Each begins between two steps, inside the first.
        [text(&format!("{index:x}")), numbers, (index % 5 + 1).to_le_bytes().to_vec()].concat()
    };
    header(count, 0, &(0..count).flat_map(one).collect::<Vec<u8>>())
}

/// Large files that lie, or are all header.
fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    const MANY: u64 = 100_000;
    let body = vec![0; 1 << 20];
    let inner = [&0_u32.to_le_bytes()[..], &0_u64.to_le_bytes()].concat().repeat(MANY as usize);
    let pairs: Vec<u8> = (0..MANY)
        .flat_map(|index| [&text(&format!("{index:x}"))[..], &0_u32.to_le_bytes(), &[1]].concat())
        .collect();
    vec![
        ("more tensors than bytes", header(u64::MAX, 1, &body)),
        ("more keys than bytes", header(1, u64::MAX / 2, &body)),
        (
            "a text longer than the file",
            header(0, 1, &[text("k"), vec![8, 0, 0, 0], vec![0xff; 4096]].concat()),
        ),
        ("empty texts", array(8, 1 << 17, &body)),
        ("truth values", array(7, 1 << 20, &body)),
        ("numbers", array(11, 1 << 17, &body)),
        ("a count that wraps when it is multiplied", array(10, (u64::MAX >> 3) + 2, &body)),
        ("arrays of nothing", array(9, MANY, &inner)),
        ("arrays without end", array(9, 1, &[9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0].repeat(1 << 16))),
        ("small values", header(0, MANY, &pairs)),
        ("small tensors", tensors(MANY)),
    ]
}

/// In one test: the limit is the process's.
#[test]
fn memory_is_bounded_by_the_files_size() {
    for (name, bytes) in hostile() {
        let limit = ALLOCATOR.allocated() + BYTES_ALWAYS + BYTES_A_BYTE * bytes.len();
        println!("{name}: {} bytes, at most {limit}", bytes.len());
        ALLOCATOR.set_limit(limit).unwrap();
        let outcome = check_bytes(&bytes);
        ALLOCATOR.set_limit(usize::MAX).unwrap();
        drop(outcome.unwrap());
    }
    // 64 MiB of weights cost what their buffer does.
    let mut writer = gguf::Writer::new("llama");
    writer.zeros("m", &[1 << 12, 1 << 13], gguf::TensorType::F16).unwrap();
    let bytes = writer.to_bytes();
    ALLOCATOR.set_limit(ALLOCATOR.allocated() + BYTES_ALWAYS).unwrap();
    let outcome = check_bytes(&bytes);
    ALLOCATOR.set_limit(usize::MAX).unwrap();
    assert_eq!(outcome.unwrap().problems[0].code, ProblemCode::ZeroedTail);
}
