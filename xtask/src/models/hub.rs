//! A Hugging Face hub as a source of files; `HF_ENDPOINT` names another one.
//!
//! The hf-hub crate downloads into the workshop and goes on where an interrupted download stopped. Nothing of its
//! folders is kept: a file that is what it should be moves to its place.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use hf_hub::api::Progress;
use hf_hub::api::sync::{Api, ApiBuilder, ApiError};
use hf_hub::{Cache, Repo, RepoType};
use indicatif::ProgressBar;
use judge::models::HubFile;

use super::fetch::clear;
use super::hub_error::explain;
use super::model_file::ModelFile;
use super::verify::{difference, seen};
use crate::atomic;
use crate::exit::{Exit, OrExit as _};
use crate::machine::Machine;
use crate::progress;

/// A hub and the folder to download into.
pub(super) struct Hub {
    api: Api,
    workshop: PathBuf,
}

/// What an attempt came to.
enum Attempt {
    /// The right file is in place; its SHA-256.
    Done(String),
    /// Something else came, or the server cannot go on where the last download stopped; why.
    Useless(anyhow::Error),
}

impl Hub {
    /// The hub that `machine`'s environment names, with the user's token where there is one.
    ///
    /// # Errors
    /// When no HTTP client can be made.
    pub(super) fn new(workshop: &Path, machine: &Machine) -> Result<Self> {
        let home = machine
            .path_var("HF_HOME")
            .or_else(|| Some(machine.path_var("HOME")?.join(".cache/huggingface")));
        let mut builder = ApiBuilder::from_cache(Cache::new(home.unwrap_or_default().join("hub")));
        let text = |key| machine.var(key).map(|value| value.to_string_lossy().into_owned());
        if let Some(endpoint) = text("HF_ENDPOINT") {
            builder = builder.with_endpoint(endpoint.trim_end_matches('/').to_owned());
        }
        if let Some(token) = text("HF_TOKEN") {
            builder = builder.with_token(Some(token));
        }
        let api = builder.with_cache_dir(workshop.to_owned()).build().or_exit(Exit::Broken)?;
        Ok(Self { api, workshop: workshop.to_owned() })
    }

    /// Downloads `file`, puts it in the place of `model`, and returns its SHA-256. What has come of an interrupted
    /// download is used, unless the whole then turns out wrong: that is thrown away, and all is fetched once more.
    ///
    /// # Errors
    /// When the file cannot be had, or is not what it should be. After an interruption what has come is kept.
    pub(super) fn download(&self, model: &ModelFile, file: &HubFile) -> Result<String> {
        let resumed = self.keep_parts();
        let first = self.attempt(model, file)?;
        let second = match first {
            Attempt::Useless(_) if resumed => {
                clear(&self.workshop);
                self.attempt(model, file)?
            }
            other => other,
        };
        match second {
            Attempt::Done(sum) => Ok(sum),
            Attempt::Useless(error) => {
                clear(&self.workshop);
                Err(error)
            }
        }
    }

    fn attempt(&self, model: &ModelFile, file: &HubFile) -> Result<Attempt> {
        let repo = Repo::with_revision(file.repo().to_owned(), RepoType::Model, file.revision().to_owned());
        let announced = Cell::new(0);
        let progress = Announced { size: &announced, bar: progress::bytes("downloading", 0) };
        match self.api.repo(repo).download_with_progress(file.file(), progress) {
            Ok(path) => put(&path, announced.get(), model),
            Err(error) if cannot_resume(&error) => Ok(Attempt::Useless(explain(error, file))),
            Err(error) => Err(explain(error, file)),
        }
    }

    /// Removes everything that a killed download has left, except unfinished files; whether there are any.
    fn keep_parts(&self) -> bool {
        let mut parts = false;
        for repo in fs::read_dir(&self.workshop).into_iter().flatten().flatten() {
            clear(&repo.path().join("snapshots"));
            clear(&repo.path().join("refs"));
            let blobs = fs::read_dir(repo.path().join("blobs")).into_iter().flatten().flatten();
            parts |=
                blobs.filter(|blob| blob.path().extension().is_some_and(|end| end == "part")).count() > 0;
        }
        parts
    }
}

/// The server has no bytes after those that are here, or fewer than are here.
fn cannot_resume(error: &ApiError) -> bool {
    match error {
        ApiError::InvalidResume => true,
        ApiError::RequestError(error) => matches!(**error, ureq::Error::StatusCode(416)),
        _ => false,
    }
}

/// Puts the downloaded file at `link` in place, if it is what it should be.
fn put(link: &Path, announced: u64, model: &ModelFile) -> Result<Attempt> {
    let path = link.canonicalize().with_context(|| format!("cannot read {}", link.display()))?;
    let seen = seen(&path)?;
    let mut wanted = model.clone();
    if !model.is_listed() {
        // The hub calls a large file by its SHA-256, and hf-hub the blob by what the hub calls it.
        let tag = path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        wanted.sha256 = tag.filter(|tag| tag.len() == 64 && tag.bytes().all(|b| b.is_ascii_hexdigit()));
        wanted.size = Some(announced);
    }
    if let Some(difference) = difference(&wanted, &seen) {
        let what = if model.is_listed() { "models.json" } else { "the hub" };
        let error = format!("what came for {} is not what {what} says: {difference}", model.name);
        return Ok(Attempt::Useless(Exit::Input.error(error)));
    }
    atomic::move_file(&path, &model.path)?;
    Ok(Attempt::Done(seen.1))
}

/// A bar that remembers how large the hub says the file is.
struct Announced<'a> {
    size: &'a Cell<u64>,
    bar: ProgressBar,
}

impl Progress for Announced<'_> {
    fn init(&mut self, size: usize, _: &str) {
        self.size.set(size as u64);
        self.bar.set_length(size as u64);
        self.bar.set_position(0);
    }

    fn update(&mut self, size: usize) {
        self.bar.inc(size as u64);
    }

    fn finish(&mut self) {
        self.bar.finish_and_clear();
    }
}
