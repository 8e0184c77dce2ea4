//! Whatever is written is read back.

use std::fs;

use gguf::{Array, Data, GgufFile, TensorType, Value, Writer};
use proptest::prelude::*;

fn numbers() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<u8>().prop_map(Value::U8),
        any::<i8>().prop_map(Value::I8),
        any::<u16>().prop_map(Value::U16),
        any::<i16>().prop_map(Value::I16),
        any::<u32>().prop_map(Value::U32),
        any::<i32>().prop_map(Value::I32),
        any::<u64>().prop_map(Value::U64),
        any::<i64>().prop_map(Value::I64),
        (-1e30_f32..1e30).prop_map(Value::F32),
        (-1e300_f64..1e300).prop_map(Value::F64),
        any::<bool>().prop_map(Value::Bool),
    ]
}

fn arrays() -> impl Strategy<Value = Array> {
    let flat = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..9).prop_map(Array::U8),
        proptest::collection::vec(any::<i8>(), 0..9).prop_map(Array::I8),
        proptest::collection::vec(any::<u16>(), 0..9).prop_map(Array::U16),
        proptest::collection::vec(any::<i16>(), 0..9).prop_map(Array::I16),
        proptest::collection::vec(any::<u32>(), 0..9).prop_map(Array::U32),
        proptest::collection::vec(any::<i32>(), 0..9).prop_map(Array::I32),
        proptest::collection::vec(any::<u64>(), 0..9).prop_map(Array::U64),
        proptest::collection::vec(any::<i64>(), 0..9).prop_map(Array::I64),
        proptest::collection::vec(-1e30_f32..1e30, 0..9).prop_map(Array::F32),
        proptest::collection::vec(-1e300_f64..1e300, 0..9).prop_map(Array::F64),
        proptest::collection::vec(any::<bool>(), 0..9).prop_map(Array::Bool),
        proptest::collection::vec(".{0,9}", 0..9).prop_map(Array::String),
    ];
    flat.prop_recursive(2, 16, 4, |inner| proptest::collection::vec(inner, 0..4).prop_map(Array::Array))
}

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![numbers(), ".{0,40}".prop_map(Value::String), arrays().prop_map(Value::Array)]
}

fn tensors() -> impl Strategy<Value = (TensorType, Vec<u64>, bool)> {
    let kinds = proptest::sample::select(TensorType::ALL);
    (kinds, proptest::collection::vec(1..5_u64, 1..5), any::<bool>()).prop_map(|(kind, mut dims, sparse)| {
        dims[0] *= kind.block_elements();
        (kind, dims, sparse)
    })
}

proptest! {
    #[test]
    fn a_file_is_read_as_it_was_written(
        pairs in proptest::collection::btree_map("[a-z.]{1,20}", values(), 0..8),
        tensors in proptest::collection::btree_map("[a-z.]{1,20}", tensors(), 0..6),
        alignment in 3..8_u32,
    ) {
        let mut writer = Writer::new("llama");
        writer.align(1 << alignment).unwrap();
        for (key, value) in &pairs {
            writer.set(key, value.clone());
        }
        for (name, (kind, dims, sparse)) in &tensors {
            let bytes = kind.bytes(dims).unwrap();
            let data = if *sparse { Data::Zeros } else { Data::Bytes(vec![7; bytes as usize]) };
            writer.tensor(name, dims, *kind, data).unwrap();
        }
        let bytes = writer.to_bytes();
        let file = GgufFile::from_bytes(&bytes).unwrap();
        prop_assert_eq!(file.file_bytes(), writer.file_bytes());
        prop_assert_eq!(file.alignment(), 1 << alignment);
        for (key, value) in &pairs {
            prop_assert_eq!(file.get(key), Some(value));
        }
        prop_assert_eq!(file.tensors().len(), tensors.len());
        for (name, (kind, dims, sparse)) in &tensors {
            let tensor = file.tensor(name).unwrap();
            prop_assert_eq!((tensor.kind, &tensor.dims), (*kind, dims));
            let start = (file.data_start() + tensor.offset) as usize;
            let expected = if *sparse { 0 } else { 7 };
            prop_assert!(bytes[start..start + tensor.bytes as usize].iter().all(|byte| *byte == expected));
        }
        prop_assert_eq!(file.verify(), vec![]);
    }
}

