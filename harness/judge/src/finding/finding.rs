//! One finding.

use serde::{Deserialize, Serialize};
use wire::Layer;

use super::{Code, entry};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Its stable code.
    pub code: Code,
    /// Where it shows.
    pub layer: Layer,
    /// What was seen, with numbers.
    pub message: String,
}

impl Finding {
    /// A finding at the layer that the catalogue gives its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, layer: entry(code).layer, message: message.into() }
    }

    /// A finding at another layer than its code's usual one.
    pub fn at(layer: Layer, code: Code, message: impl Into<String>) -> Self {
        Self { code, layer, message: message.into() }
    }
}
