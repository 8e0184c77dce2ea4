//! Limits, each with what it rests on.

use serde::{Deserialize, Serialize};

/// How well a figure is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// Derived from another figure, or from a device of the same memory.
    Inferred,
    /// Somebody said so in public.
    Reported,
    /// Read from the system itself, with the numbers shown.
    Measured,
}

impl Certainty {
    /// The word in files and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inferred => "inferred",
            Self::Reported => "reported",
            Self::Measured => "measured",
        }
    }
}

/// One limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The limit in bytes; for rates, in bytes a second.
    pub bytes: u64,
    /// How well it is known.
    pub certainty: Certainty,
    /// Where it comes from: a link, or the file of a device run.
    pub source: String,
}

/// A limit that entitlements raise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pair {
    /// For any app; `None` where there is no such limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without: Option<Limit>,
    /// With the entitlement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<Limit>,
}

impl Pair {
    /// The limit of an app that has the entitlement, or has it not.
    pub fn get(&self, entitled: bool) -> Option<&Limit> {
        if entitled { self.with.as_ref().or(self.without.as_ref()) } else { self.without.as_ref() }
    }

    fn or(self, other: &Self) -> Self {
        Self {
            without: self.without.or_else(|| other.without.clone()),
            with: self.with.or_else(|| other.with.clone()),
        }
    }
}

/// What a device allows. What is not known is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Address space that an app can map, without and with extended-virtual-addressing.
    pub address_space: Pair,
    /// Memory that an app may write to before it is ended, without and with increased-memory-limit.
    pub app_memory: Pair,
    /// Metal's `recommendedMaxWorkingSetSize`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub working_set: Option<Limit>,
    /// Metal's `maxBufferLength`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_buffer: Option<Limit>,
    /// What its flash reads in a second, in large pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flash_read: Option<Limit>,
    /// Files that were mapped there, or could not be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub maps: Vec<MapReport>,
}

/// A report that a file of some size could, or could not, be mapped without the entitlements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapReport {
    /// Bytes of the file.
    pub bytes: u64,
    /// Whether it could be mapped.
    pub mapped: bool,
    /// Whether the map was read-only and shared, as llama.cpp's is; others count against the system's overcommit too,
    /// and fail earlier.
    pub read_only: bool,
    /// Where it was reported.
    pub source: String,
}

impl Limits {
    /// These limits, and `other`'s where these say nothing.
    pub(super) fn or(self, other: &Self) -> Self {
        Self {
            address_space: self.address_space.or(&other.address_space),
            app_memory: self.app_memory.or(&other.app_memory),
            working_set: self.working_set.or_else(|| other.working_set.clone()),
            max_buffer: self.max_buffer.or_else(|| other.max_buffer.clone()),
            flash_read: self.flash_read.or_else(|| other.flash_read.clone()),
            maps: if self.maps.is_empty() { other.maps.clone() } else { self.maps },
        }
    }

    /// Every figure with a source, for tests and lists.
    pub fn each(&self) -> impl Iterator<Item = (&'static str, &Limit)> {
        [
            ("address space", self.address_space.without.as_ref()),
            ("address space, entitled", self.address_space.with.as_ref()),
            ("app memory", self.app_memory.without.as_ref()),
            ("app memory, entitled", self.app_memory.with.as_ref()),
            ("working set", self.working_set.as_ref()),
            ("largest buffer", self.max_buffer.as_ref()),
            ("flash", self.flash_read.as_ref()),
        ]
        .into_iter()
        .filter_map(|(name, limit)| Some((name, limit?)))
    }
}
