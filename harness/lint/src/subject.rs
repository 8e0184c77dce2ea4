//! What is looked at.

use gguf::GgufFile;

use crate::Vocabulary;

/// A chat template, with the vocabulary that it is used with where that is known.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// The template; a model may have none.
    pub template: Option<String>,
    /// The vocabulary.
    pub vocabulary: Option<Vocabulary>,
}

impl Subject {
    /// A template alone: its text, or a `tokenizer_config.json` that carries it in `chat_template`.
    pub fn of_template(text: &str) -> Self {
        let inside = serde_json::from_str::<serde_json::Value>(text).ok();
        let inside = inside.as_ref().and_then(|config| config.get("chat_template")?.as_str());
        Self { template: Some(inside.unwrap_or(text).to_owned()), vocabulary: None }
    }

    /// What the file of a model says of itself.
    pub fn of_model(file: &GgufFile) -> Self {
        Self { template: file.chat_template().map(str::to_owned), vocabulary: Vocabulary::of_model(file) }
    }
}
