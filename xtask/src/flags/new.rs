//! Things to begin with.

use clap::{Args, Subcommand, ValueEnum};

/// `new`
#[derive(Debug, Args)]
pub(crate) struct NewFlags {
    /// What to begin.
    #[command(subcommand)]
    pub(crate) action: NewAction,
}

/// What can be begun.
#[derive(Debug, Subcommand)]
pub(crate) enum NewAction {
    /// Write a case that can be asked at once; at a terminal, what no flag says is asked for
    Case(NewCaseFlags),
}

/// How the help text ends.
const EXAMPLE: &str = "Example:
  cargo xtask new case eog/says-goodbye --why \"A chat that cannot end annoys.\" \\
    --ask \"Say goodbye\" --expect \"Bye.\"
More than these flags can say: edit the file; docs/cases.md lists every field.";

/// `new case`
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct NewCaseFlags {
    /// FAMILY/NAME: the file will be cases/FAMILY/NAME.json
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// What goes wrong for whom if it fails
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: Option<String>,
    /// A public report that the expected values come from
    #[arg(long, value_name = "URL")]
    pub(crate) link: Vec<String>,
    /// Which model: a name of models.json, a glob, or role:NAME [default: compiled-gemma]
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) model: Vec<String>,
    /// What the subject does [default: generate; converse where --ask comes twice]
    #[arg(long, value_name = "KIND")]
    pub(crate) stimulus: Option<Kind>,
    /// What the user says; once for each turn
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) ask: Vec<String>,
    /// What must be seen: the answer of each turn, a part of the prompt, the text of each token
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) expect: Vec<String>,
    /// Most tokens of an answer
    #[arg(long, value_name = "N", default_value = "64", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_tokens: u32,
    /// Compare with a golden, too
    #[arg(long)]
    pub(crate) golden: bool,
}

/// The stimuli that `new case` can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Answer one prompt
    Generate,
    /// Hold a conversation
    Converse,
    /// Turn messages into a prompt
    Render,
    /// Turn text into tokens
    Tokenize,
    /// Compute the numbers after each token of a text
    Score,
}
