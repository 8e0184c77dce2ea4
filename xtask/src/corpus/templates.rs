//! Every template with every conversation, by every engine.

use std::cell::RefCell;

use anyhow::Result;
use rendering::corpus::{Cell, EngineTable, Named};
use rendering::{Conversation, ErrorClass, Rendering, compare};
use wire::TemplateEngine;

use super::Corpus;
use crate::machine::Machine;
use crate::reference::Reference;
use crate::render::Engines;

/// The engines, in the order in which tables show them.
const ENGINES: [TemplateEngine; 3] =
    [TemplateEngine::Minijinja, TemplateEngine::Jinja, TemplateEngine::Builtin];

/// Characters around the first difference.
const AROUND: usize = 40;

/// What is asked.
pub(crate) struct Asked<'a> {
    /// The templates.
    pub(crate) corpus: &'a Corpus,
    /// What each is given.
    pub(crate) conversations: &'a [Named],
}

/// Asks the reference once and then each engine, and says how they differ.
///
/// # Errors
/// When a process cannot be started.
pub(crate) fn tables(
    asked: &Asked<'_>,
    engines: &mut Engines,
    machine: &Machine,
) -> Result<Vec<EngineTable>> {
    let lines: Vec<String> =
        asked.pairs().map(|(_, template, one)| line(template, &one.conversation)).collect();
    eprintln!("transformers renders {} prompts", lines.len());
    let reference = Reference::new(machine)?.render(&lines, machine)?;
    ENGINES
        .iter()
        .map(|&engine| {
            eprintln!("{} renders them", engine.name());
            let pairs = asked.pairs().zip(&reference);
            let cells = pairs.map(|((name, template, one), right)| {
                let (differences, detail) = differ(engine, template, &one.conversation, right, engines)?;
                Ok(Cell { template: name.to_owned(), conversation: one.name.clone(), differences, detail })
            });
            Ok(EngineTable { engine: engine.name().to_owned(), cells: cells.collect::<Result<_>>()? })
        })
        .collect()
}

impl Asked<'_> {
    fn pairs(&self) -> impl Iterator<Item = (&str, &str, &Named)> {
        self.corpus.templates.iter().flat_map(|(name, template)| {
            self.conversations.iter().map(|one| (name.as_str(), template.as_str(), one))
        })
    }
}

fn line(template: &str, conversation: &Conversation) -> String {
    let mut variables = conversation.variables().clone();
    variables.insert("template".to_owned(), template.into());
    serde_json::Value::Object(variables).to_string()
}

/// How `engine` differs from the reference here. What the reference would make of the conversation otherwise put, which
/// tells what is missing, is asked of minijinja.
fn differ(
    engine: TemplateEngine,
    template: &str,
    conversation: &Conversation,
    right: &Rendering,
    engines: &mut Engines,
) -> Result<(Vec<rendering::Difference>, String)> {
    let ours = engines.render(engine, template, conversation)?;
    if ours.same(right) {
        return Ok((Vec::new(), String::new()));
    }
    let state = RefCell::new((engines, None));
    let ask = |engine: TemplateEngine, conversation: &Conversation| {
        let (engines, broken) = &mut *state.borrow_mut();
        engines.render(engine, template, conversation).unwrap_or_else(|error| {
            *broken = Some(error);
            Rendering::error(ErrorClass::Crashed, "")
        })
    };
    let differences = compare(
        conversation,
        &mut |asked| {
            if asked == conversation { right.clone() } else { ask(TemplateEngine::Minijinja, asked) }
        },
        &mut |asked| if asked == conversation { ours.clone() } else { ask(engine, asked) },
    );
    match state.into_inner().1 {
        Some(error) => Err(error),
        None => Ok((differences, detail(right, &ours))),
    }
}

/// What to look at.
fn detail(right: &Rendering, ours: &Rendering) -> String {
    match (right, ours) {
        (Rendering::Prompt(right), Rendering::Prompt(ours)) => {
            let same = right.chars().zip(ours.chars()).take_while(|(one, other)| one == other).count();
            let part = |text: &str| {
                let from = same.saturating_sub(AROUND / 2);
                text.chars().skip(from).take(AROUND).collect::<String>()
            };
            format!("at character {same}: transformers {:?}, here {:?}", part(right), part(ours))
        }
        _ => format!("transformers {}, here {}", short(right), short(ours)),
    }
}

fn short(rendering: &Rendering) -> String {
    match rendering {
        Rendering::Prompt(prompt) => format!("a prompt of {} bytes", prompt.len()),
        Rendering::Error(error) => {
            let line = error.message.lines().next().unwrap_or_default();
            format!("{}: {}", error.class, line.chars().take(4 * AROUND).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_shown() {
        let prompt = |text: &str| Rendering::Prompt(text.to_owned());
        assert_eq!(
            detail(&prompt("<s>Hello"), &prompt("<s>Hallo")),
            "at character 4: transformers \"<s>Hello\", here \"<s>Hallo\""
        );
        assert_eq!(
            detail(&prompt("x"), &Rendering::error(ErrorClass::Raised, "no\nmore")),
            "transformers a prompt of 1 bytes, here raised: no"
        );
    }
}
