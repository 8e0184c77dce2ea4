//! `report merge`: parts make a whole, or one clear error.

use crate::support::{Answer, Project};

/// A report of one result.
fn part(case: &str, outcome: &str, bindings: &str) -> String {
    let failed = u32::from(outcome == "fail");
    format!(
        r#"{{"version": 1, "cards": {{"cpu": {{"backend": "cpu", "devices": [], "os": "o", "arch": "a", "cpu_features": "",
        "llama_version": "b1", "bindings": "{bindings}", "capabilities": [], "engines": [], "template_engines": [],
        "wrapper": "w"}}}}, "jobs": 1, "interrupted": false, "results": [{{"case": "{case}", "model": "m", "subject": "cpu",
        "outcome": "{outcome}", "milliseconds": 1.0, "compute_us": 1}}], "totals": {{"passed": {}, "failed": {failed},
        "skipped": 0, "broken": 0, "known_failures": 0, "inconclusive": 0}}, "wall_ms": 1.0, "peak_memory_bytes": null}}"#,
        1 - failed
    )
}

fn project() -> Project {
    let project = Project::new();
    project.write("a.json", &part("eog/a", "pass", "c 1"));
    project.write("b.json", &part("eog/b", "fail", "c 1"));
    project
}

#[test]
fn parts_make_every_report_and_end_as_the_run_would_have() {
    let project = project();
    let args = [
        "report", "merge", "a.json", "b.json", "--json", "all.json", "--html", "all.html", "--junit",
        "all.xml",
    ];
    let Answer { code, stdout, stderr } = project.run(&args);
    assert_eq!((code, stderr.as_str()), (1, ""));
    assert!(stdout.contains("1 passed, 1 failed, 0 skipped"), "{stdout}");
    let read = |name: &str| std::fs::read_to_string(project.root().join(name)).unwrap();
    assert!(read("all.json").contains("\"eog/a\"") && read("all.json").contains("\"eog/b\""));
    assert!(read("all.html").starts_with("<!DOCTYPE html>") && read("all.xml").contains("tests=\"2\""));
    let again = project.run(&["report", "merge", "all.json"]);
    assert_eq!((again.code, again.stdout), (1, stdout));
    assert_eq!(project.run(&["report", "merge", "a.json"]).code, 0);
}

#[test]
fn a_part_that_is_missing_is_no_success_and_the_rest_is_told() {
    let project = project();
    for (name, case, part_of) in
        [("1.json", "eog/a", "1/3"), ("2.json", "eog/b", "2/3"), ("3.json", "eog/c", "3/3")]
    {
        let text = part(case, "pass", "c 1").replacen(
            "\"jobs\"",
            &format!("\"partition\": \"{part_of}\", \"jobs\""),
            1,
        );
        project.write(name, &text);
    }
    let answer = project.run(&["report", "merge", "1.json", "3.json", "--json", "all.json"]);
    answer.assert_error(6, &["only the parts ", "1/3", "3/3", "pass the others too"]);
    assert!(answer.stdout.contains("2 passed, 0 failed"), "{answer:#?}");
    assert!(project.root().join("all.json").exists(), "what there is is written");
    assert_eq!(project.run(&["report", "merge", "1.json", "3.json", "2.json"]).code, 0);
    // What is wrong counts more than what is missing.
    let bad = part("eog/b", "fail", "c 1").replacen("\"jobs\"", "\"partition\": \"2/3\", \"jobs\"", 1);
    project.write("2.json", &bad);
    assert_eq!(project.run(&["report", "merge", "1.json", "2.json"]).code, 1);
}

#[test]
fn what_does_not_belong_together_is_one_clear_error() {
    let project = project();
    project.write("c.json", &part("eog/c", "pass", "c 2"));
    project.write("d.json", "[]");
    let before = project.files();
    for (args, code, parts) in [
        (&["a.json", "a.json"][..], 3, &["cpu/m/eog/a is in both a.json and a.json"][..]),
        (&["a.json", "c.json"], 3, &["cpu is another build in c.json than in a.json", "bindings"]),
        (&["a.json", "d.json"], 3, &["d.json:1: no report"]),
        (&["none.json"], 3, &["none.json: cannot read the report"]),
        (&["a.json", "--json", "a.json"], 2, &["a.json is read by this run"]),
    ] {
        project.run(&[&["report", "merge"], args].concat()).assert_error(code, parts);
    }
    assert_eq!(project.run(&["report", "merge"]).code, 2);
    assert_eq!(project.files(), before);
}
