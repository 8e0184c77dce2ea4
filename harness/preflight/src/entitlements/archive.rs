//! An app in a zip file: an IPA.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use super::EntitlementError;
use super::app::{Contents, NO_NAME, name};
use super::property_list::dictionary;

/// Most bytes of one file in it: a program.
const MOST: u64 = 2 << 30;

/// Reads the app in the IPA at `path`.
pub(super) fn contents(path: &Path) -> Result<Contents, EntitlementError> {
    let fail = |problem: String| EntitlementError::new(path, problem);
    let file = File::open(path).map_err(|error| fail(format!("cannot read it: {error}; check the path")))?;
    let broken = |error: ZipError| {
        fail(format!("it is no whole IPA ({error}); export it again, or copy it again if it was copied"))
    };
    let mut zip = ZipArchive::new(file).map_err(broken)?;
    let app = app(&zip)
        .ok_or_else(|| fail("it holds no app: there is no Payload/NAME.app/Info.plist".to_owned()))?;
    let mut entry = |name: &str| -> Result<Option<Vec<u8>>, EntitlementError> {
        let mut file = match zip.by_name(&format!("{app}/{name}")) {
            Err(ZipError::FileNotFound) => return Ok(None),
            file => file.map_err(broken)?,
        };
        let mut bytes = Vec::new();
        let read = (&mut file).take(MOST).read_to_end(&mut bytes);
        read.map_err(|error| fail(format!("{name} in it cannot be unpacked ({error}); export it again")))?;
        Ok(Some(bytes))
    };
    let info = entry("Info.plist")?.unwrap_or_default();
    let list = dictionary(&info).map_err(|problem| fail(format!("Info.plist: {problem}")))?;
    let program = entry(name(&list).ok_or_else(|| fail(format!("Info.plist: {NO_NAME}")))?)?;
    Ok(Contents { program, profile: entry("embedded.mobileprovision")? })
}

/// The folder of the app.
fn app<R: std::io::Read + std::io::Seek>(zip: &ZipArchive<R>) -> Option<String> {
    zip.file_names().find_map(|name| {
        let name = name.ok()?;
        let app = name.strip_suffix("/Info.plist")?;
        let inside = app.strip_prefix("Payload/")?;
        (inside.ends_with(".app") && !inside.contains('/')).then(|| app.to_owned())
    })
}
