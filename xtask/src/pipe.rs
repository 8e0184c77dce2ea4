//! Output that cannot be written: into a pipe that nobody reads any more, or onto a full disk.

use std::io::{self, Write as _};
use std::panic;

use crate::exit::Exit;

/// How `println!` begins what it panics with, standard output's name and the system's words following.
const FAILED: &str = "failed printing to ";

/// Makes a write to a closed pipe (`cargo xtask doctor | head -1`) end the program in silence, as other tools end, and
/// any other that fails with one clear error, rather than with `println!`'s panic.
pub(crate) fn end_clearly_when_unwritable() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let message = info.payload().downcast_ref::<String>().map_or("", String::as_str);
        match message.strip_prefix(FAILED) {
            Some(why) if why.contains("Broken pipe") => std::process::exit(Exit::Fine.code().into()),
            Some(why) => {
                say(&format!("error: cannot write to {why}; free some space, or write to another place"));
                std::process::exit(Exit::Broken.code().into());
            }
            None => usual(info),
        }
    }));
}

/// Tells the person at the terminal, if there is one: where even that cannot be written, nobody can be told.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
