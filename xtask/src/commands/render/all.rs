//! Every engine's prompt beside the one that transformers would give.

use anyhow::Result;
use rendering::{Conversation, Difference, Rendering, compare, side_by_side};
use serde::Serialize;
use wire::TemplateEngine;

use super::run::{OneJson, exit_of};
use crate::exit::Exit;
use crate::flags::RenderFlags;
use crate::render::{Engines, Made, Source};
use crate::table::Table;

/// The engine whose prompts are transformers', which `cargo xtask corpus check` shows.
const RIGHT: TemplateEngine = TemplateEngine::Minijinja;

/// Those that are compared with it.
const OTHERS: [TemplateEngine; 2] = [TemplateEngine::Jinja, TemplateEngine::Builtin];

/// What an engine made, and how that differs.
struct Compared {
    engine: TemplateEngine,
    made: Made,
    differences: Vec<Difference>,
    /// Whether a model sees a difference; `None` where that depends on its tokenizer.
    visible: Option<bool>,
}

/// What an engine made, for programs.
#[derive(Debug, Serialize)]
struct ComparedJson {
    #[serde(flatten)]
    one: OneJson,
    differences: Vec<Difference>,
    visible: Option<bool>,
}

/// Renders with all engines and shows how they differ. The exit code is that of the right one.
pub(super) fn run(
    flags: &RenderFlags,
    source: &Source,
    conversation: &Conversation,
    engines: &mut Engines,
) -> Result<Exit> {
    let right = engines.make(RIGHT, source, conversation)?;
    let exit = exit_of(&right.rendering);
    let first = Compared { engine: RIGHT, made: right, differences: Vec::new(), visible: Some(false) };
    let mut all = vec![first];
    for engine in OTHERS {
        let compared = compared(engine, &all[0].made, source, conversation, engines)?;
        all.push(compared);
    }
    if flags.json {
        let json: Vec<ComparedJson> = all.iter().map(Compared::json).collect();
        println!("{}", serde_json::to_string_pretty(&serde_json::json!({ "engines": json }))?);
    } else {
        print!("{}", text(source, &all, width()));
    }
    Ok(exit)
}

fn compared(
    engine: TemplateEngine,
    right: &Made,
    source: &Source,
    conversation: &Conversation,
    engines: &mut Engines,
) -> Result<Compared> {
    let made = engines.make(engine, source, conversation)?;
    let conversation = conversation.or(&source.defaults());
    let mut broken = None;
    let asked = std::cell::RefCell::new((engines, &mut broken));
    let ask = |engine: TemplateEngine| {
        let (asked, template) = (&asked, source.template.as_str());
        move |conversation: &Conversation| {
            let (engines, broken) = &mut *asked.borrow_mut();
            engines.render(engine, template, conversation).unwrap_or_else(|error| {
                let message = error.to_string();
                **broken = Some(error);
                Rendering::error(rendering::ErrorClass::Crashed, message)
            })
        }
    };
    let differences = compare(&conversation, &mut ask(RIGHT), &mut ask(engine));
    if let Some(error) = broken {
        return Err(error);
    }
    let visible = visible(right, &made, &differences);
    Ok(Compared { engine, made, differences, visible })
}

/// Tokens tell what a model sees; without them, text does as far as it can.
fn visible(right: &Made, made: &Made, differences: &[Difference]) -> Option<bool> {
    match (&right.tokens, &made.tokens) {
        (Some(right), Some(made)) => Some(!right.same(made)),
        _ if differences.is_empty() => Some(false),
        _ => differences.iter().filter_map(|difference| difference.is_visible()).max(),
    }
}

impl Compared {
    fn json(&self) -> ComparedJson {
        let one = OneJson::of(self.engine, &self.made);
        ComparedJson { one, differences: self.differences.clone(), visible: self.visible }
    }

    fn row(&self, table: &mut Table) {
        let state = match (&self.made.rendering, self.engine == RIGHT, self.differences.is_empty()) {
            (Rendering::Error(error), ..) => format!("error: {}", error.class),
            (_, true, _) => "as transformers renders it".to_owned(),
            (_, _, true) => "the same".to_owned(),
            _ => self.differences.iter().map(|one| one.words()).collect::<Vec<_>>().join(", "),
        };
        let bytes =
            self.made.rendering.prompt().map_or_else(String::new, |prompt| format!("{} bytes", prompt.len()));
        let sees = match self.visible {
            _ if self.engine == RIGHT => "",
            Some(true) => "the model sees it",
            Some(false) => "the model sees the same",
            None => "it depends on the tokenizer whether the model sees it",
        };
        table.row([self.engine.name().to_owned(), bytes, state, sees.to_owned()]);
    }
}

fn text(source: &Source, all: &[Compared], width: usize) -> String {
    let mut table = Table::new(&["engine", "prompt", "what it made", "matters"]);
    all.iter().for_each(|one| one.row(&mut table));
    let mut out = format!("{} ({} bytes of template)\n{table}", source.name, source.template.len());
    let right = all[0].made.rendering.prompt();
    for one in all {
        match &one.made.rendering {
            Rendering::Error(error) => out += &format!("\n{}: {}\n", one.engine.name(), error.message),
            Rendering::Prompt(prompt) if !one.differences.is_empty() => {
                let right = (RIGHT.name(), right.unwrap_or_default());
                out += &format!("\n{}", side_by_side(right, (one.engine.name(), prompt), width));
            }
            Rendering::Prompt(_) => {}
        }
    }
    let shown = |one: &&Compared| one.engine == RIGHT || one.visible == Some(true);
    for one in all.iter().filter(shown) {
        if let Some(tokens) = &one.made.tokens {
            out += &format!("\n{}: {}\n{}", one.engine.name(), tokens.summary(), tokens.lines(width));
        }
    }
    out
}

/// Columns of the terminal; 80 where there is none.
fn width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(80)
}
