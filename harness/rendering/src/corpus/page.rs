//! The page that shows the corpus: docs/results/templates.md.

use std::fmt::Write as _;

use super::{EngineTable, Known, Named};
use crate::Difference;

/// The page. It says nothing that another machine would say differently.
pub fn page(tables: &[EngineTable], conversations: &[Named], known: &[Known]) -> String {
    let mut out = String::from(BEGINNING);
    let engines = tables.iter();
    let row = |name: &str, cells: Vec<String>| format!("| {name} | {} |\n", cells.join(" | "));
    out += &row("", engines.clone().map(|table| format!("`{}`", table.engine)).collect());
    out += &format!("|---|{}\n", "---:|".repeat(tables.len()));
    out += &row("renderings", engines.clone().map(|table| table.cells.len().to_string()).collect());
    let same = |table: &EngineTable| format!("{} ({:.2} %)", table.same(), table.same_percent());
    out += &row("the same as transformers", engines.clone().map(same).collect());
    for difference in Difference::ALL {
        let count = |table: &EngineTable| table.counts().get(&difference).copied().unwrap_or(0);
        if engines.clone().any(|table| count(table) > 0) {
            out += &row(difference.words(), engines.clone().map(|table| count(table).to_string()).collect());
        }
    }
    out += "\nA rendering may differ in several ways. An error counts as the same where transformers gives one of its kind.\n";
    by_template(&mut out, tables);
    exceptions(&mut out, tables, known);
    out += "\n## The conversations\n\n| name | what it shows |\n|---|---|\n";
    for one in conversations {
        let _ = writeln!(out, "| `{}` | {} |", one.name, one.why);
    }
    out
}

const BEGINNING: &str = "\
# Real templates, rendered

Which engine gives the prompts that the authors of a model meant? Every template of the corpus with every conversation
below, by each engine, compared byte for byte with Hugging Face transformers. `cargo xtask corpus check --write` made
this page, and `cargo xtask corpus check` says when it is no longer true; [docs/render.md](../render.md) says how.

- `minijinja`: this program's own engine, which cases use.
- `jinja`: llama.cpp's Jinja engine, as llama-server calls it: with the changes that llama-server makes to messages before
  a template sees them.
- `builtin`: `llama_chat_apply_template`, which most wrappers call.

";

fn by_template(out: &mut String, tables: &[EngineTable]) {
    *out += "\n## By template\n\nHow many conversations come out otherwise than with transformers.\n\n| template |";
    for table in tables {
        let _ = write!(out, " `{}` |", table.engine);
    }
    let _ = writeln!(out, "\n|---|{}", "---:|".repeat(tables.len()));
    let Some(first) = tables.first() else { return };
    for (index, (name, all, _)) in first.templates().iter().enumerate() {
        let _ = write!(out, "| {name} |");
        for table in tables {
            let wrong = table.templates().get(index).map_or(0, |(.., wrong)| *wrong);
            let _ =
                write!(out, " {} |", if wrong == 0 { "–".to_owned() } else { format!("{wrong} of {all}") });
        }
        out.push('\n');
    }
}

fn exceptions(out: &mut String, tables: &[EngineTable], known: &[Known]) {
    *out += "\n## Why they differ\n\nEach difference is in this list, or `corpus check` fails. `builtin` is counted alone: it is \
             no Jinja engine.\n\n| engine | template | conversation | renderings | why |\n|---|---|---|---:|---|\n";
    for entry in known {
        let cells = tables.iter().filter(|table| table.engine == entry.engine).flat_map(|table| &table.cells);
        let count = cells
            .filter(|cell| !cell.differences.is_empty())
            .filter(|cell| entry.covers(&entry.engine, &cell.template, &cell.conversation, &cell.differences))
            .count();
        let name = |name: &str| if name == "*" { "all".to_owned() } else { name.to_owned() };
        let (template, conversation) = (name(&entry.template), name(&entry.conversation));
        let _ = writeln!(
            out,
            "| `{}` | {template} | {conversation} | {count} | {} ([source]({})) |",
            entry.engine, entry.why, entry.link
        );
    }
}
