//! The bytes of one token, which need not be whole UTF-8 characters.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The bytes of one token. In JSON a string where they are UTF-8, else `{"hex": "f09f"}`.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Piece(pub Vec<u8>);

impl Piece {
    /// The bytes as text, with U+FFFD for what isn't UTF-8; for people, not for comparing.
    pub fn lossy(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

impl From<&str> for Piece {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.lossy())
    }
}

/// Text, or bytes that are no UTF-8.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Form {
    Text(String),
    Bytes(Hex),
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Hex {
    /// Two digits a byte.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^([0-9a-fA-F]{2})*$")))]
    hex: String,
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Piece {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Piece".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Form::json_schema(generator)
    }
}

impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => Form::Text(text.to_owned()),
            Err(_) => Form::Bytes(Hex { hex: self.0.iter().map(|byte| format!("{byte:02x}")).collect() }),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Piece {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Form::deserialize(deserializer)? {
            Form::Text(text) => Ok(Self(text.into_bytes())),
            Form::Bytes(Hex { hex }) => parse_hex(&hex)
                .map(Self)
                .ok_or_else(|| D::Error::custom(format!("\"{hex}\" is no even number of hex digits"))),
        }
    }
}

fn parse_hex(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes();
    if !digits.len().is_multiple_of(2) || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).ok()).collect()
}
