//! What a log says about one load: the facts that rules compare.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::bytes::{Captures, Regex, RegexSet};

use super::Rule;
use super::matcher::{compile, compile_set};

/// A line that tells a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    LoadBegins,
    Simulator,
    Architecture,
    WorkingSet,
    ModelSize,
    TrainingContext,
    Context,
    ContextBeyondTraining,
    Gpu,
    Offloaded,
    EndOfSequence,
    /// While the vocabulary is read: llama.cpp may still take tokens off this list.
    EndCandidate,
    EndOfGeneration,
    EmptyAnswer,
    EndedByLength,
    Thought,
}

/// The wordings are those of llama.cpp b11434 (src/llama-model.cpp, llama-model-loader.cpp, llama-context.cpp,
/// llama-vocab.cpp, ggml-metal-device.m) and of older versions; the last three are OpenAI's and Ollama's replies.
const PATTERNS: &[(Kind, &str)] = &[
    (Kind::LoadBegins, r"loaded meta data with \d+ key-value pairs"),
    (Kind::Simulator, r"CoreSimulator/Devices/|iOS simulator|MTLSimDevice"),
    (Kind::Architecture, r"(?:general\.architecture str|print_info: arch)\s+= (?<value>\S+)"),
    (Kind::WorkingSet, r"recommendedMaxWorkingSetSize\s*=\s*(?<value>\d+\.\d+) Mi?B"),
    (Kind::ModelSize, r"(?:file|model) size\s*=\s*(?<value>\d+\.\d+) (?<unit>[MG])iB"),
    (Kind::TrainingContext, r"n_ctx_train\s*=\s*(?<value>\d+)"),
    (Kind::Context, r"(?:n_ctx_(?:per_)?seq|llama_new_context_with_model: n_ctx)\s*=\s*(?<value>\d+)"),
    (Kind::ContextBeyondTraining, r"n_ctx_(?:per_)?seq \((?<value>\d+)\) > n_ctx_train \((?<train>\d+)\)"),
    (Kind::Gpu, r"using device (?<value>(?:CUDA|ROCm|MUSA|Vulkan|MTL|Metal|SYCL|OpenCL)\w*)"),
    (Kind::Gpu, r"picking default device: (?<value>.+)"),
    (Kind::Offloaded, r"offloaded (?<value>\d+)/(?<total>\d+) layers to GPU"),
    (Kind::EndOfSequence, r"EOS token\s+=\s+\d+ '(?<value>[^']+)'"),
    (Kind::EndCandidate, r"\bload:\s+- \d+ \('(?<value>[^']+)'\)"),
    (Kind::EndOfGeneration, r"EOG token\s+=\s+\d+ '(?<value>[^']+)'"),
    (Kind::EmptyAnswer, r#""content"\s*:\s*"""#),
    (Kind::EndedByLength, r#""(?:finish|done)_reason"\s*:\s*"length""#),
    (Kind::Thought, r#""(?:reasoning|reasoning_content|thinking)"\s*:\s*"[^"]"#),
];

/// The token that ends a turn in a family, by the prefix of the architecture's name; the first that fits counts.
/// Sources: the families' own chat templates.
const ENDS_OF_TURN: &[(&str, &str)] =
    &[("gemma4", "<turn|>"), ("gemma", "<end_of_turn>"), ("qwen", "<|im_end|>"), ("phi3", "<|end|>")];

/// An end of sequence in some families, and plain text in others, of which HTML is full.
const FALSE_END: &str = "</s>";

/// From which length on a whole training context is suspicious: phones die of it, servers may mean it.
const LONG_CONTEXT: u64 = 32 * 1024;

static COMPILED: LazyLock<(RegexSet, Vec<Regex>)> = LazyLock::new(|| {
    let sources = || PATTERNS.iter().map(|(_, pattern)| *pattern);
    (compile_set(sources()), sources().map(compile).collect())
});

/// A rule that fits, with the values of its sentence.
pub(super) struct Fit {
    pub(super) rule: Rule,
    pub(super) values: BTreeMap<&'static str, String>,
}

/// What was said so far.
#[derive(Debug, Default)]
pub(super) struct Facts {
    simulator: bool,
    gpu: Option<String>,
    /// Megabytes as Metal counts them, 10⁶ bytes.
    working_set: Option<f64>,
    model: Model,
}

/// What was said about the model that is being loaded.
#[derive(Debug, Default)]
struct Model {
    architecture: Option<String>,
    bytes: Option<f64>,
    size: String,
    n_ctx_train: Option<u64>,
    end_of_sequence: Option<String>,
    /// The list of ends that is just being told.
    ends: Vec<String>,
    /// That list is the final one.
    final_ends: bool,
}

impl Facts {
    /// Takes in `line`; says which rules now fit.
    pub(super) fn observe(&mut self, line: &str) -> Vec<Fit> {
        let (set, regexes) = &*COMPILED;
        let matches = set.matches(line.as_bytes());
        let kinds: Vec<Kind> = matches.iter().map(|index| PATTERNS[index].0).collect();
        let mut fits = Vec::new();
        if !kinds.contains(&Kind::EndOfGeneration) && !kinds.contains(&Kind::EndCandidate) {
            fits.extend(self.model.take_ends());
        }
        for index in &matches {
            if let Some(captures) = regexes[index].captures(line.as_bytes()) {
                fits.extend(self.fact(PATTERNS[index].0, &captures));
            }
        }
        let spent = [Kind::EmptyAnswer, Kind::EndedByLength, Kind::Thought];
        if spent.iter().all(|kind| kinds.contains(kind)) {
            fits.push(fit(Rule::AnswerSpentThinking, []));
        }
        fits
    }

    /// The log is over; says which rules fit now.
    pub(super) fn end(&mut self) -> Vec<Fit> {
        self.model.take_ends()
    }

    fn fact(&mut self, kind: Kind, captures: &Captures<'_>) -> Option<Fit> {
        let bytes = |name: &str| captures.name(name).map_or(&b""[..], |value| value.as_bytes());
        let text = |name: &str| String::from_utf8_lossy(bytes(name)).trim().to_owned();
        let number = |name: &str| text(name).parse::<u64>().ok();
        match kind {
            Kind::LoadBegins => self.model = Model::default(),
            Kind::Simulator => self.simulator = true,
            Kind::Architecture => self.model.architecture = Some(text("value")),
            Kind::Gpu => self.gpu = Some(text("value")),
            Kind::TrainingContext => self.model.n_ctx_train = number("value"),
            Kind::EndOfSequence => self.model.end_of_sequence = Some(text("value")),
            Kind::EndCandidate | Kind::EndOfGeneration => {
                self.model.ends.push(text("value"));
                self.model.final_ends = kind == Kind::EndOfGeneration;
            }
            Kind::WorkingSet => {
                self.working_set = text("value").parse().ok();
                return self.beyond_working_set();
            }
            Kind::ModelSize => {
                let unit = if text("unit") == "G" { 1024.0 * 1024.0 * 1024.0 } else { 1024.0 * 1024.0 };
                self.model.bytes = text("value").parse::<f64>().ok().map(|value| value * unit);
                self.model.size = format!("{} {}iB", text("value"), text("unit"));
                return self.beyond_working_set();
            }
            Kind::Context => return context(number("value")?, self.model.n_ctx_train?),
            Kind::ContextBeyondTraining => return context(number("value")?, number("train")?),
            Kind::Offloaded => return self.offloaded(number("value")?, number("total")?),
            Kind::EmptyAnswer | Kind::EndedByLength | Kind::Thought => {}
        }
        None
    }

    fn beyond_working_set(&self) -> Option<Fit> {
        let (bytes, megabytes) = (self.model.bytes?, self.working_set?);
        let values = [("model", self.model.size.clone()), ("working_set", format!("{megabytes:.0} MB"))];
        (bytes > megabytes * 1e6).then(|| fit(Rule::ModelBeyondWorkingSet, values))
    }

    fn offloaded(&self, offloaded: u64, total: u64) -> Option<Fit> {
        let rule = match (self.simulator, offloaded) {
            (true, 0) => return None,
            (true, _) => Rule::GpuInSimulator,
            (false, 0) if total > 0 => Rule::NoLayerOffloaded,
            (false, _) if offloaded < total => Rule::SomeLayersOffloaded,
            _ => return None,
        };
        let gpu = self.gpu.clone().unwrap_or_else(|| "a build with a GPU backend".to_owned());
        Some(fit(rule, [("offloaded", offloaded.to_string()), ("total", total.to_string()), ("gpu", gpu)]))
    }
}

impl Model {
    /// Judges a list of end-of-generation tokens that has just ended.
    fn take_ends(&mut self) -> Vec<Fit> {
        if self.ends.is_empty() {
            return Vec::new();
        }
        let ends = std::mem::take(&mut self.ends);
        let fits = [self.no_end_of_turn(&ends), self.false_end(&ends)];
        fits.into_iter().flatten().collect()
    }

    fn no_end_of_turn(&self, ends: &[String]) -> Option<Fit> {
        let architecture = self.architecture.as_deref()?;
        let (_, wanted) = ENDS_OF_TURN.iter().find(|(family, _)| architecture.starts_with(family))?;
        let values = [
            ("eog", ends.join(", ")),
            ("architecture", architecture.to_owned()),
            ("wanted", (*wanted).to_owned()),
        ];
        (!ends.iter().any(|end| end == wanted)).then(|| fit(Rule::NoEndOfTurn, values))
    }

    fn false_end(&self, ends: &[String]) -> Option<Fit> {
        let eos = self.end_of_sequence.as_ref().filter(|eos| *eos != FALSE_END)?;
        let is_false = self.final_ends && ends.iter().any(|end| end == FALSE_END);
        is_false.then(|| fit(Rule::FalseEndOfGeneration, [("eos", eos.clone())]))
    }
}

fn context(n_ctx: u64, n_ctx_train: u64) -> Option<Fit> {
    // llama.cpp pads n_ctx up to a multiple of 256.
    let whole = n_ctx_train.checked_next_multiple_of(256)?;
    let rule = if n_ctx > whole {
        Rule::ContextBeyondTraining
    } else if n_ctx >= n_ctx_train && n_ctx > LONG_CONTEXT {
        Rule::ContextIsTraining
    } else {
        return None;
    };
    Some(fit(rule, [("n_ctx", n_ctx.to_string()), ("n_ctx_train", n_ctx_train.to_string())]))
}

fn fit<const N: usize>(rule: Rule, values: [(&'static str, String); N]) -> Fit {
    Fit { rule, values: values.into() }
}
