//! Output into a pipe that nobody reads any more.

use std::panic;

use crate::exit::Exit;

/// Makes a write to a closed pipe (`cargo xtask doctor | head -1`) end the program in silence, as other tools end,
/// rather than with `println!`'s panic.
pub(crate) fn end_quietly_when_closed() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let message = info.payload().downcast_ref::<String>().map_or("", String::as_str);
        if message.starts_with("failed printing to") && message.contains("Broken pipe") {
            std::process::exit(Exit::Fine.code().into());
        }
        usual(info);
    }));
}
