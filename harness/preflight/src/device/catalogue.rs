//! The devices that are known, and what is said of others with as much memory.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{DeviceError, Limits};

/// How alike two names must be, from 0 to 1, before one is taken for a slip of the other.
const ALIKE: f64 = 0.8;

/// A device.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// What it is sold as.
    pub name: String,
    /// What the system calls it, for example `iPhone18,1`.
    #[serde(default)]
    pub identifiers: Vec<String>,
    /// Memory in GB, as it is sold: powers of two.
    pub ram: u64,
    /// Where name, identifiers and memory come from.
    #[serde(default)]
    pub source: String,
    /// What it is.
    #[serde(default)]
    pub kind: Kind,
    /// What it allows.
    #[serde(default)]
    pub limits: Limits,
    /// Whether it stands for all devices with as much memory.
    #[serde(skip)]
    pub by_ram: bool,
}

/// A kind of device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A phone or a tablet: an app is ended when it takes too much.
    #[default]
    Mobile,
    /// A computer: there is no limit but its memory.
    Computer,
}

impl Device {
    /// Whether apps are ended there when they take too much.
    pub const fn is_mobile(&self) -> bool {
        matches!(self.kind, Kind::Mobile)
    }
}

/// What is said of all devices with so much memory.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    ram: u64,
    limits: Limits,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    classes: Vec<Class>,
    devices: Vec<Device>,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let mut catalogue: Catalogue = serde_json::from_str(include_str!("devices.json"))
        .expect("devices.json holds classes and devices; a test reads it");
    let Catalogue { classes, devices } = &mut catalogue;
    for device in devices.iter_mut().filter(|device| device.is_mobile()) {
        if let Some(class) = class(classes, device.ram) {
            device.limits = std::mem::take(&mut device.limits).or(&class.limits);
        }
    }
    catalogue
});

/// The largest class that has no more memory than that.
fn class(classes: &[Class], ram: u64) -> Option<&Class> {
    classes.iter().rev().find(|class| class.ram <= ram)
}

/// All devices that are listed.
pub fn all() -> &'static [Device] {
    &CATALOGUE.devices
}

/// A device that is not listed, with `ram` GB of memory.
pub fn of_ram(name: &str, ram: u64) -> Device {
    let limits = class(&CATALOGUE.classes, ram).map(|class| class.limits.clone()).unwrap_or_default();
    Device {
        name: name.to_owned(),
        identifiers: Vec::new(),
        ram,
        source: String::new(),
        kind: Kind::Mobile,
        limits,
        by_ram: true,
    }
}

/// The device called `name` or identified by it, in any spelling of case, blanks and hyphens; else, where `ram` is said
/// or `name` is an amount of memory (`8gb`), what is known of devices with so many GB.
///
/// # Errors
/// Where there is no such device, or it has another amount of memory.
pub fn find(name: &str, ram: Option<u64>) -> Result<Device, DeviceError> {
    let wanted = plain(name);
    let listed = all().iter().find(|device| {
        plain(&device.name) == wanted || device.identifiers.iter().any(|id| plain(id) == wanted)
    });
    match (listed, ram) {
        (Some(device), Some(asked)) if device.ram != asked => {
            Err(DeviceError::OtherMemory { name: device.name.clone(), has: device.ram, asked })
        }
        (Some(device), _) => Ok(device.clone()),
        (None, Some(ram)) => Ok(of_ram(name, ram)),
        (None, None) => match amount(&wanted) {
            Some(ram) => Ok(of_ram(&format!("a device with {ram} GB"), ram)),
            None => Err(DeviceError::Unknown { name: name.to_owned(), suggestion: closest(&wanted) }),
        },
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric() || *c == ',').flat_map(char::to_lowercase).collect()
}

fn amount(wanted: &str) -> Option<u64> {
    let digits = wanted.strip_suffix("gb").or_else(|| wanted.strip_suffix("gib"))?;
    digits.parse().ok().filter(|ram| (1..=1024).contains(ram))
}

fn closest(wanted: &str) -> Option<String> {
    let names = all().iter().flat_map(|device| {
        std::iter::once(&device.name).chain(&device.identifiers).map(|name| (name, &device.name))
    });
    let likeness = names.map(|(name, _)| (strsim::jaro_winkler(&plain(name), wanted), name));
    let best = likeness.max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(likeness, _)| *likeness > ALIKE).map(|(_, name)| name.clone())
}
