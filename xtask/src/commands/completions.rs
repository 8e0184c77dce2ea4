//! `cargo xtask completions`: a script for a shell.

use crate::completions::script;
use crate::exit::Exit;
use crate::flags::CompletionsFlags;

/// Prints it.
pub(super) fn run(flags: &CompletionsFlags) -> Exit {
    print!("{}", script(flags.shell));
    Exit::Fine
}
