//! A file that lies gets one clear error, and never much memory.

use std::path::Path;

use gguf::{Fault, GgufFile, TensorType, Writer};
use proptest::prelude::*;

/// A header with these counts and this body.
fn header(tensors: u64, pairs: u64, body: &[u8]) -> Vec<u8> {
    let mut bytes = b"GGUF\x03\0\0\0".to_vec();
    bytes.extend_from_slice(&tensors.to_le_bytes());
    bytes.extend_from_slice(&pairs.to_le_bytes());
    bytes.extend_from_slice(body);
    bytes
}

fn string(text: &[u8]) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes(), text].concat()
}

fn words(list: &[u64], width: usize) -> Vec<u8> {
    list.iter().flat_map(|word| word.to_le_bytes()[..width].to_vec()).collect()
}

/// A key "k" of this type with this value.
fn pair(value_type: u32, value: &[u8]) -> Vec<u8> {
    [string(b"k"), value_type.to_le_bytes().to_vec(), value.to_vec()].concat()
}

/// A tensor "t".
fn tensor(rank: u32, dims: &[u64], kind: u32) -> Vec<u8> {
    [string(b"t"), rank.to_le_bytes().to_vec(), words(dims, 8), kind.to_le_bytes().to_vec(), words(&[0], 8)]
        .concat()
}

#[track_caller]
fn refuses(bytes: &[u8], message: &str) {
    let error = GgufFile::from_bytes(bytes).expect_err("a hostile file was read").to_string();
    assert!(error.contains(message), "{error}\ndoes not say: {message}");
}

#[test]
fn each_lie_is_named_with_its_place() {
    refuses(b"", "header, byte 0: needs 4 bytes, the file has 0 left");
    refuses(b"GGUFxx", "needs 4 bytes, the file has 2 left");
    refuses(b"PK\x03\x04____", "begins with [50, 4b, 03, 04], not with \"GGUF\"");
    refuses(b"GGUF\x01\0\0\0", "has version 1, known are 2 and 3");
    refuses(b"GGUF\0\0\0\x03", "is a big-endian file");
    refuses(
        &header(u64::MAX, 0, b""),
        "claims 18446744073709551615 tensors, the 0 bytes left hold at most 0",
    );
    refuses(&header(0, 2, &pair(0, &[1])), "claims 2 metadata keys");
    refuses(&header(0, 1, &pair(0, &[])), "value of \"k\", byte 37: needs 1 bytes, the file has 0 left");
    refuses(
        &header(0, 1, &[words(&[1 << 40], 8), vec![0; 20]].concat()),
        "key 0, byte 32: has a name of 1099511627776 bytes",
    );
    refuses(&header(0, 1, &[string(b"\xff\xfe"), vec![0; 9]].concat()), "key 0, byte 34: is no UTF-8 text");
    refuses(&header(0, 1, &pair(13, &[0])), "value of \"k\", byte 37: has the unknown value type 13");
    refuses(&header(0, 1, &pair(7, &[2])), "value of \"k\", byte 38: is the truth value 2");
    refuses(&header(0, 1, &pair(8, &words(&[u64::MAX], 8))), "claims 18446744073709551615 bytes of text");
    let array = |element: u64, count: u64| [words(&[element], 4), words(&[count], 8)].concat();
    refuses(&header(0, 1, &pair(9, &array(8, 1 << 60))), "claims 1152921504606846976 array elements");
    refuses(
        &header(0, 1, &pair(9, &array(12, u64::MAX / 8 + 2))),
        "array elements, the 0 bytes left hold at most 0",
    );
    refuses(&header(0, 1, &pair(9, &array(99, 0))), "has the unknown value type 99");
    refuses(&header(0, 1, &pair(9, &array(9, 1).repeat(5))), "nests arrays more than 3 deep");
    refuses(&header(0, 2, &pair(0, &[1]).repeat(2)), "value of \"k\", byte 47: is there twice");
    refuses(&header(1, 0, &tensor(9, &[1], 0)), "tensor \"t\", byte 37: has 9 dimensions");
    refuses(&header(1, 0, &tensor(1, &[1], 4)), "has the unknown tensor type 4");
    refuses(&header(1, 0, &tensor(1, &[33], 8)), "of type q8_0 cannot have dimensions [33]");
    refuses(&header(1, 0, &tensor(2, &[1 << 40, 1 << 40], 0)), "cannot have dimensions");
    refuses(&header(2, 0, &tensor(1, &[1], 0).repeat(2)), "tensor \"t\", byte 66: is there twice");
    let mut aligned = Writer::new("llama");
    aligned.set("general.alignment", 24_u32);
    refuses(&aligned.to_bytes(), "value of \"general.alignment\"");
}

