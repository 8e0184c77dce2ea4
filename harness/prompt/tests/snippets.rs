//! The engine against Jinja2: every output in snippets.json was made by Jinja2 3.1.6, set up as transformers does.

mod support;

use prompt::render;
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Snippet {
    name: String,
    template: String,
    #[serde(default)]
    variables: Map<String, Value>,
    #[serde(default)]
    output: Option<String>,
    /// Jinja2 raises an error.
    #[serde(default)]
    error: bool,
}

#[test]
fn snippets_render_as_in_jinja2() {
    let snippets: Vec<Snippet> = serde_json::from_str(include_str!("snippets.json")).unwrap();
    let mut wrong = Vec::new();
    for snippet in &snippets {
        let outcome = render(&snippet.template, &support::input(&[], &snippet.variables));
        let right = match &outcome {
            Ok(output) => Some(output) == snippet.output.as_ref(),
            Err(_) => snippet.error,
        };
        if !right {
            wrong.push(format!("{}: {outcome:?}, Jinja2: {:?}", snippet.name, snippet.output));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
