//! Entitlements in every form in which they come, and in none.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use plist::{Dictionary, Value};
use preflight::entitlements::{EXTENDED_VIRTUAL_ADDRESSING, INCREASED_MEMORY_LIMIT, Rights, Source};
use preflight::{Code, Report};
use proptest::prelude::*;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

use super::support::{Model, context, device_named};

fn list(keys: &[&str]) -> Value {
    let mut list: Dictionary = keys.iter().map(|key| ((*key).to_owned(), Value::Boolean(true))).collect();
    list.insert("get-task-allow".to_owned(), Value::Boolean(true));
    Value::Dictionary(list)
}

fn xml(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    value.to_writer_xml(&mut out).unwrap();
    out
}

/// A profile: what signs it is not looked at.
fn profile(keys: &[&str]) -> Vec<u8> {
    let mut profile = Dictionary::new();
    profile.insert("Name".to_owned(), "Team profile".into());
    profile.insert("Entitlements".to_owned(), list(keys));
    let mut bytes = vec![0x30, 0x82, 0x1f, 0x00, 0x06, 0x09];
    bytes.extend(xml(&Value::Dictionary(profile)));
    bytes.extend([0xa0, 0x82, 0x0d, 0x00]);
    bytes
}

/// A program whose signature asks for `keys`.
fn program(keys: &[&str]) -> Vec<u8> {
    let list = xml(&list(keys));
    let mut bytes = vec![0xcf, 0xfa, 0xed, 0xfe, 0, 1, 2, 3];
    bytes.extend([0xfa, 0xde, 0x71, 0x71]);
    bytes.extend(u32::try_from(list.len() + 8).unwrap().to_be_bytes());
    bytes.extend(list);
    bytes.extend([0; 16]);
    bytes
}

fn info() -> Vec<u8> {
    xml(&Value::Dictionary([("CFBundleExecutable".to_owned(), Value::from("Chat"))].into_iter().collect()))
}

fn put(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

fn files<'a>(entitlements: Option<&'a Path>, profile: Option<&'a Path>) -> Source<'a> {
    Source::Files { entitlements, profile }
}

fn app(path: &Path) -> Source<'_> {
    Source::App { path, signed: None }
}

const BOTH: [&str; 2] = [EXTENDED_VIRTUAL_ADDRESSING, INCREASED_MEMORY_LIMIT];

#[test]
fn a_list_is_read_in_all_three_forms() {
    let folder = TempDir::new().unwrap();
    let mut binary = Vec::new();
    list(&BOTH).to_writer_binary(&mut binary).unwrap();
    let ascii = format!("{{ \"{EXTENDED_VIRTUAL_ADDRESSING}\" = YES; \"{INCREASED_MEMORY_LIMIT}\" = 1; }}");
    for bytes in [xml(&list(&BOTH)), binary, ascii.into_bytes()] {
        let path = put(&folder, "app.entitlements", &bytes);
        let rights = Rights::read(files(Some(&path), None)).unwrap();
        assert!(BOTH.iter().all(|key| rights.has(key)), "{}", String::from_utf8_lossy(&bytes));
        assert!(rights.missing().is_empty());
    }
}

#[test]
fn what_is_switched_off_is_not_asked_for() {
    let folder = TempDir::new().unwrap();
    let off = [(INCREASED_MEMORY_LIMIT.to_owned(), Value::Boolean(false))].into_iter().collect();
    let path = put(&folder, "app.entitlements", &xml(&Value::Dictionary(off)));
    let rights = Rights::read(files(Some(&path), None)).unwrap();
    assert!(!rights.has(INCREASED_MEMORY_LIMIT));
    assert_eq!(rights.missing(), BOTH);
}

#[test]
fn asked_for_and_not_granted_is_a_finding_of_its_own() {
    let folder = TempDir::new().unwrap();
    let asked = put(&folder, "app.entitlements", &xml(&list(&BOTH)));
    let granted = put(&folder, "a.mobileprovision", &profile(&[INCREASED_MEMORY_LIMIT]));
    let rights = Rights::read(files(Some(&asked), Some(&granted))).unwrap();
    assert_eq!(rights.refused(), [EXTENDED_VIRTUAL_ADDRESSING]);
    assert!(!rights.has(EXTENDED_VIRTUAL_ADDRESSING) && rights.has(INCREASED_MEMORY_LIMIT));
    let model = gguf::memory::ModelFiles::open(&Model::default().write(folder.path())).unwrap();
    let device = device_named("iPhone 16");
    let report = Report::of("m", &model, &device, &rights, &context(2048), None).unwrap();
    assert_eq!(report.bites_first, Some(Code::EntitlementNotGranted));
}

