//! `device list`.

use anyhow::Result;
use device::argv::list_devices;
use device::flow::Tools;
use device::said::{KnownDevice, devices};

use super::told::{Told as _, tools};
use crate::context::Context;
use crate::exit::Exit;
use crate::table::Table;

/// Shows the phones that this Mac knows.
pub(super) fn run(context: &Context) -> Result<Exit> {
    let known = known(&tools(context)?)?;
    let mut table = Table::new(&["name", "model", "iOS", "UDID", "state"]);
    for device in &known {
        let state = device.trouble().map_or("ready".to_owned(), |trouble| trouble.message);
        table.row([
            device.name.clone(),
            device.marketing.clone(),
            device.os.clone(),
            device.udid.clone(),
            state,
        ]);
    }
    print!("{table}");
    if known.is_empty() {
        println!("no iPhone or iPad; connect one by cable, unlock it, and tap Trust");
    }
    Ok(Exit::Fine)
}

/// The phones that this Mac knows.
///
/// # Errors
/// When devicectl cannot be asked.
pub(super) fn known(tools: &Tools) -> Result<Vec<KnownDevice>> {
    let scratch = tempfile::tempdir()?;
    let json = scratch.path().join("devices.json");
    let answer = tools.devicectl(&list_devices(&json.to_string_lossy()), &json).told()?;
    devices(&answer.to_string()).told()
}
