//! What Apple's tools print, of three generations and cut off anywhere. All fixtures here are synthetic, after the
//! schemas that the tools document and the captures that public projects test with.

use device::TroubleKind;
use device::said::{
    KnownDevice, MEMORY_ENTITLEMENTS, Prepared, Summary, devices, manifest_files, missing_entitlements, pick,
    prepare, refused,
};
use plist::Value as Plist;
use proptest::prelude::*;
use serde_json::{Value, json};

fn old(name: &str, changes: &Value) -> Value {
    let mut device = json!({
        "identifier": format!("I-{name}"),
        "connectionProperties": {"pairingState": "paired", "tunnelState": "disconnected", "transportType": "wired"},
        "deviceProperties": {"name": name, "osVersionNumber": "18.1", "developerModeStatus": "enabled", "new": {"a": 1}},
        "hardwareProperties": {"udid": format!("U-{name}"), "platform": "iOS", "reality": "physical",
            "productType": "iPhone17,1", "marketingName": "iPhone 16 Pro"}
    });
    for (pointer, value) in changes.as_object().unwrap() {
        *device.pointer_mut(pointer).unwrap() = value.clone();
    }
    device
}

fn answer(version: u32, devices: &[Value]) -> String {
    json!({"info": {"jsonVersion": version, "outcome": "success", "surprise": []}, "result": {"devices": devices}}).to_string()
}

fn ready(name: &str) -> KnownDevice {
    KnownDevice {
        udid: format!("U-{name}"),
        name: name.to_owned(),
        model: "iPhone17,1".to_owned(),
        marketing: "iPhone 16 Pro".to_owned(),
        os: "18.1".to_owned(),
        paired: Some(true),
        developer_mode: Some(true),
        transport: "wired".to_owned(),
    }
}

#[test]
fn devices_of_json_version_2_and_3() {
    let listed =
        [old("A", &json!({})), old("Watch", &json!({"/hardwareProperties/platform": "watchOS"})), json!({})];
    for version in [2, 3] {
        assert_eq!(devices(&answer(version, &listed)).unwrap(), [ready("A")]);
    }
    let bare = json!({"identifier": "I", "hardwareProperties": {}, "connectionProperties": {}, "deviceProperties": {}});
    let known = devices(&answer(2, &[bare])).unwrap();
    assert_eq!((known[0].udid.as_str(), known[0].paired), ("I", None));
}

#[test]
fn devices_of_json_version_5_without_the_simulators() {
    let new = |reality: &str| {
        json!({"identifier": "I", "properties": {
            "hardware": {"udid": "U-A", "platform": "iOS", "reality": reality, "productType": "iPhone17,1",
                "marketingName": "iPhone 16 Pro"},
            "state": {"name": "A", "developerModeStatus": "enabled"},
            "connection": {"pairingState": "paired", "transportType": "wired"},
            "software": {"osVersionNumber": {"stringValue": "18.1", "components": [18, 1]}}
        }})
    };
    assert_eq!(devices(&answer(5, &[new("physical"), new("simulated")])).unwrap(), [ready("A")]);
}

#[test]
fn the_device_that_is_meant_is_taken_and_its_trouble_told() {
    use TroubleKind::{Absent, NoDeveloperMode, Unpaired};
    let unpaired = old("P", &json!({"/connectionProperties/pairingState": "unpaired"}));
    let off = old("D", &json!({"/deviceProperties/developerModeStatus": "disabled"}));
    let away = old("W", &json!({"/connectionProperties/transportType": null}));
    let all = devices(&answer(2, &[old("A", &json!({})), unpaired, off, away])).unwrap();
    assert_eq!(pick(&all, None).unwrap().name, "A");
    assert_eq!(pick(&all, Some("U-A")).unwrap().name, "A");
    for (wanted, kind) in [("P", Unpaired), ("U-D", NoDeveloperMode), ("W", Absent), ("Z", Absent)] {
        assert_eq!(pick(&all, Some(wanted)).unwrap_err().kind, kind, "{wanted}");
    }
    assert_eq!(pick(&all[1..2], None).unwrap_err().kind, Unpaired);
    assert!(
        pick(&[], None).unwrap_err().to_string().starts_with("no device is ready; known: none; connect one")
    );
    let two = devices(&answer(2, &[old("A", &json!({})), old("B", &json!({}))])).unwrap();
    assert!(pick(&two, None).unwrap_err().message.contains("A, B; name one with --device"));
}

#[test]
fn a_failure_of_devicectl_is_told_with_what_caused_it() {
    let error = |code: i64, words: &str, cause: &str| {
        json!({"info": {"outcome": "failed"}, "error": {"code": code, "domain": "com.apple.dt.CoreDeviceError", "userInfo": {
            "NSLocalizedDescription": {"string": words},
            "NSUnderlyingError": {"error": {"code": 1, "userInfo": {"NSLocalizedDescription": {"string": cause}}}}}}})
    };
    let told = refused("`x` failed", &error(1, "The operation failed", "The device is locked.")).unwrap();
    assert_eq!(
        (told.kind, told.message.as_str()),
        (TroubleKind::Locked, "`x` failed: The operation failed: The device is locked.")
    );
    let absent = refused("x", &error(7000, "Something", "else")).unwrap();
    assert!(absent.message.ends_with("(the file is not there)"), "{absent}");
    assert_eq!(refused("x", &json!({"result": {}})), None);
    assert!(devices(&error(1, "tunnel failed", "").to_string()).is_err());
    assert_eq!(devices("").unwrap_err().kind, TroubleKind::Down);
}

