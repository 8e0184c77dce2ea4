//! Looking at a model's file alone: no probe and no llama.cpp.

use std::path::PathBuf;

use clap::Args;

/// `verify`
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 sound; 1 something is wrong with the file; 3 it cannot be read")]
pub(crate) struct VerifyFlags {
    /// The model: a name of models.json, fetched hf:OWNER/REPO/FILE.gguf, or a GGUF file; of a split one any part
    #[arg(value_name = "MODEL")]
    pub(crate) model: String,
    /// The SHA-256 that it must have; of a split model one for each part, comma-separated
    #[arg(long, value_name = "SUM", value_delimiter = ',', value_parser = sum)]
    pub(crate) sha256: Vec<String>,
    /// Print JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// `fuzz`
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 nothing broke the reader; 1 something did, and where it lies is said")]
pub(crate) struct FuzzFlags {
    /// For how long
    #[arg(long, value_name = "N", default_value = "60", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) seconds: u32,
}

/// A SHA-256 in hexadecimal, in lower case.
fn sum(text: &str) -> Result<String, String> {
    let digits = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if digits { Ok(text.to_ascii_lowercase()) } else { Err("a SHA-256 has 64 hexadecimal digits".to_owned()) }
}

/// `lint`
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 no error was found; 1 one was; 3 the file cannot be read; 4 --builtin without a probe"
)]
pub(crate) struct LintFlags {
    /// The model, named as for `verify`, or the file of a Jinja template, or a tokenizer_config.json
    #[arg(value_name = "MODEL|TEMPLATE")]
    pub(crate) subject: String,
    /// Also ask the built CPU probe what llama_chat_apply_template makes of the template
    #[arg(long)]
    pub(crate) builtin: bool,
    /// Print JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
    /// Write SARIF, for code hosts
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
}
