//! The bytes of metadata values, little-endian.

use super::{Array, Value};

/// Appends a string: its length in bytes as u64, then the bytes.
pub(super) fn put_string(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(&(text.len() as u64).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

/// Appends a value without its type.
pub(super) fn put_value(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::U8(n) => out.push(*n),
        Value::I8(n) => out.extend_from_slice(&n.to_le_bytes()),
        Value::U16(n) => out.extend_from_slice(&n.to_le_bytes()),
        Value::I16(n) => out.extend_from_slice(&n.to_le_bytes()),
        Value::U32(n) => out.extend_from_slice(&n.to_le_bytes()),
        Value::I32(n) => out.extend_from_slice(&n.to_le_bytes()),
        Value::U64(n) => out.extend_from_slice(&n.to_le_bytes()),
        Value::I64(n) => out.extend_from_slice(&n.to_le_bytes()),
        Value::F32(n) => out.extend_from_slice(&n.to_le_bytes()),
        Value::F64(n) => out.extend_from_slice(&n.to_le_bytes()),
        Value::Bool(yes) => out.push((*yes).into()),
        Value::String(text) => put_string(out, text),
        Value::Array(array) => put_array(out, array),
    }
}

/// Appends an array: the type of its elements, their number as u64, then the elements.
fn put_array(out: &mut Vec<u8>, array: &Array) {
    out.extend_from_slice(&array.value_type().number().to_le_bytes());
    out.extend_from_slice(&(array.len() as u64).to_le_bytes());
    match array {
        Array::U8(list) => out.extend_from_slice(list),
        Array::I8(list) => list.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes())),
        Array::U16(list) => list.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes())),
        Array::I16(list) => list.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes())),
        Array::U32(list) => list.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes())),
        Array::I32(list) => list.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes())),
        Array::U64(list) => list.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes())),
        Array::I64(list) => list.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes())),
        Array::F32(list) => list.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes())),
        Array::F64(list) => list.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes())),
        Array::Bool(list) => out.extend(list.iter().map(|&yes| u8::from(yes))),
        Array::String(list) => list.iter().for_each(|text| put_string(out, text)),
        Array::Array(list) => list.iter().for_each(|inner| put_array(out, inner)),
    }
}
