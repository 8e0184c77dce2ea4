//! The names of findings: stable, for programs and for searching.

use serde::Serialize;

/// What can be found before a model is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The file is larger than the address space that the app may map, or as large as one that failed.
    AddressSpace,
    /// What the app writes to is more than it may have before it is ended.
    AppMemory,
    /// More tokens of context than the model was trained for.
    BeyondTraining,
    /// A single buffer is larger than the GPU takes.
    BufferCap,
    /// A longer context than apps dare on a device with so little memory.
    ContextTier,
    /// The CPU copies the weights into another order, on top of the mapped ones.
    CpuRepack,
    /// The file's structure is damaged: tensors lie outside of it, or over each other.
    DamagedFile,
    /// The device is not listed: its limits are those of others with as much memory.
    DeviceByMemory,
    /// The app does not ask for an entitlement that raises a limit.
    EntitlementMissing,
    /// The app asks for an entitlement that its profile does not grant.
    EntitlementNotGranted,
    /// The token rate that is wanted needs more bytes a second than the flash reads.
    FlashRate,
    /// Weights in 16 or 32 bits, on a phone.
    FullPrecision,
    /// The cautious sum that an app in the store demands: weights × 1.6, cache, 350 MB.
    Headroom,
    /// How much history to send, beside a context of this length.
    HistoryBudget,
    /// The cache's types do not divide the model's heads, or do not go together.
    KvTypes,
    /// The file is read instead of mapped: all weights count as the app's memory.
    MmapOff,
    /// No length of context is given, which means the one that the model was trained for.
    NoContextSize,
    /// Quantised values without flash attention: llama.cpp makes no context.
    QuantisedV,
    /// The model is in several files, which are mapped one by one.
    SplitModel,
    /// Layers that see a window only have a cache as long as the context.
    SwaFull,
    /// This architecture's arithmetic was never compared with llama.cpp's.
    UncomparedArchitecture,
    /// llama.cpp has no such architecture.
    UnknownArchitecture,
    /// Weights, cache and compute buffer are more than the GPU may hold.
    WorkingSet,
}

impl Code {
    /// Every code, sorted by name.
    pub const ALL: &'static [Self] = &[
        Self::AddressSpace,
        Self::AppMemory,
        Self::BeyondTraining,
        Self::BufferCap,
        Self::ContextTier,
        Self::CpuRepack,
        Self::DamagedFile,
        Self::DeviceByMemory,
        Self::EntitlementMissing,
        Self::EntitlementNotGranted,
        Self::FlashRate,
        Self::FullPrecision,
        Self::Headroom,
        Self::HistoryBudget,
        Self::KvTypes,
        Self::MmapOff,
        Self::NoContextSize,
        Self::QuantisedV,
        Self::SplitModel,
        Self::SwaFull,
        Self::UncomparedArchitecture,
        Self::UnknownArchitecture,
        Self::WorkingSet,
    ];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AddressSpace => "address-space",
            Self::AppMemory => "app-memory",
            Self::BeyondTraining => "beyond-training",
            Self::BufferCap => "buffer-cap",
            Self::ContextTier => "context-tier",
            Self::CpuRepack => "cpu-repack",
            Self::DamagedFile => "damaged-file",
            Self::DeviceByMemory => "device-by-memory",
            Self::EntitlementMissing => "entitlement-missing",
            Self::EntitlementNotGranted => "entitlement-not-granted",
            Self::FlashRate => "flash-rate",
            Self::FullPrecision => "full-precision",
            Self::Headroom => "headroom",
            Self::HistoryBudget => "history-budget",
            Self::KvTypes => "kv-types",
            Self::MmapOff => "mmap-off",
            Self::NoContextSize => "no-context-size",
            Self::QuantisedV => "quantised-v",
            Self::SplitModel => "split-model",
            Self::SwaFull => "swa-full",
            Self::UncomparedArchitecture => "uncompared-architecture",
            Self::UnknownArchitecture => "unknown-architecture",
            Self::WorkingSet => "working-set",
        }
    }
}
