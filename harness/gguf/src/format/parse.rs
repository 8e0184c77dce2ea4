//! From the bytes of a header to a [`GgufFile`].

use std::collections::{HashMap, HashSet};
use std::io::{Read, Seek};
use std::path::Path;

use super::source::Source;
use super::{Fault, GgufFile, Place, ReadError, TensorInfo, TensorType, Value, ValueType};

/// Alignment where `general.alignment` says nothing.
const DEFAULT_ALIGNMENT: u32 = 32;
/// Fewest bytes of a key with its value: length, type, one byte.
const LEAST_PAIR: u64 = 8 + 4 + 1;
/// Fewest bytes of a tensor's description: length, rank, one dimension, type, offset.
const LEAST_TENSOR: u64 = 8 + 4 + 8 + 4 + 8;

/// Reads a header.
pub(super) fn parse(file: impl Read + Seek, path: &Path) -> Result<GgufFile, ReadError> {
    let at = |place, offset, fault| ReadError { path: path.to_owned(), place, offset, fault };
    let mut source = Source::new(file).map_err(|fault| at(Place::Header, 0, fault))?;
    read(&mut source, path).map_err(|fault| at(source.place.clone(), source.position(), fault))
}

fn read<R: Read + Seek>(source: &mut Source<R>, path: &Path) -> Result<GgufFile, Fault> {
    let version = version(source)?;
    let tensor_count = source.u64()?;
    let pair_count = source.u64()?;
    source.expect("tensors", tensor_count, LEAST_TENSOR)?;
    source.expect("metadata keys", pair_count, LEAST_PAIR)?;
    let (metadata, by_key) = metadata(source, pair_count)?;
    let alignment = match by_key.get("general.alignment").map(|&index| &metadata[index].1) {
        None => DEFAULT_ALIGNMENT,
        Some(Value::U32(alignment)) if alignment.is_power_of_two() => *alignment,
        Some(_) => {
            source.place = Place::Value("general.alignment".to_owned());
            return Err(Fault::Alignment);
        }
    };
    let tensors = tensors(source, tensor_count)?;
    Ok(GgufFile {
        path: path.to_owned(),
        version,
        alignment,
        metadata,
        tensors,
        data_start: source.position().next_multiple_of(alignment.into()),
        file_bytes: source.end(),
        by_key,
    })
}

fn version<R: Read + Seek>(source: &mut Source<R>) -> Result<u32, Fault> {
    let magic = source.take()?;
    if &magic != b"GGUF" {
        return Err(Fault::Magic(magic));
    }
    match source.u32()? {
        version @ (2 | 3) => Ok(version),
        swapped if (1..=3).contains(&swapped.swap_bytes()) => Err(Fault::BigEndian),
        other => Err(Fault::Version(other)),
    }
}

type Metadata = (Vec<(String, Value)>, HashMap<String, usize>);

fn metadata<R: Read + Seek>(source: &mut Source<R>, count: u64) -> Result<Metadata, Fault> {
    let mut pairs = Vec::new();
    let mut by_key = HashMap::new();
    for index in 0..count {
        source.place = Place::Key(index);
        let key = source.name()?;
        source.place = Place::Value(key.clone());
        if by_key.insert(key.clone(), pairs.len()).is_some() {
            return Err(Fault::Twice);
        }
        let value = value(source)?;
        pairs.push((key, value));
    }
    Ok((pairs, by_key))
}

fn value<R: Read + Seek>(source: &mut Source<R>) -> Result<Value, Fault> {
    Ok(match source.value_type()? {
        ValueType::U8 => Value::U8(u8::from_le_bytes(source.take()?)),
        ValueType::I8 => Value::I8(i8::from_le_bytes(source.take()?)),
        ValueType::U16 => Value::U16(u16::from_le_bytes(source.take()?)),
        ValueType::I16 => Value::I16(i16::from_le_bytes(source.take()?)),
        ValueType::U32 => Value::U32(source.u32()?),
        ValueType::I32 => Value::I32(i32::from_le_bytes(source.take()?)),
        ValueType::U64 => Value::U64(source.u64()?),
        ValueType::I64 => Value::I64(i64::from_le_bytes(source.take()?)),
        ValueType::F32 => Value::F32(f32::from_le_bytes(source.take()?)),
        ValueType::F64 => Value::F64(f64::from_le_bytes(source.take()?)),
        ValueType::Bool => Value::Bool(source.bool()?),
        ValueType::String => Value::String(source.string()?),
        ValueType::Array => Value::Array(source.array(0)?),
    })
}

fn tensors<R: Read + Seek>(source: &mut Source<R>, count: u64) -> Result<Vec<TensorInfo>, Fault> {
    let mut tensors = Vec::new();
    let mut names = HashSet::new();
    for index in 0..count {
        source.place = Place::TensorName(index);
        let name = source.name()?;
        source.place = Place::Tensor(name.clone());
        if !names.insert(name.clone()) {
            return Err(Fault::Twice);
        }
        tensors.push(tensor(source, name)?);
    }
    Ok(tensors)
}

fn tensor<R: Read + Seek>(source: &mut Source<R>, name: String) -> Result<TensorInfo, Fault> {
    let rank = source.u32()?;
    if !(1..=4).contains(&rank) {
        return Err(Fault::Rank(rank));
    }
    let dims = (0..rank).map(|_| source.u64()).collect::<Result<Vec<_>, _>>()?;
    let number = source.u32()?;
    let kind = TensorType::from_number(number).ok_or(Fault::TensorType(number))?;
    let offset = source.u64()?;
    match kind.bytes(&dims) {
        Some(bytes) => Ok(TensorInfo { name, dims, kind, offset, bytes }),
        None => Err(Fault::Dims { kind: kind.name(), dims }),
    }
}
