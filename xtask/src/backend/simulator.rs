//! The iOS simulator: `xcrun simctl` command lines, its device list, and how to start a probe in it.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use judge::built::LaunchFile;
use serde::Deserialize;

use crate::command_line::CommandLine;
use crate::exit::{DeviceTrouble, Exit};
use crate::machine::Machine;

/// Names the simulator to use, by UDID or name, instead of the newest iPhone.
pub(super) const SIMULATOR_VARIABLE: &str = "LLAMA_CONFORMANCE_SIMULATOR";

/// simctl hands a variable with this prefix on to the program that it spawns, without the prefix.
const CHILD_PREFIX: &str = "SIMCTL_CHILD_";

/// `simctl list`: which simulators there are.
pub(super) fn list() -> CommandLine {
    simctl(["list", "-j", "devices", "available"])
}

/// `simctl boot`: starts a simulator that is shut down; for a booted one it is an error.
pub(super) fn boot(udid: &str) -> CommandLine {
    simctl(["boot", udid])
}

/// `simctl bootstatus -b`: waits until it is up.
pub(super) fn wait_for_boot(udid: &str) -> CommandLine {
    simctl(["bootstatus", udid, "-b"])
}

/// `simctl spawn`: what stands before the probe's own command line.
pub(super) fn spawn(udid: &str) -> CommandLine {
    simctl(["spawn", udid])
}

fn simctl<'a>(args: impl IntoIterator<Item = &'a str>) -> CommandLine {
    CommandLine::new("xcrun", ["simctl"]).args(args)
}

/// Boots the simulator that `machine` should use and says how to start a probe in it.
///
/// # Errors
/// When there is no Xcode, no simulator, not the one that was named, or it does not boot.
pub(super) fn launch(machine: &Machine) -> Result<LaunchFile> {
    let udid = boot_one(machine)?;
    Ok(LaunchFile {
        // It boots what is not booted: right at any later time too, when `boot` might be an error.
        prepare: vec![wait_for_boot(&udid).argv()],
        prefix: spawn(&udid).argv(),
        env_prefix: CHILD_PREFIX.to_owned(),
        env: vec![],
    })
}

/// Boots the simulator that `machine` should use, and returns its UDID.
///
/// # Errors
/// As [`launch`].
pub(crate) fn boot_one(machine: &Machine) -> Result<String> {
    let json = list().capture(machine, Exit::Device(DeviceTrouble::Absent))?;
    let simulators = parse(&json)?;
    let wanted = machine.var(SIMULATOR_VARIABLE).map(|name| name.to_string_lossy().into_owned());
    let simulator = pick(&simulators, wanted.as_deref())?;
    if !simulator.booted {
        boot(&simulator.udid).run_checked(machine, Exit::Device(DeviceTrouble::Down))?;
    }
    wait_for_boot(&simulator.udid).run_checked(machine, Exit::Device(DeviceTrouble::Down))?;
    Ok(simulator.udid.clone())
}

/// A simulator that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Simulator {
    udid: String,
    name: String,
    /// Version of iOS, most significant first.
    ios: Vec<u32>,
    booted: bool,
}

