//! One answer, as the app writes it.

use serde::{Deserialize, Serialize};
use wire::{Card, DeviceState, Observation};

/// One answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// [`super::SHEET_VERSION`].
    pub version: u32,
    /// The sheet that it answers.
    pub sheet: String,
    /// The question.
    pub key: String,
    /// Whether the tokens that the request forces were followed. A wrapper cannot, and says what it chooses itself.
    pub followed: bool,
    /// Who answered.
    pub card: Card,
    /// What was seen.
    pub observation: Observation,
    /// How the phone was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceState>,
}
