//! Completions of a shell.

use clap::{Args, ValueEnum};

/// How the help text ends.
const INSTALL: &str = "To have it in every shell:
  bash  cargo xtask completions bash >> ~/.bashrc
  zsh   cargo xtask completions zsh >> ~/.zshrc
  fish  cargo xtask completions fish > ~/.config/fish/conf.d/xtask.fish
To try it: source <(cargo xtask completions bash)";

/// `completions`
#[derive(Clone, Debug, Args)]
#[command(after_help = INSTALL)]
pub(crate) struct CompletionsFlags {
    /// Which shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: ShellName,
}

/// The shells in which `cargo` can have completions of its own commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShellName {
    /// With bash-completion or without
    Bash,
    /// As a file of conf.d
    Fish,
    /// After compinit
    Zsh,
}
