//! JSON laid out for review: small values on one line, a position or token a line.

use serde_json::Value;

/// From here on a value stands on one line: root, observation, turns, turn, list of positions.
const ONE_LINE_DEPTH: usize = 5;

/// Lays out `value`.
pub(crate) fn to_text(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text
}

fn write(value: &Value, depth: usize, text: &mut String) {
    let (open, close, entries) = match value {
        Value::Object(map) if !map.is_empty() && depth < ONE_LINE_DEPTH => {
            ('{', '}', map.iter().map(|(key, value)| (Some(key), value)).collect::<Vec<_>>())
        }
        Value::Array(list) if !list.is_empty() && depth < ONE_LINE_DEPTH => {
            ('[', ']', list.iter().map(|value| (None, value)).collect())
        }
        _ => return text.push_str(&value.to_string()),
    };
    text.push(open);
    for (index, (key, value)) in entries.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.extend(std::iter::repeat_n("  ", depth + 1));
        if let Some(key) = key {
            text.push_str(&Value::from(key.as_str()).to_string());
            text.push_str(": ");
        }
        write(value, depth + 1, text);
    }
    text.push('\n');
    text.extend(std::iter::repeat_n("  ", depth));
    text.push(close);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            ".*".prop_map(Value::from)
        ];
        leaf.prop_recursive(7, 40, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(".*", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect()))
            ]
        })
    }

    proptest! {
        #[test]
        fn layout_changes_no_value(value in value()) {
            prop_assert_eq!(serde_json::from_str::<Value>(&to_text(&value)).unwrap(), value);
        }
    }
}
