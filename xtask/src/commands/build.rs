//! `cargo xtask build`: from names to probes.

use anyhow::Result;
use judge::built::SubjectFile;

use crate::backend::{self, LlamaSource};
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::{BackendFlags, BuildFlags};
use crate::setup::{self, Mode, Need};

/// Builds and says where the probes are.
pub(super) fn run(flags: &BuildFlags, context: &Context) -> Result<Exit> {
    for built in subjects(&flags.backends, context)? {
        println!("{}: {} (llama.cpp {})", built.backend, built.path.display(), built.card.llama());
    }
    Ok(Exit::Fine)
}

/// Makes sure that the probes of all backends in `flags` are built and fresh.
pub(super) fn subjects(flags: &BackendFlags, context: &Context) -> Result<Vec<SubjectFile>> {
    let Context { machine, workspace } = context;
    let choice = backend::choose(&flags.backend, machine)?;
    let llama = flags.llama_src.as_deref();
    let llama = llama.map(|dir| LlamaSource::prepare(dir, workspace, machine)).transpose()?;
    for refusal in &choice.refused {
        eprintln!("left out: {refusal}");
    }
    let needs: Vec<Need> = choice.rows.iter().flat_map(|row| row.needs).copied().collect();
    setup::ensure(&needs, Mode::from_flag(flags.setup), machine)?;
    choice.rows.iter().map(|row| backend::make(row, llama.as_ref(), workspace, machine)).collect()
}
