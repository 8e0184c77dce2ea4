//! The list of devices, and what is measured instead.

use std::fs;
use std::path::Path;

use preflight::device::{Certainty, Measured, all, find};

#[test]
fn the_list_is_sorted_and_every_figure_has_a_source() {
    assert!(all().is_sorted_by_key(|device| &device.name));
    let mut seen = std::collections::HashSet::new();
    for device in all() {
        assert!(device.source.starts_with("https://"), "{}", device.name);
        assert!(device.identifiers.iter().all(|identifier| seen.insert(identifier)), "{}", device.name);
        for (what, limit) in device.limits.each() {
            let source =
                limit.source.starts_with("https://") || limit.source.ends_with("without a public page");
            assert!(source && limit.bytes > 0, "{}: {what}: {limit:?}", device.name);
        }
        for (name, limits) in [("space", &device.limits.address_space), ("memory", &device.limits.app_memory)]
        {
            if let (Some(without), Some(with)) = (&limits.without, &limits.with) {
                assert!(without.bytes < with.bytes, "{}: {name}", device.name);
            }
        }
    }
}

#[test]
fn a_device_is_found_in_any_spelling_or_the_closest_is_named() {
    for name in ["iPhone 17 Pro", "iphone-17-pro", "IPHONE17PRO", "iPhone18,1", "iphone18,1"] {
        assert_eq!(find(name, None).unwrap().name, "iPhone 17 Pro", "{name}");
    }
    assert_eq!(find("8 GB", None).unwrap().ram, 8);
    assert!(find("iPhone99,1", Some(16)).unwrap().by_ram);
    let table = [
        ("iPhone 17 Prp", None, "did you mean \"iPhone 17 Pro\"?"),
        ("Pixel 9", None, "--ram 8"),
        ("", None, "no such device"),
        ("iPhone 13", Some(8), "the iPhone 13 has 4 GB of memory, not 8"),
    ];
    for (name, ram, said) in table {
        let error = find(name, ram).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn what_was_measured_takes_the_place_of_what_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("measured.json");
    let text =
        r#"{"version": 1, "device": "iPhone18,1", "address_space": 7000000000, "working_set": 8000000000}"#;
    fs::write(&path, text).unwrap();
    let device = Measured::read(&path).unwrap().device(&path, None, None).unwrap();
    let space = device.limits.address_space.without.as_ref().unwrap();
    assert_eq!((space.bytes, space.certainty), (7_000_000_000, Certainty::Measured));
    assert_eq!(space.source, path.display().to_string());
    assert!(device.limits.maps.is_empty());
    assert!(device.limits.app_memory.with.is_some());
}

#[test]
fn a_file_of_measurements_that_is_none_is_one_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("measured.json");
    let table = [
        (r#"{"version": 1, "device": "iPhone18,1"}"#, "--device says \"iPhone 16\""),
        (r#"{"version": 2, "device": "iPhone17,3"}"#, "version 2 of the file is not known"),
        (r#"{"version": 1, "devise": "iPhone17,3"}"#, "unknown field `devise`"),
        (r#"{"version": 1, "dev"#, "measured.json:1: "),
        ("", "docs/preflight.md describes the file"),
    ];
    for (text, said) in table {
        fs::write(&path, text).unwrap();
        let error =
            Measured::read(&path).and_then(|measured| measured.device(&path, Some("iPhone 16"), None));
        let error = error.unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    assert!(
        Measured::read(Path::new("/no/such"))
            .unwrap_err()
            .to_string()
            .contains("cannot read the measurements")
    );
}
