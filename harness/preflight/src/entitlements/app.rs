//! An app as a folder.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::EntitlementError;
use super::property_list::dictionary;

/// Most bytes of a program that are looked at.
const MOST_PROGRAM: u64 = 2 << 30;
/// Most bytes of a profile or a list.
const MOST_SMALL: u64 = 16 << 20;
/// Where profiles lie in an app: on a phone, on a Mac.
const PROFILES: [&str; 2] = ["embedded.mobileprovision", "Contents/embedded.provisionprofile"];
/// Where the list lies that names the program.
const INFOS: [&str; 2] = ["Info.plist", "Contents/Info.plist"];

/// What lies in an app.
pub(super) struct Contents {
    /// Its program, where it was looked for and is there.
    pub(super) program: Option<Vec<u8>>,
    /// Its profile, where it has one.
    pub(super) profile: Option<Vec<u8>>,
}

/// Reads an app at `path`; the program only where `program` says so.
pub(super) fn contents(path: &Path, program: bool) -> Result<Contents, EntitlementError> {
    let info = INFOS.iter().map(|info| path.join(info)).find(|info| info.is_file());
    let Some(info) = info else {
        let problem =
            "this folder is no app: it has no Info.plist; give the .app that Xcode built, or an .ipa";
        return Err(EntitlementError::new(path, problem));
    };
    let profile = PROFILES.iter().map(|profile| path.join(profile)).find(|profile| profile.is_file());
    let profile = profile.map(|profile| read(&profile, MOST_SMALL)).transpose()?;
    let program = if program { Some(read(&executable(path, &info)?, MOST_PROGRAM)?) } else { None };
    Ok(Contents { program, profile })
}

fn executable(app: &Path, info: &Path) -> Result<PathBuf, EntitlementError> {
    let list =
        dictionary(&read(info, MOST_SMALL)?).map_err(|problem| EntitlementError::new(info, problem))?;
    let name = name(&list).ok_or_else(|| EntitlementError::new(info, NO_NAME))?;
    let folder = if info.parent() == Some(app) { app.to_owned() } else { app.join("Contents/MacOS") };
    Ok(folder.join(name))
}

/// What is wrong with a list that names no program.
pub(super) const NO_NAME: &str =
    "it does not name the app's program (CFBundleExecutable); build the app again";

/// The program's name in an app's list; never a path.
pub(super) fn name(list: &plist::Dictionary) -> Option<&str> {
    let name = list.get("CFBundleExecutable")?.as_string()?;
    (!name.is_empty() && !name.contains(['/', '\\']) && name != "..").then_some(name)
}

/// The regular file at `path`.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, EntitlementError> {
    let fail = |problem: String| EntitlementError::new(path, problem);
    let there =
        fs::metadata(path).map_err(|error| fail(format!("cannot read it: {error}; check the path")))?;
    if !there.is_file() {
        return Err(fail("it is no file; give the file itself".to_owned()));
    }
    if there.len() > most {
        return Err(fail(format!(
            "it has {} bytes, and {most} are the most; is it the right file?",
            there.len()
        )));
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|error| fail(format!("cannot read it: {error}; check its permissions")))?;
    Ok(bytes)
}
