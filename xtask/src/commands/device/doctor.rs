//! `device doctor`: what is missing for a run.

use anyhow::Result;
use device::argv::{Argv, list_devices};
use device::flow::Tools;
use device::said::{devices, pick};
use device::{Phone, Trouble};

use super::build::Built;
use super::told::{phone, tools};
use crate::backend;
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::PhoneFlags;

/// Looks at everything, tells all of it, and ends with the code of the first trouble.
pub(super) fn run(flags: &PhoneFlags, context: &Context) -> Result<Exit> {
    let (phone, tools) = (phone(&flags.subject)?, tools(context)?);
    let looks = [
        ("Xcode", xcode(&tools)),
        ("place", place(phone, flags, &tools, context)),
        ("team", team(phone, flags)),
        ("built", Built::of(phone, context).xctestrun().map(|file| file.display().to_string())),
    ];
    let mut exit = Exit::Fine;
    for (what, look) in looks {
        match look {
            Ok(found) => println!("{what:<6} {found}"),
            Err(error) => {
                println!("{what:<6} MISSING: {error:#}");
                exit = if exit == Exit::Fine { Exit::of(&error) } else { exit };
            }
        }
    }
    Ok(exit)
}

fn xcode(tools: &Tools) -> Result<String> {
    let printed = tools.demand(&Argv::new("xcodebuild", ["-version"], 2)).or_exit(Exit::Missing)?;
    Ok(printed.lines().collect::<Vec<_>>().join(", "))
}

fn place(phone: &Phone, flags: &PhoneFlags, tools: &Tools, context: &Context) -> Result<String> {
    if phone.simulator {
        return Ok(format!(
            "simulator {}: wiring only, says nothing about answer quality",
            backend::boot_one(&context.machine)?
        ));
    }
    let told = |trouble: Trouble| Exit::Phone(trouble.kind).error(trouble.to_string());
    let scratch = tempfile::tempdir()?;
    let json = scratch.path().join("devices.json");
    let answer = tools.devicectl(&list_devices(&json.to_string_lossy()), &json).map_err(told)?;
    let known = devices(&answer.to_string()).map_err(told)?;
    let device = pick(&known, flags.device.as_deref()).map_err(told)?;
    Ok(format!("{}, {}, iOS {}, {}", device.name, device.marketing, device.os, device.udid))
}

fn team(phone: &Phone, flags: &PhoneFlags) -> Result<String> {
    match &flags.team {
        _ if phone.simulator => Ok("none is needed in the simulator".to_owned()),
        Some(team) => Ok(team.clone()),
        None => Err(Exit::Phone(device::TroubleKind::Unsigned)
            .error("no --team; Xcode, Settings, Accounts shows its ID")),
    }
}
