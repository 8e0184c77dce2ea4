//! `devicectl`: it writes JSON into a file, and only that is stable.

use super::Argv;

fn devicectl<'a>(args: impl IntoIterator<Item = &'a str>, json: &str, minutes: u64) -> Argv {
    Argv::xcrun(["devicectl"].into_iter().chain(args), minutes).with("--json-output").with(json)
}

/// The devices that this Mac knows.
pub fn list_devices(json: &str) -> Argv {
    devicectl(["list", "devices"], json, 2)
}

/// Installs an app: its container is there only then.
pub fn install(udid: &str, app: &str, json: &str) -> Argv {
    devicectl(["device", "install", "app", "--device", udid, app], json, 10)
}

/// Copies a file into an app's container.
pub fn copy_to(udid: &str, bundle: &str, source: &str, destination: &str, json: &str) -> Argv {
    copy("to", udid, bundle, source, destination, json)
}

/// Copies a file or a folder out of an app's container. Nothing may be at `destination`.
pub fn copy_from(udid: &str, bundle: &str, source: &str, destination: &str, json: &str) -> Argv {
    copy("from", udid, bundle, source, destination, json)
}

fn copy(way: &str, udid: &str, bundle: &str, source: &str, destination: &str, json: &str) -> Argv {
    let args =
        ["device", "copy", way, "--device", udid, "--domain-type", "appDataContainer", "--domain-identifier"];
    let rest = [bundle, "--source", source, "--destination", destination];
    devicectl(args.into_iter().chain(rest), json, 60)
}
