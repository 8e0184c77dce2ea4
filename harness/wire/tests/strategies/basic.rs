//! Text, bytes, numbers, JSON.

use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Map, Value};
use wire::{Message, Piece, ThinkingTags};

/// Text with everything that JSON escapes.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z<>|/ ]{0,12}", "[\\x00-\\x7f]{0,6}", any::<String>()]
}

/// One of `values`.
pub(crate) fn one_of<T: Clone + std::fmt::Debug + 'static>(
    values: &[T],
) -> impl Strategy<Value = T> + use<T> {
    select(values.to_vec())
}

/// Few of `values`.
pub(crate) fn some<S: Strategy>(values: S) -> impl Strategy<Value = Vec<S::Value>> {
    vec(values, 0..4)
}

/// A number that is one.
pub(crate) fn finite() -> impl Strategy<Value = f32> {
    any::<f32>().prop_filter("finite", |number| number.is_finite())
}

/// The bytes of a token, whole characters or not.
pub(crate) fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![text().prop_map(|text| Piece(text.into_bytes())), vec(any::<u8>(), 0..6).prop_map(Piece)]
}

/// A message.
pub(crate) fn message() -> impl Strategy<Value = Message> {
    (text(), text()).prop_map(|(role, content)| Message { role, content })
}

/// Thinking tags.
pub(crate) fn thinking() -> impl Strategy<Value = ThinkingTags> {
    (text(), text()).prop_map(|(open, close)| ThinkingTags { open, close })
}

/// Template variables.
pub(crate) fn variables() -> impl Strategy<Value = Map<String, Value>> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            some(inner.clone()).prop_map(Value::from),
            some((text(), inner)).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    });
    some((text(), value)).prop_map(|pairs| pairs.into_iter().collect())
}
