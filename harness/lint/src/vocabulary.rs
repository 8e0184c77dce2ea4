//! A model's vocabulary as llama.cpp understands it: which tokens end generation, whether BOS is added.
//!
//! The lists in eog.json are those of llama-vocab.cpp, llama.cpp b11434: it goes by the text of tokens, whatever the file
//! says of them.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use gguf::{Array, GgufFile};
use serde::Deserialize;

/// The lists that llama.cpp carries.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    /// Texts that end generation.
    texts: Vec<String>,
    /// Keys of fill-in-the-middle tokens that end generation, each with the texts to go by where the key is absent.
    fim: Vec<Vec<String>>,
    /// Pre-tokenizers of BPE vocabularies that add BOS where the file does not say.
    adds_bos: Vec<String>,
}

static LISTS: LazyLock<Lists> =
    LazyLock::new(|| serde_json::from_str(include_str!("eog.json")).expect("eog.json is checked by a test"));

/// What a token is, as `tokenizer.ggml.token_type` numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Normal,
    Control,
    UserDefined,
    Other,
}

/// The vocabulary of a model.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    texts: Vec<String>,
    kinds: Vec<Kind>,
    by_text: HashMap<String, usize>,
    /// `llama` for SentencePiece, `gpt2` for BPE …
    pub(crate) model: String,
    pub(crate) architecture: String,
    pub(crate) bos: Option<usize>,
    /// What the file says; not what llama.cpp falls back to.
    pub(crate) eos: Option<usize>,
    /// EOS, end of turn, end of message: what the file itself calls an end.
    pub(crate) named_ends: BTreeSet<usize>,
    /// What llama.cpp ends generation at.
    pub(crate) eog: BTreeSet<usize>,
    /// What `tokenizer.ggml.add_bos_token` says.
    pub(crate) bos_flag: Option<bool>,
    /// Whether llama.cpp adds BOS.
    pub(crate) adds_bos: bool,
    /// Whether this family was trained with BOS, whatever the file says.
    pub(crate) wants_bos: bool,
}

impl Vocabulary {
    /// The vocabulary of `file`; none where the file has no tokens.
    pub fn of_model(file: &GgufFile) -> Option<Self> {
        let texts = file.tokens()?.to_vec();
        let by_text: HashMap<String, usize> =
            texts.iter().enumerate().map(|(id, text)| (text.clone(), id)).collect();
        let id = |key: &str| {
            let id = usize::try_from(file.u64(&format!("tokenizer.ggml.{key}"))?).ok()?;
            (id < texts.len()).then_some(id)
        };
        let text = |key: &str| file.str(key).unwrap_or_default().to_owned();
        let (model, pre) = (text("tokenizer.ggml.model"), text("tokenizer.ggml.pre"));
        let eos = id("eos_token_id");
        let named_ends: BTreeSet<usize> =
            [eos, id("eot_token_id"), id("eom_token_id")].into_iter().flatten().collect();
        let architecture = file.architecture().unwrap_or_default().to_owned();
        let bos_flag = file.bool("tokenizer.ggml.add_bos_token");
        let by_default = match model.as_str() {
            "llama" | "bert" => true,
            "gpt2" => LISTS.adds_bos.contains(&pre),
            _ => false,
        };
        let forced = pre == "gemma4" || model == "gemma4";
        let bos = id("bos_token_id").or((model == "llama" && texts.len() > 1).then_some(1));
        let mut vocabulary = Self {
            kinds: kinds(file, texts.len()),
            wants_bos: bos.is_some() && (by_default || forced || architecture.starts_with("gemma")),
            adds_bos: bos.is_some() && (forced || bos_flag.unwrap_or(by_default)),
            texts,
            by_text,
            model,
            architecture,
            bos,
            eos,
            named_ends,
            eog: BTreeSet::new(),
            bos_flag,
        };
        vocabulary.eog = vocabulary.ends(file);
        Some(vocabulary)
    }

    /// The text of a token.
    pub(crate) fn text(&self, id: usize) -> &str {
        self.texts.get(id).map_or("", String::as_str)
    }

    /// The text of a token that may not be there.
    pub(crate) fn text_of(&self, id: Option<usize>) -> &str {
        id.map_or("", |id| self.text(id))
    }

    /// What a token is.
    pub(crate) fn kind(&self, id: usize) -> Kind {
        self.kinds.get(id).copied().unwrap_or(Kind::Normal)
    }