#[test]
fn a_path_that_is_no_file_is_named() {
    let error = GgufFile::open(Path::new("no/such.gguf")).unwrap_err();
    assert!(matches!(error.fault, Fault::Io(_)));
    assert!(error.to_string().starts_with("no/such.gguf: header, byte 0: "), "{error}");
    let folder = tempfile::tempdir().unwrap();
    assert!(GgufFile::open(folder.path()).unwrap_err().to_string().contains("check the path"));
}

fn small() -> Writer {
    let mut writer = Writer::new("llama");
    writer.set("list", vec!["a".to_owned(), "bc".to_owned()]).set("numbers", vec![1_i32, 2]);
    writer.f32("one", &[4], &[1.0; 4]).unwrap().f32("two", &[16], &[2.0; 16]).unwrap();
    writer
}

#[test]
fn every_truncation_is_seen() {
    let bytes = small().to_bytes();
    let whole = GgufFile::from_bytes(&bytes).unwrap();
    assert_eq!(whole.verify(), vec![]);
    for length in 0..whole.needed_bytes() as usize {
        match GgufFile::from_bytes(&bytes[..length]) {
            Err(_) => assert!(length < whole.data_start() as usize),
            Ok(cut) => {
                assert!(cut.verify()[0].to_string().contains("are missing, first in tensor"), "{length}");
            }
        }
    }
}

/// Replaces the offset of tensor "two", the last eight bytes of the header but for padding.
fn with_offset(offset: u64) -> GgufFile {
    let mut bytes = small().to_bytes();
    let name = [&3_u64.to_le_bytes()[..], b"two"].concat();
    let at = bytes.windows(name.len()).position(|window| window == name).unwrap() + name.len() + 4 + 8 + 4;
    bytes[at..at + 8].copy_from_slice(&offset.to_le_bytes());
    GgufFile::from_bytes(&bytes).unwrap()
}

#[test]
fn each_defect_is_found() {
    let finds = |offset, message: &str| {
        let defects: Vec<String> = with_offset(offset).verify().iter().map(ToString::to_string).collect();
        assert!(defects.iter().any(|defect| defect.contains(message)), "{defects:?}\ndo not say: {message}");
    };
    assert_eq!(with_offset(32).verify(), vec![]);
    finds(0, "share 16 bytes");
    finds(33, "starts at 33, no multiple of 32");
    finds(8, "tensors \"one\" and \"two\" share 8 bytes");
    finds(64, "32 bytes that belong to nothing before tensor \"two\"");
    finds(64, "32 are missing, first in tensor \"two\"");
    finds(u64::MAX - 63, "are missing, first in tensor \"two\"");
    let mut long = Writer::new("llama");
    long.zeros(&"x".repeat(64), &[1], TensorType::F32).unwrap();
    assert!(
        GgufFile::from_bytes(&long.to_bytes()).unwrap().verify()[0].to_string().contains("ggml holds 63")
    );
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = GgufFile::from_bytes(&bytes);
        let _ = GgufFile::from_bytes(&header(1, 1, &bytes));
    }

    #[test]
    fn no_damage_makes_it_panic(
        places in proptest::collection::vec((0..400_usize, any::<u8>()), 1..6),
    ) {
        let mut bytes = small().to_bytes();
        for (place, byte) in places {
            let length = bytes.len();
            bytes[place % length] = byte;
        }
        if let Ok(file) = GgufFile::from_bytes(&bytes) {
            let _ = file.verify();
        }
    }
}
