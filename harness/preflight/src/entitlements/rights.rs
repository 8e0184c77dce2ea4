//! What an app may do that others may not.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::app::read;
use super::{EntitlementError, app, archive, blob, profile, property_list};

/// More address space.
pub const EXTENDED_VIRTUAL_ADDRESSING: &str = "com.apple.developer.kernel.extended-virtual-addressing";
/// More memory before the app is ended.
pub const INCREASED_MEMORY_LIMIT: &str = "com.apple.developer.kernel.increased-memory-limit";
/// Both that matter to large models.
const WANTED: [&str; 2] = [EXTENDED_VIRTUAL_ADDRESSING, INCREASED_MEMORY_LIMIT];
/// Most bytes of an entitlements file or a profile.
const MOST: u64 = 16 << 20;

/// Where entitlements are read from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// The file that an app is signed with, and its profile, where both are named.
    Files {
        /// The .entitlements file.
        entitlements: Option<&'a Path>,
        /// The provisioning profile.
        profile: Option<&'a Path>,
    },
    /// An app or an IPA; `signed` is what `codesign` says of it, where that was asked.
    App {
        /// The app.
        path: &'a Path,
        /// The XML property list that `codesign -d --entitlements - --xml` prints.
        signed: Option<&'a [u8]>,
    },
}

/// What an app asks for and what its profile grants, of the entitlements that matter to large models.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rights {
    /// Whether anything was read: if not, the app is taken to ask for nothing.
    pub known: bool,
    /// Keys that the app asks for; `None` where only a profile was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Vec<String>>,
    /// Keys that the profile grants; `None` where there is no profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub granted: Option<Vec<String>>,
}

impl Rights {
    /// Reads them.
    ///
    /// # Errors
    /// When a file cannot be read, or is none of its kind.
    pub fn read(source: Source<'_>) -> Result<Self, EntitlementError> {
        let (asked, granted) = match source {
            Source::Files { entitlements, profile } => {
                (entitlements.map(of_file).transpose()?, profile.map(of_profile).transpose()?)
            }
            Source::App { path, signed } => of_app(path, signed)?,
        };
        Ok(Self { known: asked.is_some() || granted.is_some(), asked, granted })
    }

    /// Whether the app has the entitlement: it asks for it, and nothing says that it is not granted.
    pub fn has(&self, key: &str) -> bool {
        let said =
            |keys: &Option<Vec<String>>| keys.as_ref().map(|keys| keys.iter().any(|known| known == key));
        match (said(&self.asked), said(&self.granted)) {
            (Some(asked), granted) => asked && granted != Some(false),
            (None, granted) => granted == Some(true),
        }
    }

    /// Keys that it would take and the app does not ask for.
    pub fn missing(&self) -> Vec<&'static str> {
        let asks = |key: &str| match (&self.asked, &self.granted) {
            (Some(keys), _) | (None, Some(keys)) => keys.iter().any(|known| known == key),
            (None, None) => false,
        };
        WANTED.into_iter().filter(|key| !asks(key)).collect()
    }

    /// Keys that the app asks for and the profile does not grant.
    pub fn refused(&self) -> Vec<&str> {
        let (Some(asked), Some(granted)) = (&self.asked, &self.granted) else { return Vec::new() };
        asked.iter().filter(|key| !granted.contains(key)).map(String::as_str).collect()
    }
}

type Keys = Vec<String>;

fn of_file(path: &Path) -> Result<Keys, EntitlementError> {
    let list = property_list::dictionary(&read(path, MOST)?);
    let list = list.map_err(|problem| EntitlementError::new(path, problem))?;
    Ok(wanted(&property_list::switched_on(&list)))
}

fn of_profile(path: &Path) -> Result<Keys, EntitlementError> {
    let granted = profile::granted(&read(path, MOST)?);
    granted.map(|granted| wanted(&granted)).map_err(|problem| EntitlementError::new(path, problem))
}

fn of_app(path: &Path, signed: Option<&[u8]>) -> Result<(Option<Keys>, Option<Keys>), EntitlementError> {
    let fail = |problem: String| EntitlementError::new(path, problem);
    let contents =
        if path.is_dir() { app::contents(path, signed.is_none())? } else { archive::contents(path)? };
    let blob = signed.or_else(|| contents.program.as_deref().and_then(blob::entitlements));
    let asked = match blob {
        // A program that is not signed, or asks for nothing, has none.
        None | Some([]) => Vec::new(),
        Some(blob) => {
            let list = property_list::dictionary(blob);
            wanted(&property_list::switched_on(
                &list.map_err(|problem| fail(format!("its signature: {problem}")))?,
            ))
        }
    };
    let granted = contents.profile.as_deref().map(profile::granted).transpose();
    let granted = granted.map_err(|problem| fail(format!("its profile: {problem}")))?;
    Ok((Some(asked), granted.map(|granted| wanted(&granted))))
}

fn wanted(keys: &BTreeMap<String, bool>) -> Keys {
    WANTED.into_iter().filter(|key| keys.get(*key) == Some(&true)).map(str::to_owned).collect()
}