    /// The token with exactly this text.
    pub(crate) fn token(&self, text: &str) -> Option<usize> {
        self.by_text.get(text).copied()
    }

    /// The longest token that is no piece of ordinary text at the start of `text`.
    pub(crate) fn special_at(&self, text: &str) -> Option<usize> {
        let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8()).take(64);
        let found = ends.filter_map(|end| self.token(&text[..end]));
        found.filter(|id| self.eog.contains(id) || self.kind(*id) != Kind::Normal).last()
    }

    /// Whether llama.cpp takes a token of this text for an end.
    pub(crate) fn ends_by_text(text: &str) -> bool {
        LISTS.texts.iter().any(|known| known == text)
    }

    /// llama.cpp's `special_eog_ids`.
    fn ends(&self, file: &GgufFile) -> BTreeSet<usize> {
        let mut ends: BTreeSet<usize> = LISTS.texts.iter().filter_map(|text| self.token(text)).collect();
        for list in &LISTS.fim {
            let [key, texts @ ..] = &list[..] else { continue };
            let named =
                file.u64(key).and_then(|id| usize::try_from(id).ok()).filter(|id| *id < self.texts.len());
            ends.extend(named.or_else(|| texts.iter().find_map(|text| self.token(text))));
        }
        ends.extend(&self.named_ends);
        let has = |text: &str| self.token(text).is_some_and(|id| ends.contains(&id));
        let calls = has("<|call|>") || has("<|calls|>");
        let harmony = calls && (has("<|return|>") || has("<|flush|>"));
        let plain = has("<|tool_response>") || has("<|plamo:eos|>");
        for (goes, text) in [(harmony, "<|end|>"), (plain, "</s>")] {
            if let Some(id) = self.token(text).filter(|_| goes) {
                ends.remove(&id);
            }
        }
        ends
    }
}

fn kinds(file: &GgufFile, count: usize) -> Vec<Kind> {
    let kind = |number: i64| match number {
        1 => Kind::Normal,
        3 => Kind::Control,
        4 => Kind::UserDefined,
        _ => Kind::Other,
    };
    let mut kinds: Vec<Kind> = match file.array("tokenizer.ggml.token_type") {
        Some(Array::I32(list)) => list.iter().map(|number| kind(i64::from(*number))).collect(),
        Some(Array::U32(list)) => list.iter().map(|number| kind(i64::from(*number))).collect(),
        _ => Vec::new(),
    };
    kinds.resize(count, Kind::Normal);
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_whole() {
        assert_eq!((LISTS.texts.len(), LISTS.fim.len()), (22, 3));
        assert!(LISTS.adds_bos.is_sorted());
    }

    /// What llama.cpp says of the same files: the table in gguf's `fixtures` room, each row seen on the probe.
    #[test]
    fn fixtures_end_where_llama_cpp_ends_them() {
        for (name, ids) in [
            ("compiled-gemma3", &[1, 106, 212][..]),
            ("compiled-gemma4-e2b", &[1, 50, 106]),
            ("compiled-gemma4-12b", &[1, 50, 106]),
        ] {
            let file = GgufFile::from_bytes(&gguf::fixtures::by_name(name).unwrap().bytes()).unwrap();
            let vocabulary = Vocabulary::of_model(&file).unwrap();
            assert_eq!(vocabulary.eog.iter().copied().collect::<Vec<_>>(), ids, "{name}");
            assert!(vocabulary.adds_bos && vocabulary.bos == Some(2), "{name}");
        }
        for (name, ends) in [
            ("compiled-gemma", &["<end_of_turn>", "<eos>", "<|tool_response>"][..]),
            ("compiled-gemma-false-eog", &["</s>", "<end_of_turn>", "<eos>"]),
            ("compiled-chatml", &["<|endoftext|>", "<|im_end|>"]),
            (
                "compiled-qwen3",
                &["<|endoftext|>", "<|file_sep|>", "<|fim_pad|>", "<|im_end|>", "<|repo_name|>"],
            ),
        ] {
            let file = GgufFile::from_bytes(&gguf::fixtures::by_name(name).unwrap().bytes()).unwrap();
            let vocabulary = Vocabulary::of_model(&file).unwrap();
            let mut texts: Vec<&str> = vocabulary.eog.iter().map(|id| vocabulary.text(*id)).collect();
            texts.sort_unstable();
            assert_eq!(texts, ends, "{name}");
        }
    }
}
