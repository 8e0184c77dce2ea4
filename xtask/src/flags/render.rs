//! What a model really gets.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

/// `render`
#[derive(Clone, Debug, Args)]
#[command(group(ArgGroup::new("source").args(["template", "model"])))]
#[command(group(ArgGroup::new("asked").args(["messages", "batch"]).required(true)))]
#[command(
    after_help = "One engine: exactly the prompt on standard output. Exit codes: 0 a prompt, 3 an input file or no \
                        Jinja, 7 the template refuses or fails, 8 it is endless, explodes or is too deep"
)]
pub(crate) struct RenderFlags {
    /// A file with a Jinja template
    #[arg(long, value_name = "FILE")]
    pub(crate) template: Option<PathBuf>,
    /// The template of a model: a name of models.json, fetched hf:OWNER/REPO/FILE.gguf, or a GGUF file
    #[arg(long, value_name = "NAME|hf:…|PATH")]
    pub(crate) model: Option<String>,
    /// What it is given, in OpenAI's form: {"messages": […], "add_generation_prompt": …, "enable_thinking": …, "tools": …}
    #[arg(long, value_name = "FILE")]
    pub(crate) messages: Option<PathBuf>,
    /// Render every line of a file: such an object with "template" or "template_file"; an answer a line
    #[arg(long, value_name = "FILE")]
    pub(crate) batch: Option<PathBuf>,
    /// What renders it; `all` shows what each makes of it, side by side
    #[arg(long, value_enum, default_value = "minijinja", conflicts_with = "batch")]
    pub(crate) engine: EngineChoice,
    /// Print JSON: the prompt and, with a model, its tokens
    #[arg(long, conflicts_with = "batch")]
    pub(crate) json: bool,
    /// Whose probe has llama.cpp's engines, and tokenises
    #[arg(long, value_name = "NAME", default_value = "cpu")]
    pub(crate) backend: String,
    /// Install missing programs with this system's package manager
    #[arg(long)]
    pub(crate) setup: bool,
    /// How long one rendering may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) deadline: u32,
}

/// What renders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineChoice {
    /// As Hugging Face transformers renders it
    Minijinja,
    /// llama_chat_apply_template, which knows some templates by their looks
    Builtin,
    /// llama.cpp's own Jinja engine, as llama-server uses it
    Jinja,
    /// All three
    All,
}
