//! What a run on the device itself measured; it takes the place of what is reported of it.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;

use super::{Certainty, Device, DeviceError, Limit, find};

/// Most bytes of such a file.
const MOST: u64 = 1 << 20;

/// A file of measurements. What was not measured is left out.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The file's version: 1.
    pub version: Version,
    /// The device's identifier, for example `iPhone18,1`.
    pub device: String,
    /// Whether the app that measured had extended-virtual-addressing.
    #[serde(default)]
    pub extended_virtual_addressing: bool,
    /// Whether the app that measured had increased-memory-limit.
    #[serde(default)]
    pub increased_memory_limit: bool,
    /// Bytes that could be mapped read-only before `mmap` failed.
    #[serde(default)]
    pub address_space: Option<u64>,
    /// `os_proc_available_memory()` at launch, in bytes.
    #[serde(default)]
    pub app_memory: Option<u64>,
    /// `MTLDevice.recommendedMaxWorkingSetSize`, in bytes.
    #[serde(default)]
    pub working_set: Option<u64>,
    /// `MTLDevice.maxBufferLength`, in bytes.
    #[serde(default)]
    pub max_buffer: Option<u64>,
    /// What its flash read in a second, in bytes.
    #[serde(default)]
    pub flash_read: Option<u64>,
}

/// The one version that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u32")]
pub struct Version;

impl TryFrom<u32> for Version {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        if number == 1 { Ok(Self) } else { Err(format!("version {number} of the file is not known, only 1")) }
    }
}

impl Measured {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is none.
    pub fn read(path: &Path) -> Result<Self, DeviceError> {
        let read = || {
            let mut text = String::new();
            File::open(path)?.take(MOST).read_to_string(&mut text)?;
            Ok(text)
        };
        let text = read().map_err(|source| DeviceError::Read { path: path.to_owned(), source })?;
        serde_json::from_str(&text).map_err(|error| {
            let said = error.to_string();
            let problem = said.rfind(" at line ").map_or(said.as_str(), |at| &said[..at]).to_owned();
            DeviceError::NotMeasured { path: path.to_owned(), line: error.line(), problem }
        })
    }

    /// The device `asked` for, or the one that was measured, with these figures in place of the listed ones.
    ///
    /// # Errors
    /// Where both are named and differ, or neither is known.
    pub fn device(&self, path: &Path, asked: Option<&str>, ram: Option<u64>) -> Result<Device, DeviceError> {
        let mut device = find(asked.unwrap_or(&self.device), ram)?;
        let same = device.identifiers.is_empty() || device.identifiers.contains(&self.device);
        if !same {
            let (measured, asked) = (self.device.clone(), asked.unwrap_or_default().to_owned());
            return Err(DeviceError::OtherDevice { path: path.to_owned(), measured, asked });
        }
        let limit =
            |bytes: u64| Limit { bytes, certainty: Certainty::Measured, source: path.display().to_string() };
        let limits = &mut device.limits;
        if let Some(bytes) = self.address_space {
            // What was mapped says more than what others report.
            limits.maps.clear();
            let pair = &mut limits.address_space;
            let place = if self.extended_virtual_addressing { &mut pair.with } else { &mut pair.without };
            *place = Some(limit(bytes));
        }
        if let Some(bytes) = self.app_memory {
            let pair = &mut limits.app_memory;
            let place = if self.increased_memory_limit { &mut pair.with } else { &mut pair.without };
            *place = Some(limit(bytes));
        }
        let single = [
            (self.working_set, &mut limits.working_set),
            (self.max_buffer, &mut limits.max_buffer),
            (self.flash_read, &mut limits.flash_read),
        ];
        for (bytes, place) in single {
            if let Some(bytes) = bytes {
                *place = Some(limit(bytes));
            }
        }
        Ok(device)
    }
}
