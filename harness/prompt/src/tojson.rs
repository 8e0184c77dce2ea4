//! `tojson` as transformers defines it: Python's `json.dumps(x, ensure_ascii, indent, separators, sort_keys)`
//! with `ensure_ascii=False` by default, and no escaping for HTML.

use std::fmt::Write as _;

use minijinja::{
    Error, ErrorKind, State, Value,
    value::{Kwargs, Rest, ValueKind},
};

/// Values nested deeper than this are an error: a namespace can hold itself.
const MAX_DEPTH: usize = 64;

/// Spaces of one step of indentation.
const MAX_INDENT: usize = 64;

/// The filter. Its arguments, by position or by name, are `ensure_ascii`, `indent`, `separators`, `sort_keys`.
#[expect(clippy::needless_pass_by_value, reason = "the engine passes arguments so")]
pub(crate) fn tojson(
    state: &State<'_, '_>,
    value: &Value,
    positional: Rest<Value>,
    named: Kwargs,
) -> Result<String, Error> {
    if positional.len() > 4 {
        return Err(Error::from(ErrorKind::TooManyArguments));
    }
    let argument = |index: usize, name: &str| -> Result<Option<Value>, Error> {
        let value = match positional.get(index) {
            Some(value) => Some(value.clone()),
            None => named.get(name)?,
        };
        Ok(value.filter(|value| !value.is_none() && !value.is_undefined()))
    };
    let ascii = argument(0, "ensure_ascii")?.is_some_and(|value| value.is_true());
    let indent = argument(1, "indent")?.map(indentation).transpose()?;
    let (item, key) = match argument(2, "separators")? {
        Some(pair) => separators(&pair)?,
        None => (if indent.is_some() { "," } else { ", " }.into(), ": ".into()),
    };
    let sorted = argument(3, "sort_keys")?.is_some_and(|value| value.is_true());
    named.assert_all_used()?;
    let mut writer = Writer { state, out: String::new(), indent, item, key, ascii, sorted };
    writer.value(value, 0)?;
    Ok(writer.out)
}

fn invalid(detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, detail.into())
}

/// Python takes a number of spaces or the string itself.
#[expect(clippy::needless_pass_by_value, reason = "so that it can be mapped")]
fn indentation(indent: Value) -> Result<String, Error> {
    if let Some(text) = indent.as_str() {
        return Ok(text.to_owned());
    }
    let spaces = indent.as_i64().ok_or_else(|| invalid("tojson: indent takes a number or a string"))?;
    match usize::try_from(spaces.max(0)) {
        Ok(spaces) if spaces <= MAX_INDENT => Ok(" ".repeat(spaces)),
        _ => Err(invalid(format!("tojson: indent takes at most {MAX_INDENT} spaces"))),
    }
}

/// The text between items, and between a key and its value.
fn separators(pair: &Value) -> Result<(String, String), Error> {
    let texts: Vec<Value> = pair.try_iter()?.collect();
    match texts.as_slice() {
        [item, key] => item.as_str().zip(key.as_str()).map(|(item, key)| (item.to_owned(), key.to_owned())),
        _ => None,
    }
    .ok_or_else(|| invalid("tojson: separators takes a pair of strings"))
}

struct Writer<'a, 'template, 'env> {
    state: &'a State<'template, 'env>,
    out: String,
    indent: Option<String>,
    item: String,
    key: String,
    ascii: bool,
    sorted: bool,
}

impl Writer<'_, '_, '_> {
    fn value(&mut self, value: &Value, depth: usize) -> Result<(), Error> {
        self.state.consume_fuel(1 + value.as_str().map_or(0, str::len) as u64 / 64)?;
        if depth > MAX_DEPTH {
            return Err(invalid(format!("tojson: the value is nested deeper than {MAX_DEPTH}")));
        }
        match value.kind() {
            ValueKind::None => self.out.push_str("null"),
            ValueKind::Bool => self.out.push_str(if value.is_true() { "true" } else { "false" }),
            ValueKind::Number if value.is_integer() => self.out.push_str(&value.to_string()),
            ValueKind::Number => self.out.push_str(&float(f64::try_from(value.clone())?)),
            ValueKind::String => self.string(value.as_str().unwrap_or_default()),
            ValueKind::Seq | ValueKind::Iterable => self.list(value, depth)?,
            ValueKind::Map => self.map(value, depth)?,
            kind => return Err(invalid(format!("tojson: {kind} is not JSON serializable"))),
        }
        Ok(())
    }

    fn list(&mut self, value: &Value, depth: usize) -> Result<(), Error> {
        self.out.push('[');
        let mut any = false;
        for item in value.try_iter()? {
            self.separate(any, depth + 1);
            self.value(&item, depth + 1)?;
            any = true;
        }
        self.close(any, depth, ']');
        Ok(())
    }

    fn map(&mut self, value: &Value, depth: usize) -> Result<(), Error> {
        let mut keys: Vec<Value> = value.try_iter()?.collect();
        if self.sorted {
            keys.sort();
        }
        self.out.push('{');
        for (index, key) in keys.iter().enumerate() {
            self.separate(index > 0, depth + 1);
            self.name(key)?;
            self.out.push_str(&self.key);
            self.value(&value.get_item(key)?, depth + 1)?;
        }
        self.close(!keys.is_empty(), depth, '}');
        Ok(())
    }

    fn name(&mut self, key: &Value) -> Result<(), Error> {
        match key.kind() {
            ValueKind::String => self.string(key.as_str().unwrap_or_default()),
            ValueKind::None | ValueKind::Bool | ValueKind::Number => {
                self.out.push('"');
                self.value(key, 0)?;
                self.out.push('"');
            }
            kind => return Err(invalid(format!("tojson: {kind} cannot be a key"))),
        }
        Ok(())
    }

    fn separate(&mut self, after_another: bool, depth: usize) {
        if after_another {
            self.out.push_str(&self.item);
        }
        self.new_line(depth);
    }

    fn close(&mut self, any: bool, depth: usize, bracket: char) {
        if any {
            self.new_line(depth);
        }
        self.out.push(bracket);
    }

    fn new_line(&mut self, depth: usize) {
        if let Some(indent) = &self.indent {
            self.out.push('\n');
            self.out.push_str(&indent.repeat(depth));
        }
    }

    fn string(&mut self, text: &str) {
        let quoted = serde_json::Value::from(text).to_string();
        if !self.ascii {
            self.out.push_str(&quoted);
            return;
        }
        for c in quoted.chars() {
            if c.is_ascii() && c != '\u{7f}' {
                self.out.push(c);
            } else {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(self.out, "\\u{unit:04x}");
                }
            }
        }
    }
}

/// A float as Python's `float.__repr__` writes it: the shortest digits, an exponent from 1e16 and below 1e-4.
fn float(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        return format!("{value:?}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::float;

    #[test]
    fn floats_read_like_python() {
        for (value, expected) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (5e-324, "5e-324"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(float(value), expected);
        }
    }
}
