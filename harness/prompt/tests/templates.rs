//! The families' templates, and the prompts that Jinja2 3.1.6 makes of them.

use std::fs;

use prompt::{Origin, RenderInput, render_segments};
use serde::Deserialize;
use serde_json::{Map, Value};
use wire::Message;

/// Where the templates live: fixtures carry some of them.
const TEMPLATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../gguf/templates");

/// What is expected of a template.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectations {
    /// The model's BOS token, empty for none.
    bos: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    messages: Vec<Message>,
    #[serde(default)]
    variables: Map<String, Value>,
    #[serde(default = "yes")]
    generation_prompt: bool,
    /// The prompt, byte for byte.
    #[serde(default)]
    prompt: Option<String>,
    /// Part of the error's message.
    #[serde(default)]
    error: Option<String>,
    /// The assistant's text can't be told from the template's.
    #[serde(default)]
    assistant_unmarked: bool,
}

fn yes() -> bool {
    true
}

fn families() -> Vec<(String, String, Expectations)> {
    let mut all: Vec<_> = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/templates"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let expectations = fs::read_to_string(&path).unwrap();
            let template = fs::read_to_string(format!("{TEMPLATES}/{name}.jinja")).unwrap();
            (name, template, serde_json::from_str(&expectations).unwrap())
        })
        .collect();
    all.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    all
}

#[test]
fn every_template_gives_its_prompts() {
    for (family, template, expectations) in families() {
        for case in &expectations.cases {
            check(&format!("{family}: {}", case.name), &template, &expectations.bos, case);
        }
    }
}

fn check(name: &str, template: &str, bos: &str, case: &Case) {
    let input = RenderInput {
        messages: &case.messages,
        add_generation_prompt: case.generation_prompt,
        bos_token: bos,
        eos_token: "",
        variables: &case.variables,
    };
    match (render_segments(template, &input), &case.prompt, &case.error) {
        (Ok(rendered), Some(prompt), None) => {
            assert_eq!(&rendered.prompt, prompt, "{name}");
            let marked: Vec<&str> = rendered
                .segments
                .iter()
                .flatten()
                .filter(|segment| segment.origin == Origin::Message)
                .map(|segment| segment.text.trim())
                .filter(|text| !text.is_empty())
                .collect();
            let contents: Vec<&str> = case
                .messages
                .iter()
                .filter(|message| !(case.assistant_unmarked && message.role == "assistant"))
                .map(|message| message.content.trim())
                .filter(|text| !text.is_empty())
                .collect();
            assert_eq!(marked, contents, "{name}");
        }
        (Err(error), None, Some(part)) => assert!(error.to_string().contains(part), "{name}: {error}"),
        (outcome, ..) => panic!("{name}: {outcome:?}"),
    }
}
