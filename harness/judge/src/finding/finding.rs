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
    /// The turn in which it shows, from 0, where it shows in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The check of the case that found it, counted from 0; a diagnosis that no case needs to ask for has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<usize>,
}

impl Finding {
    /// A finding at the layer that the catalogue gives its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, layer: entry(code).layer, message: message.into(), turn: None, check: None }
    }

    /// A finding at another layer than its code's usual one.
    pub fn at(layer: Layer, code: Code, message: impl Into<String>) -> Self {
        Self { code, layer, message: message.into(), turn: None, check: None }
    }

    /// The same finding, seen in `turn`.
    pub fn in_turn(self, turn: usize) -> Self {
        Self { turn: Some(turn), ..self }
    }

    /// The same finding, found by the `check`-th check of the case.
    pub fn by_check(self, check: usize) -> Self {
        Self { check: Some(check), ..self }
    }
}
