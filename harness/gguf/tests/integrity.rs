//! Each way in which a file can be damaged is seen, named and placed, and a sound one raises no alarm.

use std::fs;
use std::path::{Path, PathBuf};

use gguf::integrity::{Expected, Integrity, ProblemCode, Severity, check, check_bytes};
use gguf::{Data, TensorType, Writer, fixtures};
use proptest::prelude::*;

/// A matrix of 64 rows of 256 weights, none of them zero, and a vector.
fn small() -> Writer {
    let mut writer = Writer::new("llama");
    writer.set("llama.rope.freq_base", 1e6_f32);
    writer.f32("vector", &[256], &[1.0; 256]).unwrap();
    writer.f32("matrix", &[256, 64], &vec![0.1; 256 * 64]).unwrap();
    writer.tensor("blocks", &[256, 4], TensorType::Q4_K, Data::Bytes(vec![1; 144 * 4])).unwrap();
    writer.f32("last", &[256, 64], &vec![0.3; 256 * 64]).unwrap();
    writer
}

/// Where the data of `tensor` begins in the bytes of [`small`].
fn start(tensor: &str) -> usize {
    let file = gguf::GgufFile::from_bytes(&small().to_bytes()).unwrap();
    (file.data_start() + file.tensor(tensor).unwrap().offset) as usize
}

fn codes(outcome: &Integrity) -> Vec<ProblemCode> {
    outcome.problems.iter().map(|problem| problem.code).collect()
}

/// Checks [`small`] after `damage`: exactly one problem, of this code, in this tensor, whose message says `part`.
#[track_caller]
fn finds(damage: impl FnOnce(&mut Vec<u8>), code: ProblemCode, tensor: Option<&str>, part: &str) {
    let mut bytes = small().to_bytes();
    damage(&mut bytes);
    let outcome = check_bytes(&bytes).unwrap();
    let [problem] = &outcome.problems[..] else { panic!("{:#?}", outcome.problems) };
    assert_eq!((problem.code, problem.tensor.as_deref()), (code, tensor), "{problem:#?}");
    assert!(problem.message.contains(part), "{}\ndoes not say: {part}", problem.message);
    assert_eq!(outcome.sound, problem.severity != Severity::Error);
}

#[test]
fn a_sound_file_raises_no_alarm() {
    let outcome = check_bytes(&small().to_bytes()).unwrap();
    assert!(outcome.sound && outcome.problems.is_empty(), "{:#?}", outcome.problems);
    let file = &outcome.files[0];
    assert_eq!((file.version, file.keys, file.tensors["f32"], file.tensors["q4_K"]), (Some(3), 2, 3, 1));
}

#[test]
fn each_damage_is_named_and_placed() {
    use ProblemCode::{
        Header, Infinity, MetadataNotFinite, Nan, TrailingBytes, Truncated, ZeroRows, ZeroTensor, ZeroedHole,
        ZeroedTail,
    };
    let (matrix, blocks, last) = (start("matrix"), start("blocks"), start("last"));
    let end = small().to_bytes().len();
    let put = |at: usize, value: f32| {
        move |bytes: &mut Vec<u8>| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes())
    };
    let zero = |from: usize, to: usize| move |bytes: &mut Vec<u8>| bytes[from..to].fill(0);
    let at = matrix + 4 * (256 * 3 + 7);
    let said = format!("has NaN in 1 of 16384 values, first in row 3 at byte {at}");
    finds(put(at, f32::NAN), Nan, Some("matrix"), &said);
    finds(put(at, f32::NEG_INFINITY), Infinity, Some("matrix"), "has infinity in 1 of 16384 values");
    let dmin = blocks + 2 * 144 + 2;
    let scale = |bytes: &mut Vec<u8>| bytes[dmin..dmin + 2].copy_from_slice(&[0, 0x7e]);
    let said =
        format!("\"blocks\" (q4_K) has NaN in 1 of 4 blocks' scales, first in row 2 at byte {}", dmin - 2);
    finds(scale, Nan, Some("blocks"), &said);
    finds(
        |bytes| bytes.truncate(end - 1),
        Truncated,
        Some("last"),
        "1 are missing, first in tensor \"last\"",
    );
    finds(|bytes| bytes.extend([7; 33]), TrailingBytes, None, "33 bytes follow the last tensor");
    finds(|bytes| bytes[0] = b'X', Header, None, "header, byte 4: begins with");
    finds(zero(end - 9000, end), ZeroedTail, Some("last"), "the last 9000 bytes are zeros");
    finds(zero(last, end), ZeroedTail, Some("last"), "the last 65536 bytes are zeros");
    finds(zero(blocks - 6000, end), ZeroedTail, Some("matrix"), "beginning in tensor \"matrix\"");
    finds(zero(matrix + 1500, matrix + 9000), ZeroedHole, Some("matrix"), "7500 bytes are zeros");
    finds(zero(matrix, blocks), ZeroTensor, Some("matrix"), "nothing but zeros, 65536 bytes");
    finds(zero(matrix + 1024 * 8, matrix + 1024 * 16), ZeroRows, Some("matrix"), "8192 bytes of tensor");
    finds(zero(last + 1024 * 32, end), ZeroRows, Some("last"), "whole rows of zeros");
    let base = small().to_bytes().windows(4).position(|bytes| *bytes == 1e6_f32.to_le_bytes()).unwrap();
    finds(put(base, f32::INFINITY), MetadataNotFinite, None, "llama.rope.freq_base is inf");
}

