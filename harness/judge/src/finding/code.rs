//! The stable names of findings.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What kind of thing is wrong. The catalogue says what each means and how it is cured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "catalogue.json documents each code, and a test checks that it does")]
pub enum Code {
    AddressSpace,
    AllocationFailed,
    BadRequest,
    BatchTooLarge,
    BudgetSpentThinking,
    CannotShift,
    ChunksDiffer,
    ContextFailed,
    ContextFull,
    ContextParameter,
    ContextSize,
    DecodeFailed,
    Died,
    DoubleBos,
    EmptyAnswer,
    EndIgnored,
    EogProbabilityDiffers,
    ExpectedFindingMissing,
    FaultActive,
    Garbled,
    GeneratedCount,
    GoldenMissing,
    GpuCommandFailed,
    GpuInitFailed,
    GpuNotUsed,
    GpuUsed,
    HistoryLost,
    Hung,
    InvalidUtf8,
    KilledForMemory,
    LoadFailed,
    LogitsDiffer,
    LogitsNotFinite,
    LogitsStale,
    MemoryInconsistent,
    MemoryLeak,
    MemoryState,
    MissingBos,
    NeverEnded,
    NoChatTemplate,
    ObservationIncomplete,
    PromptDiffers,
    PromptTooLong,
    RefusalDiffers,
    RepackAllocationFailed,
    SamplingDiffers,
    SimulatorGpu,
    SpecialTokenSplit,
    StopDiffers,
    TemplateError,
    TemplateUnsupported,
    TextDiffers,
    ThinkingDiffers,
    ThinkingLeftOn,
    ThinkingSwitchIgnored,
    Throttled,
    TokenizeFailed,
    TokensDiffer,
    TurnDiffers,
    Unsupported,
    UserTextBecameControl,
    VocabularyDiffers,
    WorkingSetExceeded,
}

impl Code {
    /// Every code, in alphabetical order.
    pub const ALL: &[Self] = &[
        Self::AddressSpace,
        Self::AllocationFailed,
        Self::BadRequest,
        Self::BatchTooLarge,
        Self::BudgetSpentThinking,
        Self::CannotShift,
        Self::ChunksDiffer,
        Self::ContextFailed,
        Self::ContextFull,
        Self::ContextParameter,
        Self::ContextSize,
        Self::DecodeFailed,
        Self::Died,
        Self::DoubleBos,
        Self::EmptyAnswer,
        Self::EndIgnored,
        Self::EogProbabilityDiffers,
        Self::ExpectedFindingMissing,
        Self::FaultActive,
        Self::Garbled,
        Self::GeneratedCount,
        Self::GoldenMissing,
        Self::GpuCommandFailed,
        Self::GpuInitFailed,
        Self::GpuNotUsed,
        Self::GpuUsed,
        Self::HistoryLost,
        Self::Hung,
        Self::InvalidUtf8,
        Self::KilledForMemory,
        Self::LoadFailed,
        Self::LogitsDiffer,
        Self::LogitsNotFinite,
        Self::LogitsStale,
        Self::MemoryInconsistent,
        Self::MemoryLeak,
        Self::MemoryState,
        Self::MissingBos,
        Self::NeverEnded,
        Self::NoChatTemplate,
        Self::ObservationIncomplete,
        Self::PromptDiffers,
        Self::PromptTooLong,
        Self::RefusalDiffers,
        Self::RepackAllocationFailed,
        Self::SamplingDiffers,
        Self::SimulatorGpu,
        Self::SpecialTokenSplit,
        Self::StopDiffers,
        Self::TemplateError,
        Self::TemplateUnsupported,
        Self::TextDiffers,
        Self::ThinkingDiffers,
        Self::ThinkingLeftOn,
        Self::ThinkingSwitchIgnored,
        Self::Throttled,
        Self::TokenizeFailed,
        Self::TokensDiffer,
        Self::TurnDiffers,
        Self::Unsupported,
        Self::UserTextBecameControl,
        Self::VocabularyDiffers,
        Self::WorkingSetExceeded,
    ];

    /// Whether it says that a turn began with something else than it should have: what follows in that turn, on
    /// whatever layer, is a consequence.
    pub const fn is_carried(self) -> bool {
        matches!(self, Self::HistoryLost | Self::MemoryInconsistent | Self::MemoryLeak)
    }

    /// Whether it says that numbers are wrong, whose node in the graph can be found.
    pub const fn is_numeric(self) -> bool {
        matches!(
            self,
            Self::EogProbabilityDiffers | Self::LogitsDiffer | Self::LogitsNotFinite | Self::LogitsStale
        )
    }

    /// Whether it speaks of the case or the harness rather than of a layer: never the cause beside another finding.
    pub const fn is_remark(self) -> bool {
        matches!(
            self,
            Self::ExpectedFindingMissing
                | Self::FaultActive
                | Self::GoldenMissing
                | Self::ObservationIncomplete
        )
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(super::entry(*self).name)
    }
}
