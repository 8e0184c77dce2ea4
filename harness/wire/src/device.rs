//! The state of a phone around one answer.

use serde::{Deserialize, Serialize};

/// How a phone was before and after it answered. On other machines nobody looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DeviceState {
    /// How hot it was before.
    pub thermal_before: Thermal,
    /// How hot it was after.
    pub thermal_after: Thermal,
    /// Bytes that the app could still allocate, `os_proc_available_memory`, before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available_before: Option<u64>,
    /// The same after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available_after: Option<u64>,
    /// Bytes that count against the app's limit, `phys_footprint` of `task_info`, before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub footprint_before: Option<u64>,
    /// The same after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub footprint_after: Option<u64>,
    /// Whether it saved power.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub low_power: bool,
}

impl DeviceState {
    /// Whether it may have been slowed down: its speed then says nothing of the runtime.
    pub fn was_held_back(&self) -> bool {
        let warm = |thermal| !matches!(thermal, Thermal::Nominal | Thermal::Unknown);
        self.low_power || warm(self.thermal_before) || warm(self.thermal_after)
    }
}

/// `ProcessInfo.ThermalState`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thermal {
    /// Nobody said.
    #[default]
    Unknown,
    /// Within normal limits.
    Nominal,
    /// Slightly elevated.
    Fair,
    /// High: the system slows apps down.
    Serious,
    /// Very high: the system slows apps down as far as it can.
    Critical,
}

impl Thermal {
    /// The name used in answers and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Nominal => "nominal",
            Self::Fair => "fair",
            Self::Serious => "serious",
            Self::Critical => "critical",
        }
    }
}