#[test]
fn a_file_on_disk_is_the_file_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    let mut writer = Writer::new("llama");
    writer.zeros("first", &[32, 3], TensorType::F16).unwrap();
    writer.f32("middle", &[2, 2], &[1.0, 2.0, 3.0, 4.0]).unwrap();
    writer.f16("last", &[3], &[0.5, -0.5, 65504.0]).unwrap();
    writer.write_to(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), writer.to_bytes());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a temporary file was left");
}

#[cfg(unix)]
#[test]
fn zeros_take_no_space_on_disk() {
    use std::os::unix::fs::MetadataExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sparse.gguf");
    let mut writer = Writer::new("llama");
    writer.zeros("huge", &[1 << 20, 1 << 8], TensorType::F16).unwrap();
    writer.write_to(&path).unwrap();
    let metadata = fs::metadata(&path).unwrap();
    assert_eq!(metadata.len(), writer.file_bytes());
    assert!(metadata.blocks() * 512 < 1 << 20, "{} blocks are not sparse", metadata.blocks());
    assert_eq!(GgufFile::open(&path).unwrap().verify(), vec![]);
}

#[test]
fn halves_are_rounded_to_the_nearest_even() {
    let mut writer = Writer::new("llama");
    writer.f16("t", &[4], &[1.0 + 1.0 / 2048.0, 1.0 + 3.0 / 2048.0, 1e6, 1.0 / 65536.0]).unwrap();
    let bytes = writer.to_bytes();
    let file = GgufFile::from_bytes(&bytes).unwrap();
    let start = file.data_start() as usize;
    assert_eq!(bytes[start..start + 8], [0x00, 0x3c, 0x02, 0x3c, 0x00, 0x7c, 0x00, 0x01]);
}

#[test]
fn typed_access() {
    let mut writer = Writer::new("llama");
    writer.set("llama.context_length", 512_u32).set("yes", true).set("tokenizer.chat_template", "{{ x }}");
    writer.set("tokenizer.ggml.tokens", vec!["a".to_owned(), "b".to_owned()]).set("negative", -1_i32);
    writer.set("yes", false);
    let file = GgufFile::from_bytes(&writer.to_bytes()).unwrap();
    assert_eq!(file.architecture(), Some("llama"));
    assert_eq!(file.architecture_u64("context_length"), Some(512));
    assert_eq!(file.chat_template(), Some("{{ x }}"));
    assert_eq!(file.tokens().unwrap(), ["a", "b"]);
    assert_eq!((file.bool("yes"), file.u64("negative"), file.str("yes")), (Some(false), None, None));
    assert_eq!(file.metadata().len(), 6);
}

#[test]
fn a_writer_refuses_what_no_reader_could_use() {
    let refuses = |dims: &[u64], kind, data, message: &str| {
        let mut writer = Writer::new("llama");
        writer.f32("taken", &[1], &[0.0]).unwrap();
        let name = if message.contains("two tensors") { "taken" } else { "t" };
        let error = writer.tensor(name, dims, kind, data).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    };
    refuses(&[2], TensorType::F32, Data::Bytes(vec![0; 7]), "needs 8 bytes, but has 7");
    refuses(&[33], TensorType::Q8_0, Data::Zeros, "cannot have dimensions [33]");
    refuses(&[], TensorType::F32, Data::Zeros, "cannot have dimensions []");
    refuses(&[u64::MAX, 2], TensorType::F32, Data::Zeros, "cannot have dimensions");
    refuses(&[1], TensorType::F32, Data::Zeros, "two tensors \"taken\"");
    assert!(Writer::new("llama").align(24).unwrap_err().to_string().contains("use 32"));
    let gone = tempfile::tempdir().unwrap().path().join("no/model.gguf");
    assert!(
        Writer::new("llama")
            .write_to(&gone)
            .unwrap_err()
            .to_string()
            .contains("check that its folder exists")
    );
}
