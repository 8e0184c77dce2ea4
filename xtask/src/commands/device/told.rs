//! Trouble with its exit code, and the tools of this machine.

use anyhow::Result;
use device::flow::Tools;
use device::{PHONES, Phone, Trouble};

use crate::context::Context;
use crate::exit::Exit;

/// Trouble becomes an error with its own exit code and its cure.
pub(super) trait Told<T> {
    /// The same result.
    fn told(self) -> Result<T>;
}

impl<T> Told<T> for Result<T, Trouble> {
    fn told(self) -> Result<T> {
        self.map_err(|trouble| Exit::Phone(trouble.kind).error(trouble.to_string()))
    }
}

/// This machine's tools, started at the checkout's root.
///
/// # Errors
/// On another system than macOS, unless the tools are there all the same.
pub(super) fn tools(context: &Context) -> Result<Tools> {
    if !context.machine.host.is_mac() && context.machine.find("xcrun").is_none() {
        let message = format!(
            "this machine is {}, and Apple's tools run on a Mac alone; `device sheet` and `device judge` run anywhere",
            context.machine.host
        );
        return Err(Exit::Missing.error(message));
    }
    Ok(Tools::new(context.machine.env.clone(), context.workspace.root()))
}

/// The place called `name`.
///
/// # Errors
/// When there is none.
pub(super) fn phone(name: &str) -> Result<&'static Phone> {
    Phone::named(name).ok_or_else(|| {
        let known: Vec<&str> = PHONES.iter().map(|phone| phone.name).collect();
        Exit::Usage.error(format!("no place {name:?}; known: {}", known.join(", ")))
    })
}
