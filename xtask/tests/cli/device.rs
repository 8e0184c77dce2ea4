//! `device`: a sheet goes out, answers come back; and what stands in the way.

use serde_json::{Value, json};

use crate::support::{Answer, Project};

/// The sheet of `project`, which asks the only case.
fn sheet(project: &Project) -> Value {
    let Answer { code, stdout, stderr } = project.run(&["device", "sheet", "--subject", "mine"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("questions: 1, model files: 0"), "{stdout}");
    let text = std::fs::read_to_string(project.root().join("target/device/mine/sheet.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The answer to its question, in which so many tokens were generated.
fn answer(project: &Project, sheet: &Value, tokens: usize) {
    let question = &sheet["questions"][0];
    let generated: Vec<Value> = (0..tokens).map(|id| json!({"id": id, "piece": "a"})).collect();
    let answer = json!({
        "version": 1, "sheet": sheet["id"], "key": question["key"], "followed": false,
        "card": {"backend": "w", "devices": [], "os": "", "arch": "", "cpu_features": "", "llama_version": "",
            "bindings": "", "capabilities": ["stream", "tokenize"], "engines": ["raw"], "template_engines": [],
            "wrapper": "w"},
        "observation": {"ending": "completed", "turns": [{"generated": generated}]}
    });
    project.write(&format!("answers/{}", question["file"].as_str().unwrap()), &answer.to_string());
}

#[test]
fn what_comes_back_is_judged_as_everything_else_is() {
    let project = Project::new();
    let sheet = sheet(&project);
    for (tokens, code) in [(0, 0), (3, 1)] {
        answer(&project, &sheet, tokens);
        let told = project.run(&["device", "judge", "answers", "--subject", "mine"]);
        assert_eq!(told.code, code, "{} {}", told.stdout, told.stderr);
    }
}

#[test]
fn mistakes_are_one_clear_error_each() {
    let project = Project::new();
    let judge = ["device", "judge", "answers", "--subject", "mine"];
    project.run(&judge).assert_error(3, &["sheet.json", "make it with `cargo xtask device sheet`"]);
    let sheet = sheet(&project);
    project.run(&judge).assert_error(3, &["answers is no folder"]);
    project.write("answers/x.json", "{}");
    assert_eq!(project.run(&judge).code, 3);
    answer(&project, &sheet, 0);
    project
        .run(&["device", "sheet", "--subject", "../mine"])
        .assert_error(2, &["a subject cannot be called"]);
    project
        .run(&["device", "build", "--subject", "phone"])
        .assert_error(2, &["no place \"phone\"", "ios-device"]);
}

#[cfg(not(target_os = "macos"))]
#[test]
fn without_a_mac_the_tools_are_missing() {
    let project = Project::new();
    for action in ["list", "doctor", "build", "run", "pull", "push-model", "bundle"] {
        project.run(&["device", action]).assert_error(4, &["Apple's tools run on a Mac alone"]);
    }
}