#[test]
fn vectors_may_be_zero() {
    let mut writer = Writer::new("llama");
    writer.f32("matrix", &[256, 64], &vec![0.1; 256 * 64]).unwrap();
    writer.f32("bias", &[8192], &[0.0; 8192]).unwrap();
    let outcome = check_bytes(&writer.to_bytes()).unwrap();
    assert_eq!(codes(&outcome), []);
}

#[test]
fn tensors_that_lie_wrongly_are_told_with_their_bytes() {
    let name = [&5_u64.to_le_bytes()[..], b"first"].concat();
    let moved = |offset: u64| {
        let mut writer = Writer::new("llama");
        writer.f32("zeroth", &[64], &[1.0; 64]).unwrap().f32("first", &[64], &[1.0; 64]).unwrap();
        let mut bytes = writer.to_bytes();
        let at = bytes.windows(name.len()).position(|window| window == name).unwrap() + name.len() + 16;
        bytes[at..at + 8].copy_from_slice(&offset.to_le_bytes());
        check_bytes(&bytes).unwrap()
    };
    assert_eq!(codes(&moved(256)), []);
    assert_eq!(codes(&moved(0))[0], ProblemCode::Overlap);
    assert!(codes(&moved(250)).contains(&ProblemCode::Misaligned));
    let wrapped = moved(u64::MAX - 31);
    assert!(codes(&wrapped).contains(&ProblemCode::Truncated) && !wrapped.sound, "{wrapped:#?}");
    assert!(codes(&moved(288)).contains(&ProblemCode::Gap));
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn checked(path: &Path, sums: &[&str]) -> Integrity {
    let sha256 = sums.iter().map(ToString::to_string).collect();
    check(path, &Expected { sha256, source: "the publisher".to_owned() }, &mut |_| ()).unwrap()
}

#[test]
fn a_checksum_convicts_and_excuses() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = small().to_bytes();
    let tail = bytes.len() - 9000;
    bytes[tail..].fill(0);
    let path = write(folder.path(), "m.gguf", &bytes);
    let sum = fixtures::sha256(&bytes);
    let known = checked(&path, &[&sum]);
    assert_eq!((codes(&known), known.sound), (vec![ProblemCode::ZeroedTail], true), "published like this");
    assert_eq!(known.problems[0].severity, Severity::Note);
    assert_eq!(known.files[0].as_said_by.as_deref(), Some("the publisher"));
    let wrong = checked(&path, &[&"0".repeat(64)]);
    assert!(codes(&wrong).contains(&ProblemCode::Checksum) && !wrong.sound);
    assert_eq!((wrong.files[0].sha256.as_str(), &wrong.files[0].as_said_by), (sum.as_str(), &None));
}

/// A part with one tensor of its own.
fn part(number: u16, count: u16, tensors: i32, name: &str) -> Vec<u8> {
    let mut writer = Writer::new("llama");
    writer.set("split.no", number).set("split.count", count).set("split.tensors.count", tensors);
    writer.f32(name, &[32], &[1.0; 32]).unwrap();
    writer.to_bytes()
}

