//! Will a model load on a device?

use std::path::PathBuf;

use clap::{ArgAction, Args, ValueEnum};

/// `preflight`
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 it will load and chat, or may; 1 it will not; 2 no such device; 3 a file cannot be read"
)]
pub(crate) struct PreflightFlags {
    /// The model: a name of models.json, fetched hf:OWNER/REPO/FILE.gguf, or a GGUF file; of several parts the first
    #[arg(long, value_name = "NAME|hf:…|PATH", required_unless_present_any = ["list_devices", "prove"])]
    pub(crate) model: Option<String>,
    /// The device: its name, its identifier (iPhone18,1), or its memory (8gb)
    #[arg(long, value_name = "DEVICE", required_unless_present_any = ["list_devices", "measured", "prove"])]
    pub(crate) device: Option<String>,
    /// The memory in GB of a device that is not listed
    #[arg(long, value_name = "GB", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) ram: Option<u64>,
    /// Tokens of context; 0 means the model's own, which no phone should have; default: what apps dare on that device
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=u64::from(u32::MAX)))]
    pub(crate) n_ctx: Option<u64>,
    /// Element type of the KV cache
    #[arg(long, value_name = "TYPE", default_value = "f16")]
    pub(crate) kv: KvKind,
    /// Element type of its values, where it is another
    #[arg(long, value_name = "TYPE")]
    pub(crate) kv_v: Option<KvKind>,
    /// Flash attention is off
    #[arg(long)]
    pub(crate) no_flash_attention: bool,
    /// Layers that see a window keep a window only (swa_full = false)
    #[arg(long)]
    pub(crate) swa_window: bool,
    /// The file is read instead of mapped
    #[arg(long)]
    pub(crate) no_mmap: bool,
    /// The GPU is left out
    #[arg(long)]
    pub(crate) cpu: bool,
    /// Sequences (n_seq_max), each with its share of the context
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..=256))]
    pub(crate) sequences: u64,
    /// Most tokens computed at once (n_ubatch)
    #[arg(long, value_name = "N", default_value = "512", value_parser = clap::value_parser!(u64).range(1..=65536))]
    pub(crate) ubatch: u64,
    /// Tokens a second that you want: what experts must then be read at
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub(crate) tokens_per_second: Option<f64>,
    /// Tokens of one question with its answer: which turn overflows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) turn_tokens: Option<u64>,
    /// The .entitlements file that the app is signed with
    #[arg(long, value_name = "FILE", conflicts_with = "app")]
    pub(crate) entitlements: Option<PathBuf>,
    /// The app, as a folder or an IPA: its signature and its profile are read
    #[arg(long, value_name = "APP|IPA", conflicts_with = "provisioning")]
    pub(crate) app: Option<PathBuf>,
    /// The provisioning profile: what it grants
    #[arg(long, value_name = "FILE")]
    pub(crate) provisioning: Option<PathBuf>,
    /// What a run on the device measured, in place of what is reported of it
    #[arg(long, value_name = "FILE")]
    pub(crate) measured: Option<PathBuf>,
    /// List the devices that are known, and what they allow
    #[arg(long, action = ArgAction::SetTrue, conflicts_with_all = ["model", "device", "measured"])]
    pub(crate) list_devices: bool,
    /// Ask this backend's probe, too: llama.cpp then reckons the compute buffer itself, without loading the weights
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,
    /// Prove the arithmetic: compare it with what a probe's llama.cpp allocates for every architecture
    #[arg(long, conflicts_with_all = ["model", "device", "measured", "list_devices", "json"])]
    pub(crate) prove: bool,
    /// Install missing programs with this system's package manager
    #[arg(long)]
    pub(crate) setup: bool,
    /// Say on standard error how much memory this took: for `bench`
    #[arg(long, hide = true)]
    pub(crate) peak_memory: bool,
    /// Print JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// An element type of the KV cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum KvKind {
    F32,
    F16,
    Bf16,
    #[value(name = "q8_0")]
    Q8,
    #[value(name = "q5_1")]
    Q51,
    #[value(name = "q5_0")]
    Q50,
    #[value(name = "q4_1")]
    Q41,
    #[value(name = "q4_0")]
    Q40,
    #[value(name = "iq4_nl")]
    Iq4Nl,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "no number".to_owned())?;
    if rate > 0.0 && rate < 1e6 { Ok(rate) } else { Err("no rate above 0".to_owned()) }
}
