//! Which template, and what is known of the model that it comes from.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use gguf::GgufFile;
use judge::models::{Model, Registry};
use judge::setup::Folders;
use rendering::Conversation;
use wire::ModelSpec;

use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::RenderFlags;
use crate::models;

/// A template, and the model that it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// For people.
    pub(crate) name: String,
    /// The Jinja text.
    pub(crate) template: String,
    /// The text of the model's BOS token; empty where there is none.
    pub(crate) bos_token: String,
    /// The text of its EOS token.
    pub(crate) eos_token: String,
    /// The model, for whoever tokenises.
    pub(crate) model: Option<ModelSpec>,
}

impl Source {
    /// The template of a file, or of a model; `None` where neither is named.
    ///
    /// # Errors
    /// When it is not there, not fetched yet, no text, or no GGUF file with a template.
    pub(crate) fn read(
        flags: &RenderFlags,
        write_fixtures: impl Fn(&[Arc<Model>]) -> Result<()>,
        context: &Context,
    ) -> Result<Option<Self>> {
        if let Some(path) = &flags.template {
            let (bos_token, eos_token) = (String::new(), String::new());
            let (name, template) = (path.display().to_string(), read_text(path, "a Jinja template")?);
            return Ok(Some(Self { name, template, bos_token, eos_token, model: None }));
        }
        let Some(name) = &flags.model else { return Ok(None) };
        let registry = models::read(&context.workspace)?;
        let model = Arc::new(find(name, &registry, context)?);
        write_fixtures(&[Arc::clone(&model)])?;
        if model.listed && !model.path.is_file() {
            return Err(
                Exit::Input.error(format!("{name} is not here yet; run `cargo xtask models fetch {name}`"))
            );
        }
        Self::of_model(&model).map(Some)
    }

    fn of_model(model: &Model) -> Result<Self> {
        let file = GgufFile::open(&model.path).or_exit(Exit::Input)?;
        let template = file.chat_template().ok_or_else(|| {
            Exit::Input.error(format!(
                "{} has no chat template (tokenizer.chat_template); name one with --template FILE",
                model.path.display()
            ))
        })?;
        let token = |key: &str| {
            let id = file.u64(key).and_then(|id| usize::try_from(id).ok());
            id.and_then(|id| file.tokens()?.get(id).cloned()).unwrap_or_default()
        };
        let path = fs::canonicalize(&model.path).unwrap_or_else(|_| PathBuf::from(&model.path));
        Ok(Self {
            name: model.name.clone(),
            template: template.to_owned(),
            bos_token: token("tokenizer.ggml.bos_token_id"),
            eos_token: token("tokenizer.ggml.eos_token_id"),
            model: Some(ModelSpec { name: model.name.clone(), path: path.display().to_string() }),
        })
    }

    /// Variables of conversations that do not set them.
    pub(crate) fn defaults(&self) -> [(&str, &str); 2] {
        [("bos_token", &self.bos_token), ("eos_token", &self.eos_token)]
    }
}

fn find(name: &str, registry: &Registry, context: &Context) -> Result<Model> {
    let folders = Folders::of_workspace(context.workspace.root());
    registry.resolve(name, &folders.places()).or_exit(Exit::Usage)
}

/// A conversation of a file.
///
/// # Errors
/// When it cannot be read, or is none.
pub(crate) fn conversation(path: &Path) -> Result<Conversation> {
    let text = read_text(path, "messages in OpenAI's form")?;
    Conversation::parse(&text).with_context(|| path.display().to_string()).or_exit(Exit::Input)
}

/// The text of a file that holds `what`.
///
/// # Errors
/// When it cannot be read, or is no text.
pub(crate) fn read_text(path: &Path, what: &str) -> Result<String> {
    fs::read_to_string(path)
        .with_context(|| format!("{}: cannot be read; name a file with {what}", path.display()))
        .or_exit(Exit::Input)
}
