//! Writes the small files from which `cargo xtask fuzz` starts: `cargo run -p gguf --example seeds -- FOLDER`.

use std::path::Path;

use gguf::{Array, Data, TensorType, Value, Writer, fixtures};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name the folder")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let save = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes);
    for name in ["arch-llama", "arch-gemma4", "damaged-garbage"] {
        let fixture = fixtures::by_name(name).ok_or(name)?;
        save(name, &fixture.bytes())?;
    }
    for &kind in TensorType::ALL {
        save(&format!("type-{kind}"), &one_tensor(kind)?)?;
    }
    save("every-value", &every_value().to_bytes())?;
    save("part", &part()?)?;
    save("zeros", &zeros()?)?;
    Ok(())
}

/// Two blocks of `kind`, one of them with the bits of NaN wherever a number can be.
fn one_tensor(kind: TensorType) -> Result<Vec<u8>, gguf::WriteError> {
    let (elements, bytes) = (kind.block_elements(), kind.block_bytes() as usize);
    let data = [vec![1; bytes], vec![0xff; bytes]].concat();
    let mut writer = Writer::new("llama");
    Ok(writer.tensor("t", &[elements, 2], kind, Data::Bytes(data))?.to_bytes())
}

fn every_value() -> Writer {
    let mut writer = Writer::new("llama");
    let numbers = Array::Array(vec![Array::U8(vec![1, 2]), Array::Array(vec![Array::Bool(vec![true])])]);
    writer
        .set("u8", Value::U8(1))
        .set("i8", Value::I8(-1))
        .set("u16", Value::U16(1))
        .set("i16", Value::I16(-1))
        .set("u32", Value::U32(1))
        .set("i32", Value::I32(-1))
        .set("u64", Value::U64(1))
        .set("i64", Value::I64(-1))
        .set("f32", Value::F32(f32::NAN))
        .set("f64", Value::F64(0.5))
        .set("bool", Value::Bool(true))
        .set("tokenizer.chat_template", "{{ messages }}")
        .set("tokenizer.ggml.tokens", vec!["<s>".to_owned(), "</s>".to_owned(), String::new()])
        .set("scores", Value::Array(Array::F32(vec![0.0, -1.0])))
        .set("nested", Value::Array(numbers));
    writer
}

fn part() -> Result<Vec<u8>, gguf::WriteError> {
    let mut writer = Writer::new("llama");
    writer.set("split.no", 1_u16).set("split.count", 3_u16).set("split.tensors.count", 9_i32);
    writer.align(8)?.f32("a", &[3], &[1.0; 3])?.f32("b", &[1, 1, 1, 1], &[2.0])?;
    Ok(writer.to_bytes())
}

/// A matrix whose middle was never written.
fn zeros() -> Result<Vec<u8>, gguf::WriteError> {
    let mut data = vec![1_u8; 256 * 64];
    data[3_000..9_000].fill(0);
    let mut writer = Writer::new("llama");
    Ok(writer.tensor("m", &[128, 128], TensorType::I8, Data::Bytes(data))?.to_bytes())
}
