//! What somebody wants to ask, and the case that it makes.

use serde_json::{Value, json};

use crate::flags::{Kind, NewCaseFlags};

/// Whom a new case asks where nobody says.
pub(crate) const DEFAULT_MODEL: &str = "compiled-gemma";

/// A case that is about to be written. Its parts fit together.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    flags: NewCaseFlags,
    kind: Kind,
}

impl Draft {
    /// The draft that `flags` describe.
    ///
    /// # Errors
    /// In words: what is missing, or does not fit together.
    pub(crate) fn of(flags: NewCaseFlags) -> Result<Self, String> {
        let kind =
            flags.stimulus.unwrap_or(if flags.ask.len() > 1 { Kind::Converse } else { Kind::Generate });
        if flags.why.as_deref().unwrap_or_default().trim().is_empty() {
            return Err("say with --why what goes wrong for whom if it fails".into());
        }
        if flags.ask.is_empty() {
            return Err("say with --ask what the user says, or which text it is about".into());
        }
        if let Some(link) = flags.link.iter().find(|link| !link.starts_with("https://")) {
            return Err(format!("--link {link} is no https:// link"));
        }
        if kind != Kind::Converse && flags.ask.len() > 1 {
            return Err("several --ask are a conversation; add --stimulus converse, or ask once".into());
        }
        match kind {
            Kind::Generate | Kind::Converse if flags.expect.len() > flags.ask.len() => {
                let counts = (flags.expect.len(), flags.ask.len());
                Err(format!(
                    "there are {} --expect for {} --ask; an answer is for a turn",
                    counts.0, counts.1
                ))
            }
            Kind::Render if flags.expect.is_empty() => {
                Err("say with --expect what the prompt must contain".into())
            }
            Kind::Tokenize if flags.expect.is_empty() => {
                Err("say with --expect, once for each token, what its text must be".into())
            }
            Kind::Score if !flags.expect.is_empty() => {
                Err("score compares numbers with a golden; leave --expect out".into())
            }
            Kind::Render | Kind::Tokenize if flags.golden => {
                Err("--golden is for generate, converse and score".into())
            }
            _ => Ok(Self { flags, kind }),
        }
    }

    /// The models that it asks.
    pub(crate) fn models(&self) -> Vec<&str> {
        let named = self.flags.model.iter().map(String::as_str);
        if self.flags.model.is_empty() { vec![DEFAULT_MODEL] } else { named.collect() }
    }

    /// Whether an accepted golden is needed before it can pass.
    pub(crate) fn has_golden(&self) -> bool {
        self.flags.golden || self.kind == Kind::Score
    }

    /// The file's contents.
    pub(crate) fn to_json(&self) -> Value {
        let mut case = json!({
            "$schema": "../case.schema.json",
            "id": self.flags.id,
            "why": self.flags.why,
            "links": self.flags.link,
            "models": self.models(),
            "stimulus": self.stimulus(),
            "checks": self.checks(),
        });
        if let Some(fields) = case.as_object_mut().filter(|_| self.flags.link.is_empty()) {
            fields.shift_remove("links");
        }
        case
    }

    fn stimulus(&self) -> Value {
        let NewCaseFlags { ask, max_tokens, .. } = &self.flags;
        let messages = json!([{"role": "user", "content": ask[0]}]);
        let mut stimulus = match self.kind {
            Kind::Generate => {
                json!({"generate": {"prompt": {"chat": {"messages": messages}}, "max_tokens": max_tokens}})
            }
            Kind::Converse => {
                let turns: Vec<Value> = ask.iter().map(|user| json!({"user": user})).collect();
                let rest = ("cleared", "sent");
                json!({"converse": {
                    "turns": turns, "memory": rest.0, "history": rest.1, "max_tokens": max_tokens
                }})
            }
            Kind::Render => json!({"render": {"messages": messages}}),
            Kind::Tokenize => json!({"tokenize": {"text": ask[0]}}),
            Kind::Score => json!({"score": {"prompt": {"text": ask[0]}}}),
        };
        if self.flags.golden && self.kind != Kind::Score {
            let body = stimulus.as_object_mut().and_then(|map| map.values_mut().next());
            if let Some(body) = body.and_then(Value::as_object_mut) {
                body.insert("score".into(), true.into());
            }
        }
        stimulus
    }

