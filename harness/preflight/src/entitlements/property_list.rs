//! Property lists in any of their three forms: XML, binary, ASCII.

use std::collections::BTreeMap;
use std::io::Cursor;

use plist::{Dictionary, Value};

/// The dictionary in `bytes`, or why there is none.
pub(super) fn dictionary(bytes: &[u8]) -> Result<Dictionary, String> {
    if bytes.is_empty() {
        return Err("it is empty; an entitlements file is a property list".to_owned());
    }
    match Value::from_reader(Cursor::new(bytes)) {
        Ok(Value::Dictionary(dictionary)) => Ok(dictionary),
        Ok(_) => {
            Err("its property list is no dictionary; Xcode writes one with a key for each entitlement"
                .to_owned())
        }
        Err(error) => Err(format!(
            "it is no property list ({error}); give the .entitlements file that Xcode signs with"
        )),
    }
}

/// The entitlements that are on: keys whose value is true, or anything but false.
pub(super) fn switched_on(dictionary: &Dictionary) -> BTreeMap<String, bool> {
    dictionary.iter().map(|(key, value)| (key.clone(), is_on(value))).collect()
}

fn is_on(value: &Value) -> bool {
    match value {
        Value::Boolean(flag) => *flag,
        // ASCII lists have no truth values.
        Value::String(text) => !matches!(text.as_str(), "NO" | "false" | "0" | ""),
        Value::Integer(number) => number.as_signed() != Some(0),
        _ => true,
    }
}
