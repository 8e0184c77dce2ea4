//! `probe models DIR`.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use probe::Probe;
use serde_json::json;
use wire::{Config, Isolation, Limits, ModelSpec, Request, Stimulus};

use crate::Failure;

/// Inspects every .gguf file of `dir`, in the order of their names. A file that cannot be loaded is an observation
/// like any other.
pub(crate) fn inspect_all(probe: &mut Probe, dir: &Path, mut output: impl Write) -> Result<(), Failure> {
    let files = gguf_files(dir).map_err(|source| Failure::Folder { dir: dir.to_owned(), source })?;
    for (id, path) in (0..).zip(files) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let model = ModelSpec { name, path: path.to_string_lossy().into_owned() };
        let request = Request {
            id,
            model: Some(model.clone()),
            config: Config::default(),
            stimulus: Stimulus::Inspect {},
            limits: Limits::default(),
            adapter: None,
            forced_tokens: None,
            isolation: Isolation::default(),
            watch: None,
        };
        let line = json!({ "model": model, "observation": probe.observe(&request) });
        wire::write_frame(&mut output, &line).map_err(Failure::Stdout)?;
    }
    Ok(())
}

fn gguf_files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "gguf"));
    files.sort();
    Ok(files)
}
