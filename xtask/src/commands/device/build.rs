//! `device build`: the bridge, the framework, the app and its tests.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use device::argv::{build_for_testing, build_slice, entitlements, profile, slices, xcframework};
use device::flow::{App, Tools, apps};
use device::said::missing_entitlements;
use device::{Phone, Trouble, TroubleKind};

use super::told::{Told as _, phone, tools};
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::PhoneFlags;

/// What was built for one kind of place.
pub(super) struct Built(PathBuf);

impl Built {
    /// Where it is built for `phone`.
    pub(super) fn of(phone: &Phone, context: &Context) -> Self {
        Self(context.workspace.target().join("device/built").join(phone.slice()))
    }

    fn derived(&self) -> PathBuf {
        self.0.join("derived")
    }

    /// The folder of what xcodebuild made.
    pub(super) fn products(&self) -> PathBuf {
        self.derived().join("Build/Products")
    }

    /// The file that says how tests are run.
    ///
    /// # Errors
    /// When nothing was built yet.
    pub(super) fn xctestrun(&self) -> Result<PathBuf> {
        let entries = fs::read_dir(self.products()).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.retain(|file| name(file).ends_with(".xctestrun") && !name(file).starts_with("conformance-"));
        files.sort();
        let nothing = || {
            Exit::Missing
                .error("nothing was built yet; `cargo xtask device build` first, with the same --subject")
        };
        files.into_iter().next().ok_or_else(nothing)
    }

    /// The app's bundle.
    pub(super) fn app(&self, app: &App, simulator: bool) -> PathBuf {
        let folder = if simulator { "Debug-iphonesimulator" } else { "Debug-iphoneos" };
        self.products().join(folder).join(format!("{}.app", app.name))
    }
}

/// The app that `flags` mean.
pub(super) fn app(flags: &PhoneFlags) -> App {
    let [entitled, plain] = apps();
    if flags.plain { plain } else { entitled }
}

/// Builds everything for one place.
pub(super) fn run(flags: &PhoneFlags, context: &Context) -> Result<Exit> {
    let (phone, tools) = (phone(&flags.subject)?, tools(context)?);
    let built = Built::of(phone, context);
    framework(phone, &built, &tools, context)?;
    let derived = built.derived();
    let build = build_for_testing(
        phone.simulator,
        flags.team.as_deref(),
        Some(&flags.prefix),
        &derived.to_string_lossy(),
    );
    eprintln!("{build}");
    tools.demand(&build).told()?;
    println!("{}", built.xctestrun()?.display());
    if !phone.simulator {
        told_entitlements(flags, &built, &tools)?;
    }
    Ok(Exit::Fine)
}

fn framework(phone: &Phone, built: &Built, tools: &Tools, context: &Context) -> Result<()> {
    let slice = slices().into_iter().find(|slice| slice.name == phone.slice());
    let slice = slice.context("every place has a slice")?;
    let folder = built.0.join("bridge");
    let build = build_slice(&slice, &folder.to_string_lossy());
    eprintln!("{build}");
    tools.demand(&build).told()?;
    let library = folder.join(slice.target).join("release/libbridge.a");
    let runner = context.workspace.root().join("ios-runner");
    let output = runner.join("build/CConformance.xcframework");
    // xcodebuild does not write over one.
    if output.exists() {
        fs::remove_dir_all(&output).with_context(|| format!("cannot remove {}", output.display()))?;
    }
    let headers = runner.join("bridge/include");
    let libraries = [library.to_string_lossy().into_owned()];
    tools
        .demand(&xcframework(&libraries, &headers.to_string_lossy(), &output.to_string_lossy()))
        .told()
        .map(drop)
}

/// Both the binary and the profile must grant them: either alone is not enough on a phone.
fn told_entitlements(flags: &PhoneFlags, built: &Built, tools: &Tools) -> Result<()> {
    let app = app(flags);
    if !app.entitled {
        return Ok(());
    }
    let path = built.app(&app, false).to_string_lossy().into_owned();
    for (what, argv) in [("the binary", entitlements(&path)), ("the profile", profile(&path))] {
        let missing = missing_entitlements(tools.demand(&argv).told()?.as_bytes());
        if !missing.is_empty() {
            let message = format!("{what} of {} does not grant {}", app.name, missing.join(" and "));
            return Err::<(), _>(Trouble::new(TroubleKind::Unsigned, message)).told();
        }
    }
    Ok(())
}
