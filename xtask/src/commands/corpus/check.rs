//! Compares every engine with transformers, and says what is not as it is known to be.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result};
use rendering::corpus::{EngineTable, Judged, Known, Named, conversations, known, page};
use serde::Serialize;

use crate::atomic;
use crate::commands::build;
use crate::context::Context;
use crate::corpus::{self, Asked, Corpus, Ends, Soundness};
use crate::exit::{Exit, OrExit as _};
use crate::flags::{BackendFlags, CorpusCheckFlags};
use crate::json_file::JsonFile;
use crate::render::{Engines, Sandbox};
use crate::setup::{self, Mode, Need};
use crate::table::Table;

/// How long one rendering may take.
const DEADLINE: Duration = Duration::from_secs(20);

/// Cells that are told one by one.
const TOLD: usize = 20;

/// The page, from the repository's root.
const PAGE: &str = "docs/results/templates.md";

/// Which tokens end an answer.
const EOG: &str = include_str!("../../corpus/eog.json");

/// What was seen.
#[derive(Debug, Serialize)]
struct Seen {
    tables: Vec<EngineTable>,
    vocabularies: Vec<Soundness>,
}

/// Runs it.
pub(in crate::commands) fn check(flags: &CorpusCheckFlags, context: &Context) -> Result<Exit> {
    let json = JsonFile::create(flags.json.as_deref())?;
    let list = known().or_exit(Exit::Broken)?;
    let mode = Mode::from_flag(flags.setup);
    if mode == Mode::Install {
        corpus::fetch(mode, context)?;
    }
    let corpus = Corpus::read(&corpus::folder(&context.workspace), flags.only.as_deref())?;
    setup::ensure(&[Need::Pip, Need::Transformers], mode, &context.machine)?;
    let conversations = conversations();
    let seen = look(flags, &corpus, &conversations, context)?;
    json.map_or(Ok(()), |json| json.write(&seen))?;
    let whole = flags.only.is_none();
    let mut exit = tell(&seen, &list, whole);
    if whole && is_stale(flags.write, &page(&seen.tables, &conversations, &list), context)? {
        println!("\n{PAGE} is no longer true; write it anew with `cargo xtask corpus check --write`");
        exit = Exit::Verdicts;
    }
    Ok(exit)
}

fn look(
    flags: &CorpusCheckFlags,
    corpus: &Corpus,
    conversations: &[Named],
    context: &Context,
) -> Result<Seen> {
    let backend = vec![flags.backend.clone()];
    let built = build::subjects(&BackendFlags { backend, llama_src: None, setup: flags.setup }, context)?;
    let target = built.first().map(|built| built.target(&[]));
    let mut engines = Engines::new(Sandbox::new(None, &[], DEADLINE)?, target, DEADLINE);
    let tables = corpus::tables(&Asked { corpus, conversations }, &mut engines, &context.machine)?;
    let expected: BTreeMap<String, Ends> = serde_json::from_str(EOG).context("eog.json")?;
    eprintln!("llama.cpp tokenises with {} vocabularies", corpus.vocabularies.len());
    let look = |one| corpus::look(one, &expected, &mut engines);
    let vocabularies = corpus.vocabularies.iter().map(look).collect::<Result<_>>()?;
    Ok(Seen { tables, vocabularies })
}

/// Whether an engine has to be what transformers is, but for what is known. The built-in function is no Jinja engine.
fn is_judged(table: &EngineTable) -> bool {
    table.engine != "builtin"
}

/// Shows what was seen. What is stale is told of whole runs only.
fn tell(seen: &Seen, list: &[Known], whole: bool) -> Exit {
    let mut rows = Table::new(&["engine", "the same as transformers", "known", "unknown"]);
    let mut exit = Exit::Fine;
    let mut news = String::new();
    for table in &seen.tables {
        let judged = if is_judged(table) { table.judge(list) } else { Judged::default() };
        let (same, all) = (table.same(), table.cells.len());
        let known = all - same - judged.unknown.len();
        let share = format!("{same} of {all} ({:.2} %)", table.same_percent());
        rows.row([table.engine.clone(), share, known.to_string(), judged.unknown.len().to_string()]);
        news += &told(table, &judged, list, whole);
        if !judged.unknown.is_empty() || whole && !judged.stale.is_empty() {
            exit = Exit::Verdicts;
        }
    }
    print!("{rows}{news}");
    let (vectors, special) = (sum(seen, |one| one.vectors), sum(seen, |one| one.special));
    let wrong: Vec<&Soundness> = seen.vocabularies.iter().filter(|one| !one.problems.is_empty()).collect();
    let (all, sound) = (seen.vocabularies.len(), seen.vocabularies.len() - wrong.len());
    println!("{sound} of {all} vocabularies are sound: {vectors} texts, {special} special tokens");
    for one in &wrong {
        one.problems.iter().for_each(|problem| println!("  {}: {problem}", one.name));
        exit = Exit::Verdicts;
    }
    exit
}

fn sum(seen: &Seen, count: impl Fn(&Soundness) -> usize) -> usize {
    seen.vocabularies.iter().map(count).sum()
}

fn told(table: &EngineTable, judged: &Judged, list: &[Known], whole: bool) -> String {
    let mut out = String::new();
    for cell in judged.unknown.iter().take(TOLD) {
        let words: Vec<&str> = cell.differences.iter().map(|one| one.words()).collect();
        let (template, conversation) = (&cell.template, &cell.conversation);
        out += &format!(
            "  {}: {template}, {conversation}: {}\n    {}\n",
            table.engine,
            words.join(", "),
            cell.detail
        );
    }
    if judged.unknown.len() > TOLD {
        out += &format!("  {}: {} more; --json FILE has all\n", table.engine, judged.unknown.len() - TOLD);
    }
    for &at in judged.stale.iter().filter(|_| whole) {
        let entry = &list[at];
        out += &format!(
            "  {}: {}, {} no longer differs as harness/rendering/data/known.json says; take the entry out\n",
            entry.engine, entry.template, entry.conversation
        );
    }
    out
}

/// Writes the page, or says whether it is another one.
fn is_stale(write: bool, page: &str, context: &Context) -> Result<bool> {
    let path = context.workspace.root().join(PAGE);
    if write {
        atomic::write(&path, page.as_bytes())?;
        println!("{PAGE} is written");
        return Ok(false);
    }
    Ok(std::fs::read_to_string(&path).unwrap_or_default() != page)
}
