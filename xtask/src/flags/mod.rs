//! Every command and flag, in one place.

mod bench;
mod ci;
mod command;
mod common;
mod completions;
mod corpus;
mod device;
mod explain;
mod inspect;
mod models;
mod new;
mod preflight;
mod proof;
mod render;
mod suite;

pub(crate) use bench::BenchFlags;
pub(crate) use ci::{CiAction, CiFlags, MatrixFlags, Runners, System};
pub(crate) use command::{Command, Flags};
pub(crate) use common::{BackendFlags, ReportFlags};
pub(crate) use completions::{CompletionsFlags, ShellName};
pub(crate) use corpus::{CorpusAction, CorpusCheckFlags, CorpusFlags};
pub(crate) use device::{DeviceAction, DeviceFlags, DeviceJudgeFlags, PhoneFlags, RunFlags, SheetFlags};
pub(crate) use explain::ExplainFlags;
pub(crate) use inspect::{FuzzFlags, LintFlags, VerifyFlags};
pub(crate) use models::{ModelsAction, ModelsFlags};
pub(crate) use new::{Kind, NewAction, NewCaseFlags, NewFlags};
pub(crate) use preflight::{KvKind, PreflightFlags};
pub(crate) use proof::{CalibrateFlags, FaultsFlags, TraceFlags};
pub(crate) use render::{EngineChoice, RenderFlags};
pub(crate) use suite::{BuildFlags, JudgeFlags, ReportAction, ReportCommandFlags, ReviewFlags, TestFlags};
