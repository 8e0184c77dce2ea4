//! Ours and llama.cpp's own tools at the same work, in turns, so that both meet the same weather.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use judge::models::Model;
use judge::plan::Target;
use judge::setup::{Folders, Suite};
use wire::ModelSpec;

use super::suite::this_program;
use crate::bench::{BaseFile, Comparison, Pair, Scoring, Sweep, row_names};
use crate::command_line::CommandLine;
use crate::commands::build;
use crate::commands::verdicts::{jobs, refused};
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::{BackendFlags, BenchFlags};
use crate::json_file::JsonFile;

/// The case whose items are the architectures.
const CASE: &str = "arch/from-metadata";

/// What the peer draws its weights with: the same in every run.
const SEED: &str = "1";

/// Tokens of a chunk, which is scored in an empty context: llama-perplexity's usual size.
const CHUNK: &str = "512";

/// Compares, prints, and says by the exit code whether ours is slower anywhere.
pub(super) fn run(flags: &BenchFlags, context: &Context) -> Result<Exit> {
    let json = JsonFile::create(flags.json.as_deref())?;
    let bench = Bench::new(flags, context)?;
    let mut figures = Vec::new();
    if let Some(peer) = &flags.peer_archs {
        figures.push(bench.archs(peer)?);
    }
    if let Some(peer) = &flags.peer_perplexity {
        figures.push(bench.scoring(peer)?);
    }
    let comparison = Comparison { runs: usize::from(flags.runs), figures };
    print!("{}", comparison.table());
    println!("{} runs of each, in turns; one more to warm up", comparison.runs);
    json.map_or(Ok(()), |json| json.write(&comparison))?;
    let met = comparison.figures.iter().all(Pair::is_met);
    Ok(if met { Exit::Fine } else { Exit::Verdicts })
}

/// What both comparisons need.
struct Bench<'a> {
    flags: &'a BenchFlags,
    context: &'a Context,
    folders: Folders,
    suite: Suite,
    target: Arc<Target>,
}

impl<'a> Bench<'a> {
    fn new(flags: &'a BenchFlags, context: &'a Context) -> Result<Self> {
        let folders = Folders::of_workspace(context.workspace.root());
        let suite = Suite::read(&folders).or_exit(Exit::Input)?;
        let backends = BackendFlags { llama_src: None, ..flags.backends.clone() };
        let subjects = build::subjects(&backends, context)?;
        let [subject] = &subjects[..] else {
            return Err(Exit::Usage.error("a peer is compared with one backend; name one"));
        };
        let target = Arc::new(subject.target(&[]));
        Ok(Self { flags, context, folders, suite, target })
    }

    /// The sweep over the architectures that both know.
    fn archs(&self, peer: &Path) -> Result<Pair> {
        let sweep = |pattern: &str| {
            CommandLine::new(&peer.display().to_string(), ["--seed", SEED, "--arch", pattern])
        };
        eprintln!("bench: asking {} for its list", peer.display());
        let rows = row_names(&self.said(&sweep("."))?);
        let targets = [Arc::clone(&self.target)];
        let plan = self.suite.plan(&self.folders, &[], &targets, &[CASE.to_owned()]).or_exit(Exit::Input)?;
        let models: Vec<String> = plan.items.iter().map(|item| item.model_name().to_owned()).collect();
        let shared = Sweep::of(&rows, &models);
        if shared.models.is_empty() {
            let peer = peer.display();
            return Err(Exit::Input.error(format!("{peer} ran no architecture that the suite knows")));
        }
        let theirs = sweep(&shared.pattern);
        let ours = CommandLine::new(&this_program()?.display().to_string(), ["test", "--backend"])
            .arg(self.target.name.clone())
            .args(["--filter", CASE, "--jobs", &self.jobs().to_string()])
            .args(shared.models.iter().flat_map(|model| ["--model".to_owned(), model.clone()]));
        let times = self.in_turns("sweep", || self.clocked(&ours), || self.clocked(&theirs))?;
        Ok(Pair::of("sweep", (shared.models.len(), "models"), &times))
    }