#[test]
fn a_profile_alone_says_what_may_be_had() {
    let folder = TempDir::new().unwrap();
    let path = put(&folder, "a.mobileprovision", &profile(&BOTH));
    let rights = Rights::read(files(None, Some(&path))).unwrap();
    assert!(rights.asked.is_none() && BOTH.iter().all(|key| rights.has(key)));
}

#[test]
fn an_app_and_an_ipa_say_the_same() {
    let folder = TempDir::new().unwrap();
    put(&folder, "Chat.app/Info.plist", &info());
    put(&folder, "Chat.app/Chat", &program(&[INCREASED_MEMORY_LIMIT]));
    put(&folder, "Chat.app/embedded.mobileprovision", &profile(&BOTH));
    let ipa = folder.path().join("Chat.ipa");
    let mut zip = zip::ZipWriter::new(File::create(&ipa).unwrap());
    for (name, bytes) in [
        ("Info.plist", info()),
        ("Chat", program(&[INCREASED_MEMORY_LIMIT])),
        ("embedded.mobileprovision", profile(&BOTH)),
    ] {
        zip.start_file(format!("Payload/Chat.app/{name}"), SimpleFileOptions::default()).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap();
    let bundle = folder.path().join("Chat.app");
    let rights = Rights::read(app(&bundle)).unwrap();
    assert_eq!(rights, Rights::read(app(&ipa)).unwrap());
    assert_eq!(rights.asked.as_deref(), Some(&[INCREASED_MEMORY_LIMIT.to_owned()][..]));
    assert_eq!(rights.granted.as_ref().map(Vec::len), Some(2));
    assert_eq!(rights.missing(), [EXTENDED_VIRTUAL_ADDRESSING]);
    // What codesign prints goes before what lies in the program.
    let signed = xml(&list(&BOTH));
    let rights = Rights::read(Source::App { path: &bundle, signed: Some(&signed) }).unwrap();
    assert!(rights.missing().is_empty());
}

#[test]
fn what_cannot_be_read_is_one_clear_error() {
    let folder = TempDir::new().unwrap();
    let garbage = put(&folder, "garbage", b"\x00\xff\x13 not a list");
    let empty = put(&folder, "empty", b"");
    let array = put(&folder, "array", &xml(&Value::Array(vec![])));
    let bare = put(&folder, "bare.mobileprovision", &xml(&list(&BOTH)));
    put(&folder, "NoInfo.app/readme", b"");
    put(&folder, "NoName.app/Info.plist", &xml(&list(&[])));
    put(
        &folder,
        "Escape.app/Info.plist",
        &xml(&Value::Dictionary(
            [("CFBundleExecutable".to_owned(), Value::from("../../secret"))].into_iter().collect(),
        )),
    );
    let truncated = put(&folder, "half.ipa", b"PK\x03\x04\x14\x00\x00\x00");
    let inside = |name: &str| folder.path().join(name);
    let (missing, no_info, no_name, escape) =
        (inside("missing"), inside("NoInfo.app"), inside("NoName.app"), inside("Escape.app"));
    let table = [
        (files(Some(&garbage), None), "no property list"),
        (files(Some(&empty), None), "it is empty"),
        (files(Some(&array), None), "no dictionary"),
        (files(Some(&missing), None), "check the path"),
        (files(Some(folder.path()), None), "it is no file"),
        (files(None, Some(&garbage)), "holds no property list"),
        (files(None, Some(&bare)), "no key \"Entitlements\""),
        (app(&missing), "check the path"),
        (app(&truncated), "no whole IPA"),
        (app(&garbage), "no whole IPA"),
        (app(&no_info), "no Info.plist"),
        (app(&no_name), "CFBundleExecutable"),
        (app(&escape), "CFBundleExecutable"),
    ];
    for (source, said) in table {
        let error = Rights::read(source).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
        assert!(error.contains(&folder.path().display().to_string()), "{error}");
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400), cut in 0_usize..600) {
        let folder = TempDir::new().unwrap();
        let path = put(&folder, "any", &bytes);
        let _ = Rights::read(files(Some(&path), Some(&path)));
        let _ = Rights::read(app(&path));
        let mut half = profile(&BOTH);
        half.truncate(cut.min(half.len()));
        let path = put(&folder, "half", &half);
        let _ = Rights::read(files(None, Some(&path)));
    }
}
