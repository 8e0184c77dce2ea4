//! What an app was granted.

use plist::Value;

/// The two entitlements that a large model needs.
pub const MEMORY_ENTITLEMENTS: [&str; 2] = [
    "com.apple.developer.kernel.extended-virtual-addressing",
    "com.apple.developer.kernel.increased-memory-limit",
];

/// Which of [`MEMORY_ENTITLEMENTS`] a property list does not grant: the binary's entitlements, or a profile, which has
/// them under `Entitlements`. What is no property list grants none.
pub fn missing_entitlements(text: &[u8]) -> Vec<&'static str> {
    let value = Value::from_reader_xml(text).ok();
    let dictionary = value.as_ref().and_then(Value::as_dictionary);
    let granted = dictionary.map(|all| all.get("Entitlements").and_then(Value::as_dictionary).unwrap_or(all));
    let has =
        |name: &str| granted.and_then(|granted| granted.get(name)).and_then(Value::as_boolean) == Some(true);
    MEMORY_ENTITLEMENTS.into_iter().filter(|name| !has(name)).collect()
}