#[test]
fn parts_are_checked_together() {
    let folder = tempfile::tempdir().unwrap();
    let one = write(folder.path(), "m-00001-of-00002.gguf", &part(0, 2, 2, "a"));
    let alone = checked(&one, &[]);
    assert_eq!(codes(&alone), [ProblemCode::PartMissing]);
    assert!(alone.problems[0].message.contains("first m-00002-of-00002.gguf"), "{alone:#?}");
    let two = write(folder.path(), "m-00002-of-00002.gguf", &part(1, 2, 2, "b"));
    for path in [&one, &two] {
        let outcome = checked(path, &[]);
        assert_eq!((codes(&outcome), outcome.files.len()), (vec![], 2));
    }
    let sums = [&part(0, 2, 2, "a"), &part(1, 2, 2, "b")].map(|bytes| fixtures::sha256(bytes));
    assert!(checked(&one, &[&sums[0], &sums[1]]).sound);
    assert_eq!(codes(&checked(&one, &[&sums[1], &sums[0]])), [ProblemCode::Checksum; 2]);
    for (bytes, code, said) in [
        (part(1, 2, 2, "a"), ProblemCode::PartTensors, "\"a\" is in two parts"),
        (part(1, 2, 3, "b"), ProblemCode::PartTensors, "hold 2 tensors and say 2 and 3"),
        (part(0, 2, 2, "b"), ProblemCode::PartMismatch, "says that it is part 1 of 2"),
        (small().to_bytes(), ProblemCode::PartMismatch, "says that it is a whole model"),
        (b"nothing".to_vec(), ProblemCode::Header, "begins with"),
    ] {
        fs::write(&two, &bytes).unwrap();
        let outcome = checked(&one, &[]);
        let hit = outcome.problems.iter().find(|problem| problem.code == code);
        assert!(hit.is_some_and(|problem| problem.message.contains(said)), "{outcome:#?}");
    }
    let renamed = write(folder.path(), "renamed.gguf", &part(0, 2, 2, "a"));
    assert_eq!(codes(&checked(&renamed, &[])), [ProblemCode::PartMismatch]);
}

/// The fixtures that are damaged on purpose, and nobody else.
#[test]
fn of_the_fixtures_only_the_damaged_ones_are_found_damaged() {
    use ProblemCode::{Header, Nan, Truncated, ZeroedTail};
    let mut found = Vec::new();
    for info in fixtures::all().iter().filter(|info| !info.sparse) {
        let outcome = check_bytes(&fixtures::by_name(&info.name).unwrap().bytes()).unwrap();
        assert_eq!(outcome.files[0].sha256, info.sha256, "{}", info.name);
        let worst: Vec<_> =
            outcome.problems.iter().filter(|problem| problem.severity > Severity::Note).collect();
        match &worst[..] {
            [] => {}
            [one] => found.push((info.name.as_str(), one.code)),
            several => panic!("{}: {several:#?}", info.name),
        }
    }
    let expected = [
        ("compiled-gemma-poisoned", Nan),
        ("damaged-garbage", Header),
        ("damaged-truncated", Truncated),
        ("damaged-zeroed-tail", ZeroedTail),
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_is_no_regular_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path(), Path::new("/dev/zero"), Path::new("no/such.gguf")] {
        let error = check(path, &Expected::default(), &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains("cannot read it") && error.contains("check the path"), "{error}");
    }
}

proptest! {
    /// No damage to a sound file makes the check panic, and what it says of bytes lies inside the file or at its end.
    #[test]
    fn no_damage_makes_it_panic(
        places in proptest::collection::vec((0..100_000_usize, any::<u8>()), 1..8),
        cut in 0..200_000_usize,
    ) {
        let mut bytes = small().to_bytes();
        for (place, byte) in places {
            let length = bytes.len();
            bytes[place % length] = byte;
        }
        bytes.truncate(cut.max(1));
        let outcome = check_bytes(&bytes).unwrap();
        prop_assert_eq!(&outcome.files[0].sha256, &fixtures::sha256(&bytes));
    }
}
