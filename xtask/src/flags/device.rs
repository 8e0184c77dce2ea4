//! Phones.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::ReportFlags;

/// `device`
#[derive(Debug, Args)]
pub(crate) struct DeviceFlags {
    /// What to do.
    #[command(subcommand)]
    pub(crate) action: DeviceAction,
}

/// What to do with a phone.
#[derive(Debug, Subcommand)]
pub(crate) enum DeviceAction {
    /// Show the phones that this Mac knows, and what keeps them from running anything
    List,
    /// Say what is missing for a run: Xcode, a phone, a team, entitlements
    Doctor(PhoneFlags),
    /// Build the bridge, the app and its tests
    Build(PhoneFlags),
    /// Install the app and copy the sheet and its models there
    PushModel(RunFlags),
    /// Ask everything there, fetch the answers and judge them; build first
    Run(RunFlags),
    /// Fetch the answers that lie in the app
    Pull(PhoneFlags),
    /// Make the zip that a device farm takes: app, tests, sheet and models
    Bundle(RunFlags),
    /// Write the sheet of questions that a phone, or a test target of yours, answers
    Sheet(SheetFlags),
    /// Judge the answers that came back, as files
    Judge(DeviceJudgeFlags),
    /// Prove what can be proved without a phone: the Swift packages on llama.cpp, five broken wrappers, Apple's targets
    Prove {
        /// Make a folder with Debian 13's Swift in the user's cache, where there is no Mac (4.4 GB)
        #[arg(long)]
        setup: bool,
    },
    /// Write the Swift file with one test a case anew
    Generate,
}

/// `device sheet`
#[derive(Clone, Debug, Args)]
pub(crate) struct SheetFlags {
    /// What the subject is called in reports: ios-device, another place of docs/ios.md, or a name of your own
    #[arg(long, value_name = "NAME", default_value = device::DEVICE)]
    pub(crate) subject: String,
    /// Ask these models instead of the fixtures: names of models.json, fetched hf:OWNER/REPO/FILE.gguf, or GGUF files
    #[arg(long, value_name = "NAME|hf:…|PATH")]
    pub(crate) model: Vec<String>,
    /// Only the cases whose id fits one of these globs
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) filter: Vec<String>,
    /// A recording of the CPU (`test --backend cpu --record DIR`): for a model of your own its tokens are to be followed
    #[arg(long, value_name = "DIR")]
    pub(crate) reference: Option<PathBuf>,
    /// Where to write it; default: target/device/NAME/sheet.json
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// `device judge`
#[derive(Clone, Debug, Args)]
pub(crate) struct DeviceJudgeFlags {
    /// Folders with answers; default: target/device/NAME/answers
    #[arg(value_name = "DIR")]
    pub(crate) answers: Vec<PathBuf>,
    /// Whose answers
    #[arg(long, value_name = "NAME", default_value = device::DEVICE)]
    pub(crate) subject: String,
    /// The sheet that was answered; default: target/device/NAME/sheet.json
    #[arg(long, value_name = "FILE")]
    pub(crate) sheet: Option<PathBuf>,
    /// A recording of the CPU, to compare numbers with
    #[arg(long, value_name = "DIR")]
    pub(crate) reference: Option<PathBuf>,
    /// Keep the answers as a recording in a new folder, for `cargo xtask judge`
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
    /// Judge only the cases whose id fits one of these globs
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) filter: Vec<String>,
    /// Which reports to write.
    #[command(flatten)]
    pub(crate) reports: ReportFlags,
}

/// Which phone, and how the app is built for it.
#[derive(Clone, Debug, Args)]
pub(crate) struct PhoneFlags {
    /// Where: ios-device, ios-device-cpu, ios-sim-app, ios-sim-no-devices, ios-sim-layers-0 or ios-sim-metal
    #[arg(long, value_name = "NAME", default_value = device::DEVICE)]
    pub(crate) subject: String,
    /// The phone's name or UDID; left out: the only one that is ready
    #[arg(long, value_name = "NAME|UDID")]
    pub(crate) device: Option<String>,
    /// The developer team that signs
    #[arg(long, value_name = "ID")]
    pub(crate) team: Option<String>,
    /// What the bundle ids begin with; a free team needs one that nobody else has
    #[arg(long, value_name = "PREFIX", default_value = "org.example.conformance")]
    pub(crate) prefix: String,
    /// The app without the memory entitlements
    #[arg(long)]
    pub(crate) plain: bool,
}

/// `device run`
#[derive(Clone, Debug, Args)]
pub(crate) struct RunFlags {
    /// Which phone.
    #[command(flatten)]
    pub(crate) phone: PhoneFlags,
    /// Ask these models instead of the fixtures: names of models.json, fetched hf:OWNER/REPO/FILE.gguf, or GGUF files
    #[arg(long, value_name = "NAME|hf:…|PATH")]
    pub(crate) model: Vec<String>,
    /// Only the cases whose id fits one of these globs
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) filter: Vec<String>,
    /// A recording of the CPU, to compare numbers with
    #[arg(long, value_name = "DIR")]
    pub(crate) reference: Option<PathBuf>,
    /// How long the tests may run, in minutes
    #[arg(long, value_name = "MINUTES", default_value = "120", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) minutes: u16,
    /// Which reports to write.
    #[command(flatten)]
    pub(crate) reports: ReportFlags,
}
