//! Provisioning profiles: a signed message around a property list.

use std::collections::BTreeMap;

use plist::Value;

use super::property_list::{dictionary, switched_on};

/// What a profile grants, by key. The signature isn't checked: whoever reads this wants to know what it says.
pub(super) fn granted(bytes: &[u8]) -> Result<BTreeMap<String, bool>, String> {
    let plist = embedded(bytes)
        .ok_or("it holds no property list; give the .mobileprovision or .provisionprofile file of the app")?;
    match dictionary(plist)?.get("Entitlements") {
        Some(Value::Dictionary(entitlements)) => Ok(switched_on(entitlements)),
        _ => Err(
            "its property list grants nothing: it has no key \"Entitlements\"; is it a provisioning profile?"
                .to_owned(),
        ),
    }
}

/// The property list inside a signed message, which begins and ends as every XML one does.
fn embedded(bytes: &[u8]) -> Option<&[u8]> {
    const END: &[u8] = b"</plist>";
    let start = find(bytes, b"<?xml")?;
    let length = find(&bytes[start..], END)? + END.len();
    Some(&bytes[start..start + length])
}

pub(super) fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
