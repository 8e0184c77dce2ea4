//! The stable names of what can be found.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// It goes wrong for those who do not know it.
    Warning,
    /// It goes wrong.
    Error,
}

impl Severity {
    /// The name in reports, and SARIF's level.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal;)*) => {
        /// Kinds of findings. Their names are stable; catalogue.json says what each means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum LintCode { $($(#[$doc])* $variant,)* }

        impl LintCode {
            /// All of them, sorted.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in reports.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

codes! {
    /// Neither template nor tokenizer writes the BOS that the family needs.
    BosMissing = "bos-missing";
    /// The file says that no BOS is wanted, and llama.cpp adds one all the same.
    BosStaleFlag = "bos-stale-flag";
    /// Template and tokenizer both write BOS.
    BosTwice = "bos-twice";
    /// `llama_chat_apply_template` gives another prompt.
    BuiltinDiffers = "builtin-differs";
    /// `llama_chat_apply_template` knows no such template.
    BuiltinRefuses = "builtin-refuses";
    /// The template writes the text of a control token that the vocabulary lacks.
    ControlNotAToken = "control-not-a-token";
    /// The template writes the text of a token that is not parsed as one.
    ControlUnmarked = "control-unmarked";
    /// llama.cpp ends generation at a token that the file does not mean to end it.
    EogExtra = "eog-extra";
    /// The file names no token that ends generation.
    EogMissing = "eog-missing";
    /// A token that ends generation is not marked as a control token.
    EogUnmarked = "eog-unmarked";
    /// An earlier answer is not in the prompt.
    HistoryLost = "history-lost";
    /// `add_generation_prompt` changes nothing.
    NoGenerationPrompt = "no-generation-prompt";
    /// There is no chat template.
    NoTemplate = "no-template";
    /// The system message is not in the prompt.
    SystemLost = "system-lost";
    /// The template refuses a system message.
    SystemRefused = "system-refused";
    /// The template ends in the middle of a tag or a block.
    TemplateCutShort = "template-cut-short";
    /// The template reaches for the host's internals.
    TemplateRunsCode = "template-runs-code";
    /// The template does not render one user message.
    TemplateUnrenderable = "template-unrenderable";
    /// Thinking is on unless somebody says otherwise.
    ThinkingByDefault = "thinking-by-default";
    /// The template knows thoughts and has no switch for them.
    ThinkingNoSwitch = "thinking-no-switch";
    /// Thinking can be switched on.
    ThinkingSwitch = "thinking-switch";
    /// A thought is opened and never closed.
    ThinkingUnbalanced = "thinking-unbalanced";
    /// Nothing in the prompt ends the assistant's turn.
    TurnEndMissing = "turn-end-missing";
    /// What ends the assistant's turn does not end generation.
    TurnEndNotEog = "turn-end-not-eog";
}

impl fmt::Display for LintCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for LintCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
