//! The process that renders, and that a template may take down.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead as _, Write as _};

use anyhow::{Context as _, Result};
use rendering::{ErrorClass, Renderer, Rendering, Request};
use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Address space of the process: far more than the largest prompt and its values need.
pub(super) const MEMORY: u64 = 1 << 30;

/// The first line that the process reads: what later lines leave out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    /// The template of lines that name none.
    pub(super) template: Option<String>,
    /// Variables of conversations that do not set them.
    pub(super) defaults: Vec<(String, String)>,
}

/// An answer, as a line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Answer {
    /// The request's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<Value>,
    /// What came of it.
    #[serde(flatten)]
    pub(super) rendering: Rendering,
}

/// Reads a header and then requests from standard input, a line each, and answers each with a line.
///
/// # Errors
/// When the streams break or the first line is no header. Whatever is wrong with a request is its answer.
pub(crate) fn serve() -> Result<()> {
    limit();
    let mut lines = io::stdin().lock().lines();
    let header = lines.next().context("no header came")??;
    let header: Header = serde_json::from_str(&header).context("the first line is no header")?;
    let (mut renderer, mut files) = (Renderer::default(), HashMap::new());
    let mut out = io::stdout().lock();
    for line in lines {
        let mut answer = serde_json::to_vec(&answer(&line?, &header, &mut renderer, &mut files))?;
        answer.push(b'\n');
        // Whole and at once: the next request may be the last.
        out.write_all(&answer)?;
        out.flush()?;
    }
    Ok(())
}

/// Where a system does not know a limit, the engine's own ones are left: steps, depth, length.
fn limit() {
    let limits = [(Resource::As, MEMORY), (Resource::Core, 0)];
    for (resource, most) in limits {
        let _ = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    }
}

fn answer(
    line: &str,
    header: &Header,
    renderer: &mut Renderer,
    files: &mut HashMap<String, Result<String, String>>,
) -> Answer {
    let wrong =
        |id, message: String| Answer { id, rendering: Rendering::error(ErrorClass::Unsupported, message) };
    let request = match Request::parse(line) {
        Ok(request) => request,
        Err(error) => return wrong(None, error.to_string()),
    };
    let template = match (&request.template, &request.template_file) {
        (Some(template), _) => Ok(template),
        (None, Some(path)) => {
            files.entry(path.clone()).or_insert_with(|| read(path)).as_ref().map_err(Clone::clone)
        }
        (None, None) => {
            let none =
                "no template; give `template`, `template_file`, or --template or --model for all lines";
            header.template.as_ref().ok_or_else(|| none.to_owned())
        }
    };
    match template {
        Ok(template) => {
            let defaults = header.defaults.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            let defaults: Vec<(&str, &str)> = defaults.collect();
            let plain = request.conversation;
            let conversation = if defaults.is_empty() { plain } else { plain.or(&defaults) };
            Answer { id: request.id, rendering: renderer.render(template, conversation) }
        }
        Err(message) => wrong(request.id, message),
    }
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{path}: {error}; name a file with a Jinja template"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_answered_one_by_one() {
        let header = Header {
            template: Some("{{ bos_token }}{{ messages | length }}".into()),
            defaults: vec![("bos_token".into(), "<s>".into())],
        };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.jinja");
        fs::write(&file, "{% break").unwrap();
        let (mut renderer, mut files) = (Renderer::default(), HashMap::new());
        for (line, expected) in [
            (r#"{"id": "a", "messages": []}"#.to_owned(), r#"{"id":"a","prompt":"<s>0"}"#),
            (r#"{"bos_token": "", "messages": []}"#.to_owned(), r#"{"prompt":"0"}"#),
            (r#"{"template": "x", "messages": []}"#.to_owned(), r#"{"prompt":"x"}"#),
            (format!(r#"{{"template_file": {file:?}, "messages": []}}"#), r#"{"error":{"class":"syntax","#),
            (
                r#"{"template_file": "/no/such", "messages": []}"#.to_owned(),
                r#"{"error":{"class":"unsupported","message":"/no/such: "#,
            ),
            (
                r#"{"template_file": 1, "messages": []}"#.to_owned(),
                r#"{"error":{"class":"unsupported","message":"`template_file` is no"#,
            ),
            ("{".to_owned(), r#"{"error":{"class":"unsupported","message":"no JSON"#),
        ] {
            let said = serde_json::to_string(&answer(&line, &header, &mut renderer, &mut files)).unwrap();
            assert!(said.starts_with(expected), "{line}: {said}");
        }
        let none = answer(r#"{"messages": []}"#, &Header::default(), &mut renderer, &mut files);
        assert!(serde_json::to_string(&none).unwrap().contains("no template; give"));
    }
}