#[test]
fn a_summary_and_a_manifest() {
    let summary = Summary::of(
        r#"{"totalTestCount": 3, "passedTests": 1, "failedTests": 1, "skippedTests": 1, "expectedFailures": 0, "title": "t",
        "environmentDescription": "iPhone", "result": "Failed", "startTime": 1.5, "devicesAndConfigurations": [],
        "testFailures": [{"testName": "test_x()", "targetName": "T", "failureText": "no sheet", "testIdentifierString": "C/x"}]}"#,
    )
    .unwrap();
    assert_eq!((summary.counts.total_test_count, summary.counts.skipped_tests), (3, 1));
    assert_eq!(summary.test_failures[0].failure_text, "no sheet");
    assert_eq!(Summary::of("{}"), Some(Summary::default()));
    let manifest = r#"[{"testIdentifier": "C/x", "attachments": [{"exportedFileName": "A.json", "timestamp": 1.0}]}, {"testIdentifier": "C/y"}]"#;
    assert_eq!(manifest_files(manifest), Some(vec!["A.json".to_owned()]));
    assert_eq!(manifest_files("{}"), None);
}

#[test]
fn entitlements_of_a_binary_and_of_a_profile() {
    let key = |name: &str| format!("<key>{name}</key><true/>");
    let [virtual_space, memory] = MEMORY_ENTITLEMENTS;
    let plist =
        |inner: &str| format!("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>{inner}</dict></plist>");
    let both = key(virtual_space) + &key(memory);
    for (text, missing) in [
        (plist(&both), vec![]),
        (plist(&format!("<key>Entitlements</key><dict>{both}</dict>")), vec![]),
        (plist(&key(memory)), vec![virtual_space]),
        (plist(&format!("<key>{memory}</key><false/>")), vec![virtual_space, memory]),
        (String::new(), vec![virtual_space, memory]),
    ] {
        assert_eq!(missing_entitlements(text.as_bytes()), missing, "{text}");
    }
}

fn target(name: &str) -> Plist {
    let mut target = plist::Dictionary::new();
    target.insert("BlueprintName".to_owned(), Plist::from(name));
    target.insert("TestHostPath".to_owned(), Plist::from("__TESTROOT__/A.app"));
    Plist::Dictionary(target)
}

#[test]
fn an_xctestrun_of_either_version_is_prepared() {
    let only = ["Cases/test_x".to_owned()];
    let how = Prepared { targets: &["T"], env: &[("CONFORMANCE_OPTIONS", "{}")], only: &only };
    let dictionary = |entries: Vec<(&str, Plist)>| {
        Plist::Dictionary(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    };
    let one = dictionary(vec![
        ("T", target("T")),
        ("Other", target("Other")),
        ("__xctestrun_metadata__", dictionary(vec![])),
    ]);
    let configuration = dictionary(vec![("TestTargets", Plist::Array(vec![target("T"), target("Other")]))]);
    let two = dictionary(vec![("TestConfigurations", Plist::Array(vec![configuration]))]);
    for (mut file, path) in [(one, "1"), (two, "2")] {
        assert_eq!(prepare(&mut file, &how), 1);
        let top = file.as_dictionary().unwrap();
        let kept = if path == "1" {
            assert!(top.get("Other").is_none() && top.get("__xctestrun_metadata__").is_some());
            top.get("T").unwrap().as_dictionary().unwrap().clone()
        } else {
            let configuration =
                top.get("TestConfigurations").unwrap().as_array().unwrap()[0].as_dictionary().unwrap();
            configuration.get("TestTargets").unwrap().as_array().unwrap()[0].as_dictionary().unwrap().clone()
        };
        assert_eq!(kept.get("UserAttachmentLifetime").unwrap().as_string(), Some("keepAlways"));
        assert_eq!(kept.get("OnlyTestIdentifiers").unwrap().as_array().unwrap().len(), 1);
        let env = kept.get("TestingEnvironmentVariables").unwrap().as_dictionary().unwrap();
        assert_eq!(env.get("CONFORMANCE_OPTIONS").unwrap().as_string(), Some("{}"));
        assert_eq!(kept.get("TestHostPath").unwrap().as_string(), Some("__TESTROOT__/A.app"));
        assert_eq!(prepare(&mut file, &Prepared { targets: &["None"], ..how }), 0);
    }
}

proptest! {
    /// Whatever comes, nothing panics.
    #[test]
    fn cut_off_answers_are_survived(at in 0..600usize) {
        let whole = answer(2, &[old("A", &json!({}))]);
        let cut = &whole[..at.min(whole.len())];
        let _ = devices(cut);
        let _ = Summary::of(cut);
        let _ = manifest_files(cut);
        let _ = missing_entitlements(cut.as_bytes());
    }
}
