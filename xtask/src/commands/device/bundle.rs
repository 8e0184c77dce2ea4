//! `device bundle`: what a device farm takes.

use std::fs;

use anyhow::{Context as _, Result};
use device::argv::Argv;
use device::flow::Tools;
use device::said::{Prepared, prepare};
use judge::whole;

use super::ask::{named, sheet_flags};
use super::build::{Built, app};
use super::place::Place;
use super::sheet;
use super::told::{Told as _, phone, tools};
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::RunFlags;

/// Puts the sheet and its models into the app, and zips the products. Farms sign again, and grant no entitlements.
pub(super) fn run(flags: &RunFlags, context: &Context) -> Result<Exit> {
    let phone = phone(&flags.phone.subject)?;
    if phone.simulator {
        return Err(Exit::Usage.error("farms have phones; a bundle is made of --subject ios-device"));
    }
    tools(context)?;
    let (built, app) = (Built::of(phone, context), app(&flags.phone));
    let xctestrun = built.xctestrun()?;
    let (made, paths) = sheet::make(&sheet_flags(flags), context)?;
    let folder = built.app(&app, false).join("conformance");
    let cannot = || format!("cannot fill {}", folder.display());
    fs::create_dir_all(folder.join("models")).with_context(cannot)?;
    for model in &made.models {
        let path = named(&paths, &model.file).with_context(|| format!("{} is not here", model.file))?;
        fs::copy(path, folder.join("models").join(&model.file)).with_context(cannot)?;
    }
    whole::write(&folder.join("sheet.json"), made.to_text().as_bytes()).with_context(cannot)?;
    let place = Place::of(&flags.phone.subject, context)?;
    sheet::write(&made, &place.sheet())?;
    let mut value = plist::Value::from_file(&xctestrun)?;
    let options = phone.options();
    prepare(
        &mut value,
        &Prepared { targets: &[app.tests], env: &[("CONFORMANCE_OPTIONS", &options)], only: &[] },
    );
    let file = built.products().join("conformance-farm.xctestrun");
    value.to_file_xml(&file)?;
    let zip = place.sheet().with_file_name("bundle.zip");
    let _ = fs::remove_file(&zip);
    let argv = Argv::new("zip", ["-r", "-q", "-y"], 30)
        .with(zip.to_string_lossy())
        .with("Debug-iphoneos")
        .with("conformance-farm.xctestrun");
    Tools::new(context.machine.env.clone(), &built.products()).demand(&argv).told()?;
    println!("{}", zip.display());
    Ok(Exit::Fine)
}