    fn checks(&self) -> Vec<Value> {
        let NewCaseFlags { ask, expect, .. } = &self.flags;
        let mut checks: Vec<Value> = match self.kind {
            Kind::Generate => expect.iter().map(|text| json!({"answer": {"equals": text}})).collect(),
            Kind::Converse => {
                let answers = expect.iter().enumerate();
                answers.map(|(turn, text)| json!({"answer": {"turn": turn, "equals": text}})).collect()
            }
            Kind::Render => expect.iter().map(|text| json!({"prompt": {"contains": text}})).collect(),
            Kind::Tokenize => vec![json!({"tokens": {"equals": expect}})],
            Kind::Score => Vec::new(),
        };
        match self.kind {
            Kind::Generate => checks.push(json!({"stop": {"reason": "eog"}})),
            Kind::Converse => {
                checks.extend((0..ask.len()).map(|turn| json!({"stop": {"turn": turn, "reason": "eog"}})));
            }
            _ => {}
        }
        if self.has_golden() {
            checks.push(json!({"golden": {}}));
        }
        checks
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser as _;
    use judge::case::Case;

    use super::*;
    use crate::flags::{Command, Flags, NewAction};

    fn flags(more: &[&str]) -> NewCaseFlags {
        let words = ["x", "new", "case", "eog/a", "--why", "w"].iter().chain(more);
        match Flags::try_parse_from(words).unwrap().command {
            Command::New(new) => {
                let NewAction::Case(flags) = new.action;
                flags
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_shape_is_a_case() {
        let table: [(&[&str], &str); 7] = [
            (&["--ask", "Hi"], r#"[{"stop":{"reason":"eog"}}]"#),
            (
                &["--ask", "Hi", "--expect", "-Bye-", "--golden"],
                r#"[{"answer":{"equals":"-Bye-"}},{"stop":{"reason":"eog"}},{"golden":{}}]"#,
            ),
            (
                &["--ask", "Hi", "--ask", "Ho", "--expect", "Hello."],
                r#"[{"answer":{"turn":0,"equals":"Hello."}},{"stop":{"turn":0,"reason":"eog"}},{"stop":{"turn":1,"reason":"eog"}}]"#,
            ),
            (&["--ask", "Hi", "--stimulus", "converse"], r#"[{"stop":{"turn":0,"reason":"eog"}}]"#),
            (
                &["--stimulus", "render", "--ask", "Hi", "--expect", "Hi", "--link", "https://x"],
                r#"[{"prompt":{"contains":"Hi"}}]"#,
            ),
            (
                &["--stimulus", "tokenize", "--ask", "Hi you", "--expect", "Hi", "--expect", " you"],
                r#"[{"tokens":{"equals":["Hi"," you"]}}]"#,
            ),
            (&["--stimulus", "score", "--ask", "Hi", "--model", "m"], r#"[{"golden":{}}]"#),
        ];
        for (words, checks) in table {
            let draft = Draft::of(flags(words)).unwrap();
            let text = draft.to_json().to_string();
            let path = Path::new("cases/eog/a.json");
            let case =
                &Case::parse(Path::new("cases"), path, &text).unwrap_or_else(|e| panic!("{e}: {text}"))[0];
            assert_eq!(draft.to_json()["checks"].to_string(), checks);
            assert_eq!(case.has_golden(), draft.has_golden(), "{words:?}");
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        for (words, part) in [
            (&["--why", " ", "--ask", "a"][..], "--why"),
            (&[][..], "--ask"),
            (&["--ask", "a", "--link", "http://x"], "no https:// link"),
            (&["--ask", "a", "--ask", "b", "--stimulus", "render", "--expect", "x"], "--stimulus converse"),
            (&["--ask", "a", "--expect", "x", "--expect", "y"], "2 --expect for 1 --ask"),
            (&["--ask", "a", "--stimulus", "render"], "must contain"),
            (&["--ask", "a", "--stimulus", "tokenize"], "for each token"),
            (&["--ask", "a", "--stimulus", "score", "--expect", "x"], "leave --expect out"),
            (&["--ask", "a", "--stimulus", "render", "--expect", "x", "--golden"], "--golden is for"),
        ] {
            let mut flags = flags(words.strip_prefix(&["--why", " "]).unwrap_or(words));
            if words.first() == Some(&"--why") {
                flags.why = Some(" ".into());
            }
            let said = Draft::of(flags).unwrap_err();
            assert!(said.contains(part), "{words:?}: {said}");
        }
    }
}
