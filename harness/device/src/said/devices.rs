//! `devicectl list devices`, of jsonVersion 2, 3 and 5.

use serde_json::Value;

use crate::trouble::{Trouble, TroubleKind};

/// A device that the Mac knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownDevice {
    /// What every tool takes.
    pub udid: String,
    /// What its owner calls it.
    pub name: String,
    /// `iPhone17,1`
    pub model: String,
    /// What it is sold as.
    pub marketing: String,
    /// Its iOS.
    pub os: String,
    /// Whether it trusts this Mac; `None`: it was not said.
    pub paired: Option<bool>,
    /// Whether developer mode is on; `None`: it was not said.
    pub developer_mode: Option<bool>,
    /// `wired`, `localNetwork`, or nothing where it is away.
    pub transport: String,
}

impl KnownDevice {
    /// What keeps it from running anything.
    pub fn trouble(&self) -> Option<Trouble> {
        let says = |kind, what: &str| Some(Trouble::new(kind, format!("{} {what}", self.name)));
        if self.paired == Some(false) {
            return says(TroubleKind::Unpaired, "does not trust this Mac");
        }
        if self.developer_mode == Some(false) {
            return says(TroubleKind::NoDeveloperMode, "has developer mode switched off");
        }
        if self.transport.is_empty() {
            return says(TroubleKind::Absent, "is known, and not connected");
        }
        None
    }
}

/// The iPhones and iPads in devicectl's answer; simulators, watches and what cannot be read are left out.
///
/// # Errors
/// When it is no answer of devicectl.
pub fn devices(json: &str) -> Result<Vec<KnownDevice>, Trouble> {
    let answer: Value = serde_json::from_str(json).map_err(|error| {
        Trouble::new(
            TroubleKind::Down,
            format!("`devicectl list devices` wrote something else than JSON ({error})"),
        )
    })?;
    if let Some(trouble) = super::refused("`devicectl list devices` failed", &answer) {
        return Err(trouble);
    }
    let listed = answer.pointer("/result/devices").and_then(Value::as_array);
    Ok(listed.into_iter().flatten().filter_map(device).collect())
}

fn device(listed: &Value) -> Option<KnownDevice> {
    // In jsonVersion 5 everything lies one level deeper, under other names.
    let text = |paths: &[&str]| {
        let found = paths.iter().find_map(|path| listed.pointer(path).and_then(Value::as_str));
        found.unwrap_or_default().to_owned()
    };
    let reality = text(&["/hardwareProperties/reality", "/properties/hardware/reality"]);
    let platform = text(&["/hardwareProperties/platform", "/properties/hardware/platform"]);
    let known = |value: &str, wanted: &[&str]| value.is_empty() || wanted.contains(&value);
    if !known(&reality, &["physical"]) || !known(&platform, &["iOS", "iPadOS"]) {
        return None;
    }
    let udid = text(&["/hardwareProperties/udid", "/properties/hardware/udid", "/identifier"]);
    let is = |value: String, yes: &str| if value.is_empty() { None } else { Some(value == yes) };
    (!udid.is_empty()).then(|| KnownDevice {
        udid,
        name: text(&["/deviceProperties/name", "/properties/state/name", "/properties/software/name"]),
        model: text(&["/hardwareProperties/productType", "/properties/hardware/productType"]),
        marketing: text(&["/hardwareProperties/marketingName", "/properties/hardware/marketingName"]),
        os: text(&[
            "/deviceProperties/osVersionNumber",
            "/properties/software/osVersionNumber/stringValue",
            "/properties/software/osVersionNumber",
        ]),
        paired: is(
            text(&["/connectionProperties/pairingState", "/properties/connection/pairingState"]),
            "paired",
        ),
        developer_mode: is(
            text(&["/deviceProperties/developerModeStatus", "/properties/state/developerModeStatus"]),
            "enabled",
        ),
        transport: text(&["/connectionProperties/transportType", "/properties/connection/transportType"]),
    })
}

/// The device called `wanted` (its UDID or name), or the only one that is ready.
///
/// # Errors
/// When there is none that fits, or several.
pub fn pick<'a>(devices: &'a [KnownDevice], wanted: Option<&str>) -> Result<&'a KnownDevice, Trouble> {
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    if let Some(wanted) = wanted {
        let fits = devices.iter().find(|device| device.udid == wanted || device.name == wanted);
        let absent = || Trouble::new(TroubleKind::Absent, format!("no device {wanted:?}; known: {known}"));
        let device = fits.ok_or_else(absent)?;
        return device.trouble().map_or(Ok(device), Err);
    }
    let ready: Vec<&KnownDevice> = devices.iter().filter(|device| device.trouble().is_none()).collect();
    match (ready.as_slice(), devices) {
        ([one], _) => Ok(one),
        ([], [one]) => Err(one.trouble().unwrap_or_else(|| Trouble::new(TroubleKind::Absent, "it is away"))),
        ([], _) => Err(Trouble::new(TroubleKind::Absent, format!("no device is ready; known: {known}"))),
        _ => Err(Trouble::new(
            TroubleKind::Absent,
            format!("several devices are ready: {known}; name one with --device"),
        )),
    }
}
