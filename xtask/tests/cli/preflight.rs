//! `preflight` as a person meets it.

use std::fs;

use crate::support::Project;

#[test]
fn what_makes_no_sense_is_one_clear_error_with_its_own_code() {
    let project = Project::new();
    let count = b"GGUF\x03\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\x7f\x00\x00\x00\x00\x00\x00\x00\x00";
    fs::write(project.root().join("garbage.gguf"), count).unwrap();
    project.write("bad.entitlements", "{{{");
    let root = project.root().display().to_string();
    let table: &[(&[&str], i32, &str)] = &[
        (&["--model", "garbage.gguf", "--device", "iPhone 16"], 3, "tensors"),
        (&["--model", &root, "--device", "iPhone 16"], 3, "no file but a folder"),
        (&["--model", "no-such.gguf", "--device", "iPhone 16"], 3, "no such model"),
        (&["--model", "garbage.gguf", "--device", "iPhone 17 Prp"], 2, "did you mean \"iPhone 17 Pro\"?"),
        (&["--model", "garbage.gguf", "--device", "iPhone 16", "--ram", "4"], 2, "has 8 GB of memory, not 4"),
        (
            &["--model", "garbage.gguf", "--device", "8gb", "--entitlements", "bad.entitlements"],
            3,
            "no property list",
        ),
        (&["--model", "garbage.gguf", "--device", "8gb", "--app", "missing.app"], 3, "missing.app"),
        (
            &["--model", "garbage.gguf", "--device", "8gb", "--measured", "bad.entitlements"],
            3,
            "bad.entitlements:1: ",
        ),
        (&["--model", "m", "--device", "8gb", "--app", "a", "--entitlements", "b"], 2, "cannot be used with"),
        (&["--model", "m", "--device", "8gb", "--kv", "q9"], 2, "q8_0"),
        (&["--model", "m"], 2, "required arguments"),
    ];
    for (args, code, said) in table {
        let answer = project.run(&[&["preflight"], *args].concat());
        answer.assert_error(*code, &[said]);
        assert_eq!(answer.stdout, "", "{args:?}");
    }
}