    /// Scoring of a text against what was seen before, chunk by chunk.
    fn scoring(&self, peer: &Path) -> Result<Pair> {
        let model = self.model()?;
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let base = folder.path().join("base");
        let peer = self.perplexity(peer, &model, &base);
        eprintln!("bench: {} writes what the scores are compared with", peer.argv()[0]);
        self.clocked(&peer.clone().args(["-f", &self.text().display().to_string()]))?;
        let chunks = BaseFile::read(&base).or_exit(Exit::Input)?.chunks;
        let path = model.path.to_string_lossy().into_owned();
        let spec = ModelSpec { name: model.name.clone(), path };
        let ours = Scoring { target: &self.target, model: spec, chunks: &chunks, jobs: self.jobs() };
        let (reference, _) = ours.run(&[]).or_exit(Exit::Broken)?;
        let theirs = peer.arg("--kl-divergence");
        let times = self.in_turns(
            "scoring",
            || {
                let start = Instant::now();
                ours.run(&reference).or_exit(Exit::Broken)?;
                Ok(start.elapsed())
            },
            || self.clocked(&theirs),
        )?;
        Ok(Pair::of("scoring", (ours.tokens(), "tokens"), &times))
    }

    /// llama-perplexity on `model`, with as many threads as we have workers, and without its warm-up.
    fn perplexity(&self, peer: &Path, model: &Model, base: &Path) -> CommandLine {
        let threads = self.jobs().to_string();
        let (model, base) = (model.path.display().to_string(), base.display().to_string());
        let chunks = self.flags.chunks.to_string();
        CommandLine::new(&peer.display().to_string(), ["-m", &model, "-c", CHUNK, "--chunks", &chunks])
            .args(["-t", &threads, "-tb", &threads, "--no-warmup", "--kl-divergence-base", &base])
    }

    fn model(&self) -> Result<Arc<Model>> {
        let name = self.flags.model.clone().unwrap_or_else(|| "smollm2".to_owned());
        let model = self.suite.models(&self.folders, std::slice::from_ref(&name)).map_err(refused)?.remove(0);
        if model.path.is_file() {
            return Ok(model);
        }
        Err(Exit::Input.error(format!("{name} is not here yet; run `cargo xtask models fetch {name}`")))
    }

    fn text(&self) -> PathBuf {
        let default = || self.context.workspace.root().join("docs/cases.md");
        self.flags.text.clone().unwrap_or_else(default)
    }

    fn jobs(&self) -> usize {
        jobs(self.flags.jobs)
    }

    /// The times of `ours` and `theirs`, in turns; each begins every other time. The first ones only warm up.
    fn in_turns(
        &self,
        what: &str,
        mut ours: impl FnMut() -> Result<Duration>,
        mut theirs: impl FnMut() -> Result<Duration>,
    ) -> Result<Vec<[Duration; 2]>> {
        let mut times = Vec::new();
        for run in 0..=self.flags.runs {
            eprintln!("bench: {what}, run {run} of {}", self.flags.runs);
            if run % 2 == 0 {
                let first = ours()?;
                times.push([first, theirs()?]);
            } else {
                let first = theirs()?;
                times.push([ours()?, first]);
            }
        }
        times.remove(0);
        Ok(times)
    }

    /// How long `line` takes. A peer that finds differences has done its work, too.
    fn clocked(&self, line: &CommandLine) -> Result<Duration> {
        let start = Instant::now();
        self.said(line)?;
        Ok(start.elapsed())
    }

    /// What `line` prints.
    fn said(&self, line: &CommandLine) -> Result<String> {
        let mut command =
            line.clone().in_folder(self.context.workspace.root()).command(&self.context.machine)?;
        let output = command.stdin(Stdio::null()).stderr(Stdio::piped()).output();
        let output = output.with_context(|| format!("cannot start `{line}`"))?;
        if matches!(output.status.code(), Some(0 | 1)) {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
        Err(Exit::Input.error(format!("`{}` ended with {}: {last}", line.argv()[0], output.status)))
    }
}
