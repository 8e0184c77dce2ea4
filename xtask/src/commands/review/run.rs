//! Lists, asks, and does what was said.

use std::io::{IsTerminal as _, stdin, stdout};

use anyhow::Result;
use judge::golden::{GoldenStore, Pending};
use judge::report::plural;
use judge::review::changes;
use judge::setup::Folders;

use super::ask::{Decision, ask};
use super::choice::chosen;
use super::unreferenced::unreferenced;
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::ReviewFlags;

/// Fine where nothing is left to review; without a terminal to ask at, what waits is a failure with the commands to
/// type.
pub(in crate::commands) fn run(flags: &ReviewFlags, context: &Context) -> Result<Exit> {
    let folders = Folders::of_workspace(context.workspace.root());
    let store = GoldenStore::new(folders.golden(), false);
    if flags.unreferenced {
        return unreferenced(&folders, &store);
    }
    let pending = store.pending().or_exit(Exit::Input)?;
    let chosen = chosen(flags, &pending)?;
    if pending.is_empty() {
        println!("nothing waits for review; `cargo xtask test --backend cpu-baseline` stages what is new");
        return Ok(Exit::Fine);
    }
    if flags.accept || flags.reject {
        let decision = if flags.accept { Decision::Accept } else { Decision::Reject };
        for pending in chosen {
            act(pending, decision)?;
            println!("{} {}", if flags.accept { "accepted" } else { "rejected" }, pending.name());
        }
        return Ok(Exit::Fine);
    }
    if stdin().is_terminal() && stdout().is_terminal() {
        let [accepted, rejected, _] = ask(&chosen, shown, act, &mut stdin().lock(), &mut stdout())?;
        return Ok(if accepted + rejected == chosen.len() { Exit::Fine } else { Exit::Verdicts });
    }
    list(&chosen);
    Ok(Exit::Verdicts)
}

fn act(pending: &Pending, decision: Decision) -> Result<()> {
    match decision {
        Decision::Accept => pending.accept().or_exit(Exit::Input),
        Decision::Reject => pending.reject().or_exit(Exit::Input),
        Decision::Skip => Ok(()),
    }
}

fn list(chosen: &[&Pending]) {
    println!(
        "{} for review:",
        plural(chosen.len(), "golden") + if chosen.len() == 1 { " waits" } else { " wait" }
    );
    for pending in chosen {
        print!("\n{}", shown(pending));
        println!("  cargo xtask review --accept {0}\n  cargo xtask review --reject {0}", pending.name());
    }
    println!(
        "\nread what you accept; `cargo insta review` shows whole files, at a terminal this command asks"
    );
}

/// Name and changes.
fn shown(pending: &Pending) -> String {
    let lines = changes(pending.old.as_ref(), &pending.new);
    let changes: String = lines.iter().map(|change| format!("  - {change}\n")).collect();
    format!("{} on {}\n{changes}", pending.case, pending.model)
}
