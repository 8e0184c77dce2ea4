//! A new case is written whole, can be asked at once, and takes nobody's place.

use std::fs;

use crate::support::Project;

const MODELS: &str = r#"[{"name": "compiled-gemma", "kind": "fixture", "role": "chat"},
    {"name": "smollm2", "kind": "pypi", "role": "chat", "source": "x==1", "file": "x.gguf"}]"#;

fn project() -> Project {
    let project = Project::new();
    project.write("cases/models.json", MODELS);
    project
}

#[test]
fn it_is_written_and_can_be_planned() {
    let project = project();
    let answer = project.run(&[
        "new",
        "case",
        "eog/says-goodbye",
        "--why",
        "It never ends.",
        "--ask",
        "Say \"bye\"",
        "--expect",
        "Bye.",
        "--link",
        "https://example.org/1",
    ]);
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{answer:#?}");
    assert!(answer.stdout.starts_with("cases/eog/says-goodbye.json\n"), "{answer:#?}");
    assert!(answer.stdout.contains("cargo xtask test --filter eog/says-goodbye\n"), "{answer:#?}");
    assert!(!answer.stdout.contains("new family"), "{answer:#?}");
    assert!(answer.stdout.lines().all(|line| line.len() <= 80), "{answer:#?}");
    let text = fs::read_to_string(project.root().join("cases/eog/says-goodbye.json")).unwrap();
    assert!(
        text.starts_with("{\n  \"$schema\": \"../case.schema.json\",\n  \"id\": \"eog/says-goodbye\",\n"),
        "{text}"
    );
    assert!(text.ends_with("}\n") && text.contains(r#""Say \"bye\"""#), "{text}");
    // As far as a run comes where nothing can be built: the case was read, chosen, and its model found.
    project.run(&["test", "--filter", "eog/says-goodbye"]).assert_error(4, &["cmake is missing"]);
}

#[test]
fn what_needs_a_golden_or_a_fetched_model_says_so() {
    let answer = project().run(&[
        "new",
        "case",
        "numbers/mine",
        "--why",
        "w",
        "--stimulus",
        "score",
        "--ask",
        "Hi",
        "--model",
        "smollm2",
    ]);
    assert_eq!(answer.code, 0, "{answer:#?}");
    let golden = "cargo xtask test --backend cpu-baseline --model smollm2 --filter numbers/mine\n";
    assert!(answer.stdout.contains(golden), "{answer:#?}");
    assert!(answer.stdout.contains("cargo xtask review numbers/mine\n"), "{answer:#?}");
    assert!(answer.stdout.contains("numbers is a new family; there were eog"), "{answer:#?}");
}

#[test]
fn mistakes_are_named_and_nothing_is_written() {
    let why = ["--why", "w", "--ask", "Hi"];
    for (words, parts) in [
        (vec!["eog/nothing"], vec!["cases/eog/nothing.json is there already", "choose another name"]),
        (vec!["nothing"], vec!["\"nothing\" is no name of a case", "FAMILY/NAME"]),
        (vec!["../../x"], vec!["is no name of a case"]),
        (vec!["cases/eog/x.json"], vec!["leave out cases/ and .json: eog/x"]),
        (
            vec!["eog/x", "--model", "compiled-gema"],
            vec!["fits no model", "did you mean \"compiled-gemma\"?"],
        ),
        (vec!["eog/x", "--link", "x"], vec!["--link x is no https:// link"]),
        (vec!["eog/x", "--stimulus", "render"], vec!["--expect what the prompt must contain"]),
    ] {
        let project = project();
        let before = project.files();
        let args: Vec<&str> = ["new", "case"].into_iter().chain(words).chain(why).collect();
        project.run(&args).assert_error(2, &parts);
        assert_eq!(project.files(), before, "{args:?}");
    }
    project().run(&["new", "case", "eog/x"]).assert_error(2, &["say with --why what goes wrong"]);
}

#[test]
fn a_shell_has_its_completions_anywhere() {
    let project = Project::new();
    for (shell, part) in
        [("bash", "_cargo_xtask"), ("zsh", "#compdef cargo-xtask"), ("fish", "complete -c cargo")]
    {
        let command =
            project.command(&["completions", shell]).current_dir(project.folder()).output().unwrap();
        assert_eq!(command.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&command.stdout).contains(part), "{shell}");
    }
    assert_eq!(project.run(&["completions", "tcsh"]).code, 2);
}
