//! What a model really gets, as a person asks for it.

use std::process::Stdio;

use crate::support::{Answer, Project};

const MESSAGES: &str = r#"{"messages": [{"role": "user", "content": "Hi é"}], "enable_thinking": true}"#;

fn project(template: &str) -> Project {
    let project = Project::new();
    project.write("t.jinja", template);
    project.write("m.json", MESSAGES);
    project
}

fn render(project: &Project, more: &[&str]) -> Answer {
    project.run(&[&["render", "--template", "t.jinja", "--messages", "m.json"], more].concat())
}

#[test]
fn the_prompt_is_printed_and_nothing_else() {
    let template = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}{% if add_generation_prompt %}{{ '\n' }}<|assistant|>{% endif %}{{ enable_thinking }}";
    let Answer { code, stdout, stderr } = render(&project(template), &[]);
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "<|user|>Hi é\n<|assistant|>True", ""));
}

#[test]
fn now_stands_still() {
    let project = project("{{ strftime_now('%d %b %Y %H:%M') }}");
    assert_eq!(render(&project, &[]).stdout, "26 Jul 2024 12:00");
}

#[test]
fn programs_get_json() {
    let Answer { code, stdout, .. } = render(&project("{{ messages[0].content }}"), &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, json), (0, serde_json::json!({"engine": "minijinja", "prompt": "Hi é"})));
    let Answer { code, stdout, .. } = render(&project("{{ raise_exception('no') }}"), &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, json["error"]["class"].as_str()), (7, Some("raised")));
}

#[test]
fn each_kind_of_error_is_one_line_with_a_code_of_its_own() {
    for (template, code, said) in [
        ("{% if %}", 3, "no valid Jinja at line 1"),
        ("{{ raise_exception('System role not supported') }}", 7, "System role not supported"),
        ("{{ messages[0].content.x.y }}", 7, "the template failed at line 1"),
        (
            "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
            8,
            "did not end after",
        ),
        ("{% for a in range(9999) %}{{ 'abcdefgh' * 9999 }}{% endfor %}", 8, "longer than"),
        (&format!("{{{{ {}1{} }}}}", "(".repeat(9999), ")".repeat(9999)), 8, "too complex"),
    ] {
        let answer = render(&project(template), &[]);
        assert!(answer.code == code && answer.stderr.starts_with("error: minijinja: "), "{answer:?}");
        assert!(answer.stderr.contains(said), "{answer:?}");
        assert_eq!((answer.stdout.as_str(), answer.stderr.lines().count()), ("", 1), "{answer:?}");
    }
}

#[test]
fn bad_files_and_flags_are_told_before_anything_is_rendered() {
    let project = project("x");
    let run = |args: &[&str]| project.run(&[&["render"], args].concat());
    let messages = ["--messages", "m.json"];
    run(&[&["--template", "no.jinja"][..], &messages].concat())
        .assert_error(3, &["no.jinja: cannot be read"]);
    run(&["--template", "t.jinja", "--messages", "no.json"]).assert_error(3, &["no.json: cannot be read"]);
    run(&messages).assert_error(2, &["no template; name one with --template FILE"]);
    run(&[&["--model", "no-such"][..], &messages].concat()).assert_error(2, &["no-such"]);
    assert_eq!(run(&["--template", "t.jinja"]).code, 2);
    assert_eq!(run(&[&["--template", "t.jinja", "--model", "x"][..], &messages].concat()).code, 2);
    for (text, said) in [
        ("{\"messages\": [", "m.json: no JSON: EOF while parsing a list at line 1"),
        ("{}", "m.json: `messages` is missing"),
        ("[{}]", "message 0 (counted from 0) has no `role`"),
    ] {
        project.write("m.json", text);
        run(&[&["--template", "t.jinja"][..], &messages].concat()).assert_error(3, &[said]);
    }
}

#[test]
fn a_batch_goes_on_whatever_a_line_does() {
    let project = project("{{ messages[0].content }}");
    let hungry = "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}";
    let line = |id: u32, more: &str| {
        format!(r#"{{"id": {id}, "messages": [{{"role": "user", "content": "{id}"}}]{more}}}"#)
    };
    let lines = [
        line(1, ""),
        line(2, &format!(r#", "template": "{hungry}""#)),
        "{".to_owned(),
        String::new(),
        line(3, r#", "template_file": "t.jinja""#),
    ];
    project.write("lines.jsonl", &lines.join("\n"));
    let Answer { code, stdout, stderr } =
        project.run(&["render", "--template", "t.jinja", "--batch", "lines.jsonl"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let answers: Vec<serde_json::Value> =
        stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4, "{stdout}");
    assert_eq!(answers[0], serde_json::json!({"id": 1, "prompt": "1"}));
    assert_eq!((&answers[1]["id"], &answers[1]["error"]["class"]), (&2.into(), &"limit".into()));
    assert_eq!(answers[2]["error"]["class"], "unsupported");
    assert_eq!(answers[3], serde_json::json!({"id": 3, "prompt": "3"}));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let project = project("{{ 'abcdefgh' * 99999 }}");
    let mut command = project.command(&["render", "--template", "t.jinja", "--messages", "m.json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{output:?}");
}
