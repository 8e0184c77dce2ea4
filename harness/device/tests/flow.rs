//! Whole flows against programs that answer as Apple's do.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use device::argv::Argv;
use device::flow::{Connection, Ran, Target, Tools, ask, pull, push};
use device::{Question, SHEET_VERSION, Sheet, SheetModel, TroubleKind};
use serde_json::json;
use tempfile::TempDir;

struct Mac {
    folder: TempDir,
}

impl Mac {
    fn new() -> Self {
        let mac = Self { folder: tempfile::tempdir().unwrap() };
        for folder in ["bin", "scratch", "products", "phone"] {
            fs::create_dir(mac.path(folder)).unwrap();
        }
        fs::write(mac.path("m.gguf"), "weights").unwrap();
        let target = "<dict><key>BlueprintName</key><string>T</string></dict>";
        let file = format!(
            "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>T</key>{target}</dict></plist>"
        );
        fs::write(mac.path("products/t.xctestrun"), file).unwrap();
        mac
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program that logs its arguments, then does `script`. `$D` is the folder around everything.
    fn program(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        let log = format!(
            "D='{}'\nPATH=/usr/bin:/bin\necho {name} \"$@\" >> \"$D/log\"",
            self.folder.path().display()
        );
        // By another process: a descriptor of ours could be inherited by a program that is started meanwhile.
        let write = std::process::Command::new("sh")
            .args(["-c", "printf '#!/bin/sh\\n%s\\n%s\\n' \"$1\" \"$2\" > \"$3\"", "sh", &log, script])
            .arg(&path)
            .status();
        assert!(write.unwrap().success());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn tools(&self) -> Tools {
        Tools::new([("PATH".into(), self.path("bin").into_os_string())].into(), self.folder.path())
    }

    fn log(&self) -> Vec<String> {
        let log = fs::read_to_string(self.path("log")).unwrap_or_default();
        let here = self.folder.path().display().to_string();
        log.lines().map(|line| line.replace(&here, "~")).collect()
    }
}

fn sheet(count: usize) -> Sheet {
    let question = |index: usize| Question {
        key: format!("ios-device/m/a/q{index}"),
        case: format!("a/q{index}"),
        file: format!("{index}.json"),
        needs: vec![],
        request: serde_json::from_value(json!({"id": index, "model": null, "stimulus": {"inspect": {}}}))
            .unwrap(),
    };
    Sheet {
        version: SHEET_VERSION,
        id: "0123".to_owned(),
        subject: "ios-device".to_owned(),
        models: vec![SheetModel { file: "m.gguf".to_owned(), bytes: 7, sha256: String::new(), model: None }],
        without_model: true,
        complete: true,
        questions: (0..count).map(question).collect(),
    }
}

fn answer(index: usize) -> String {
    json!({
        "version": 1, "sheet": "0123", "key": format!("ios-device/m/a/q{index}"), "followed": true,
        "card": device::assumed_card("ios-device"), "observation": {"ending": "completed"}
    })
    .to_string()
}

/// What the fake devicectl does: it writes `{}` where the JSON is to be, and copies the phone's folder out.
const XCRUN: &str = r#"
for last; do :; done
case "$1 $2 $3 $4" in
"devicectl device copy from") for a; do [ "$p" = --destination ] && to=$a; p=$a; done; cp -r "$D/phone" "$to"; echo '{}' > "$last" ;;
"devicectl "*) echo '{}' > "$last" ;;
"xcresulttool export attachments "*) for a; do [ "$p" = --output-path ] && to=$a; p=$a; done; mkdir -p "$to"; cp "$D"/attached/* "$to"/ 2>/dev/null; true ;;
esac"#;

fn with_connection<T>(mac: &Mac, target: &Target, run: impl FnOnce(&Connection<'_>) -> T) -> T {
    let tools = mac.tools();
    let scratch = mac.path("scratch");
    run(&Connection { tools: &tools, target, bundle: "org.me.app", scratch: &scratch })
}

fn phone() -> Target {
    Target::Device("U".to_owned())
}

fn ran(xctestrun: &Path) -> Ran<'_> {
    Ran { xctestrun, tests: "T", options: "{}", minutes: 5 }
}

#[test]
fn a_sheet_and_its_models_are_pushed() {
    let mac = Mac::new();
    mac.program("xcrun", XCRUN);
    let find = |file: &str| Some(mac.path(file));
    with_connection(&mac, &phone(), |connection| push(connection, &sheet(1), find)).unwrap();
    let copy = "xcrun devicectl device copy to --device U --domain-type appDataContainer --domain-identifier org.me.app";
    assert_eq!(
        mac.log(),
        [
            format!(
                "{copy} --source ~/m.gguf --destination Documents/conformance/models/m.gguf --json-output ~/scratch/devicectl.json"
            ),
            format!(
                "{copy} --source ~/scratch/sheet.json --destination Documents/conformance/sheet.json --json-output ~/scratch/devicectl.json"
            ),
        ]
    );
}

#[test]
fn in_the_simulator_files_are_copied() {
    let mac = Mac::new();
    mac.program("xcrun", "echo \"$D/container\"");
    let (simulator, find) = (Target::Simulator("S".to_owned()), |file: &str| Some(mac.path(file)));
    with_connection(&mac, &simulator, |connection| push(connection, &sheet(1), find)).unwrap();
    let there = mac.path("container/Documents/conformance");
    assert!(there.join("models/m.gguf").is_file() && there.join("sheet.json").is_file());
    fs::create_dir(there.join("answers")).unwrap();
    fs::write(there.join("answers/0.json"), answer(0)).unwrap();
    let out = mac.path("out");
    with_connection(&mac, &simulator, |connection| pull(connection, None, &out)).unwrap();
    assert_eq!(device::collect(&sheet(1), &[&out]).asked.len(), 1);
}

#[test]
fn after_a_crash_what_is_open_is_asked_and_one_question_died() {
    let mac = Mac::new();
    mac.program("xcrun", XCRUN);
    // The first round answers one question and dies in the second; the next round answers the third.
    let (zero, two) = (answer(0), answer(2));
    mac.program(
        "xcodebuild",
        &format!(
            "for a; do [ \"$p\" = -resultBundlePath ] && mkdir \"$a\"; p=$a; done
             if [ -e \"$D/again\" ]; then echo '{two}' > \"$D/phone/2.json\"; exit 0; fi
             touch \"$D/again\"; echo '{zero}' > \"$D/phone/0.json\"; touch \"$D/phone/1.json.started\"; exit 65"
        ),
    );
    let out = mac.path("out");
    let file = mac.path("products/t.xctestrun");
    let seen =
        with_connection(&mac, &phone(), |connection| ask(connection, &sheet(3), &ran(&file), &out)).unwrap();
    assert_eq!((seen.asked.len(), seen.open.len()), (3, 0));
    assert!(matches!(seen.asked[1].observation.ending, wire::Ending::Died { .. }));
    assert_eq!(mac.log().iter().filter(|line| line.starts_with("xcodebuild")).count(), 2);
    let prepared = plist::Value::from_file(mac.path("products/conformance-U.xctestrun")).unwrap();
    let target = prepared.as_dictionary().unwrap().get("T").unwrap().as_dictionary().unwrap();
    let only = target.get("OnlyTestIdentifiers").unwrap().as_array().unwrap();
    assert_eq!(only.iter().filter_map(plist::Value::as_string).collect::<Vec<_>>(), ["Cases/test_a__q2"]);
}

#[test]
fn attachments_are_enough_where_the_copy_fails_and_the_other_way_round() {
    for (attached, copied) in [(true, false), (false, true)] {
        let mac = Mac::new();
        let fail = "{ echo no >&2; exit 1; }";
        let (export, copy) = (if attached { ":" } else { fail }, if copied { ":" } else { fail });
        mac.program(
            "xcrun",
            &format!("case \"$1\" in xcresulttool) {export} ;; devicectl) {copy} ;; esac{XCRUN}"),
        );
        fs::create_dir(mac.path("attached")).unwrap();
        fs::write(mac.path("attached/A.json"), answer(0)).unwrap();
        fs::write(mac.path("phone/0.json"), answer(0)).unwrap();
        let (out, results) = (mac.path("out"), mac.path("r.xcresult"));
        with_connection(&mac, &phone(), |connection| pull(connection, Some(&results), &out)).unwrap();
        assert_eq!(device::collect(&sheet(1), &[&out]).asked.len(), 1, "{attached} {copied}");
    }
}

#[test]
fn where_neither_way_leads_back_both_reasons_are_told() {
    let mac = Mac::new();
    mac.program("xcrun", "echo \"$1: the device is locked\" >&2; exit 1");
    let (out, results) = (mac.path("out"), mac.path("r.xcresult"));
    let trouble =
        with_connection(&mac, &phone(), |connection| pull(connection, Some(&results), &out)).unwrap_err();
    assert_eq!(trouble.kind, TroubleKind::Locked);
    assert!(
        trouble.message.contains("xcresulttool: the device")
            && trouble.message.contains("devicectl: the device")
    );
}

#[test]
fn a_run_without_results_is_trouble_in_the_tools_words() {
    for (words, kind) in [
        ("xcodebuild: error: Unable to find a device matching", TroubleKind::Absent),
        ("Signing for \"Conformance\" requires a development team.", TroubleKind::Unsigned),
        ("Developer Mode disabled", TroubleKind::NoDeveloperMode),
        ("Unlock Phone to Continue", TroubleKind::Locked),
    ] {
        let mac = Mac::new();
        mac.program("xcrun", XCRUN);
        mac.program("xcodebuild", &format!("echo '{words}' >&2; exit 70"));
        let (out, file) = (mac.path("out"), mac.path("products/t.xctestrun"));
        let trouble = with_connection(&mac, &phone(), |c| ask(c, &sheet(1), &ran(&file), &out)).unwrap_err();
        assert_eq!(trouble.kind, kind, "{words}");
    }
}

#[test]
fn a_tool_that_hangs_is_ended_and_one_that_is_missing_is_named() {
    let mac = Mac::new();
    mac.program("xcrun", "exec sleep 1000");
    let hangs = Argv { limit: std::time::Duration::from_millis(50), ..Argv::new("xcrun", ["x"], 1) };
    assert_eq!(mac.tools().run(&hangs).unwrap_err().kind, TroubleKind::TimedOut);
    let missing = mac.tools().run(&Argv::new("xcodebuild", ["x"], 1)).unwrap_err();
    assert!(missing.message.contains("`xcodebuild` cannot be started"), "{missing}");
}

#[test]
fn devicectls_own_words_count_also_where_it_fails() {
    let mac = Mac::new();
    mac.program(
        "xcrun",
        r#"for last; do :; done; echo '{"error": {"code": 1, "userInfo": {"NSLocalizedDescription": {"string": "not paired"}}}}' > "$last"; exit 1"#,
    );
    let find = |file: &str| Some(mac.path(file));
    let trouble = with_connection(&mac, &phone(), |c| push(c, &sheet(1), find)).unwrap_err();
    assert_eq!(trouble.kind, TroubleKind::Unpaired);
}