/// The part of `simctl list -j` that matters. Unknown keys are fine, missing ones too.
#[derive(Deserialize)]
struct Listing {
    #[serde(default)]
    devices: BTreeMap<String, Vec<ListedDevice>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedDevice {
    udid: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    state: String,
    #[serde(default = "yes")]
    is_available: bool,
}

const fn yes() -> bool {
    true
}

/// The iOS simulators in simctl's list.
fn parse(json: &str) -> Result<Vec<Simulator>> {
    let listing: Listing = serde_json::from_str(json)
        .context("`xcrun simctl list -j` printed something else than its device list")?;
    let mut simulators = Vec::new();
    for (runtime, devices) in listing.devices {
        let Some(ios) = ios_version(&runtime) else { continue };
        simulators.extend(devices.into_iter().filter(|device| device.is_available).map(|device| Simulator {
            booted: device.state == "Booted",
            udid: device.udid,
            name: device.name,
            ios: ios.clone(),
        }));
    }
    Ok(simulators)
}

/// `com.apple.CoreSimulator.SimRuntime.iOS-17-2` → 17, 2; `None` for a watch or a television.
fn ios_version(runtime: &str) -> Option<Vec<u32>> {
    let (_, version) = runtime.rsplit_once("SimRuntime.iOS-")?;
    version.split('-').map(|part| part.parse().ok()).collect()
}

/// The named simulator; else a booted one, else an iPhone, else the one with the newest iOS.
fn pick<'a>(simulators: &'a [Simulator], wanted: Option<&str>) -> Result<&'a Simulator> {
    let fits =
        |simulator: &&Simulator| wanted.is_none_or(|name| simulator.udid == name || simulator.name == name);
    let rank = |simulator: &&Simulator| {
        (
            simulator.booted,
            simulator.name.starts_with("iPhone"),
            simulator.ios.clone(),
            simulator.udid.clone(),
        )
    };
    simulators.iter().filter(fits).max_by_key(rank).ok_or_else(|| {
        let what = wanted.map_or("no iOS simulator".to_owned(), |name| format!("no iOS simulator {name:?}"));
        let names: Vec<_> = simulators.iter().map(|simulator| simulator.name.as_str()).collect();
        Exit::Device(DeviceTrouble::Absent).error(format!(
            "{what}; known: {}; add one in Xcode, or name one in {SIMULATOR_VARIABLE}",
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Synthetic, after the keys that `simctl list -j` is documented to print.
    const LISTING: &str = r#"{"devices": {
        "com.apple.CoreSimulator.SimRuntime.iOS-17-2": [
            {"udid": "A", "name": "iPhone 15", "state": "Shutdown", "isAvailable": true, "new": 1},
            {"udid": "B", "name": "iPad Air", "state": "Shutdown", "isAvailable": true}],
        "com.apple.CoreSimulator.SimRuntime.iOS-18-0": [
            {"udid": "C", "name": "iPhone 16", "state": "Shutdown"},
            {"udid": "D", "name": "iPhone SE", "state": "Booted", "isAvailable": false}],
        "com.apple.CoreSimulator.SimRuntime.watchOS-11-0": [
            {"udid": "W", "name": "Apple Watch", "state": "Booted", "isAvailable": true}]}}"#;

    fn picked(listing: &str, wanted: Option<&str>) -> Result<String> {
        Ok(pick(&parse(listing)?, wanted)?.udid.clone())
    }

    #[test]
    fn the_command_lines() {
        assert_eq!(list().to_string(), "xcrun simctl list -j devices available");
        assert_eq!(boot("U").to_string(), "xcrun simctl boot U");
        assert_eq!(wait_for_boot("U").to_string(), "xcrun simctl bootstatus U -b");
        assert_eq!(spawn("U").to_string(), "xcrun simctl spawn U");
    }

    #[test]
    fn picks_the_newest_available_iphone() {
        assert_eq!(picked(LISTING, None).unwrap(), "C");
    }

    #[test]
    fn picks_a_booted_one_first() {
        let listing =
            LISTING.replace(r#""iPad Air", "state": "Shutdown""#, r#""iPad Air", "state": "Booted""#);
        assert_eq!(picked(&listing, None).unwrap(), "B");
    }

    #[test]
    fn picks_the_named_one() {
        assert_eq!(picked(LISTING, Some("iPhone 15")).unwrap(), "A");
        assert_eq!(picked(LISTING, Some("B")).unwrap(), "B");
    }

    #[test]
    fn says_which_there_are() {
        let error = picked(LISTING, Some("iPhone 99")).unwrap_err();
        assert_eq!(Exit::of(&error).code(), 10);
        assert_eq!(
            error.to_string(),
            "no iOS simulator \"iPhone 99\"; known: iPhone 15, iPad Air, iPhone 16; add one in Xcode, or name one \
             in LLAMA_CONFORMANCE_SIMULATOR"
        );
        assert!(picked("{}", None).unwrap_err().to_string().starts_with("no iOS simulator; known: none"));
    }

    #[test]
    fn garbage_is_an_error() {
        assert!(picked("no json", None).is_err());
    }
}
