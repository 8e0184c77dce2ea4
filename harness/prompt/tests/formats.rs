//! The formats in which real models think and stop, cut into pieces everywhere.
//!
//! Each format is an answer as its model writes it, control tokens and all, with the tags and the end that an app sets
//! for it. However the stream is cut, between tokens or inside a character, thought and answer are the same.

use prompt::AnswerStream;
use proptest::prelude::*;
use wire::ThinkingTags;

/// A family's format.
struct Format {
    name: &'static str,
    open: &'static str,
    close: &'static str,
    /// Whether the prompt has opened the thought already.
    opened: bool,
    /// What ends the answer, where an app finds it as text.
    stop: &'static str,
    /// The answer as tokens.
    tokens: &'static [&'static str],
}

const THOUGHT: &str = "7 × 13 😀";
const ANSWER: &str = "Nein, é.";

const FORMATS: [Format; 9] = [
    Format {
        name: "Gemma 4, small",
        open: "<|channel>thought",
        close: "<channel|>",
        opened: false,
        stop: "<turn|>",
        tokens: &["<|channel>", "thought", "\n", THOUGHT, "\n", "<channel|>", ANSWER, "<turn|>"],
    },
    Format {
        name: "Gemma 4, large, thinking off: the empty thought stands in the prompt",
        open: "<|channel>thought",
        close: "<channel|>",
        opened: false,
        stop: "<turn|>",
        tokens: &["<|channel>thought\n", THOUGHT, "<channel|>", "\n", ANSWER, "<turn|>", "\n"],
    },
    Format {
        name: "Qwen 3",
        open: "<think>",
        close: "</think>",
        opened: false,
        stop: "<|im_end|>",
        tokens: &["<think>", "\n", THOUGHT, "\n", "</think>", "\n\n", ANSWER, "<|im_end|>", "\n"],
    },
    Format {
        name: "Qwen 3.5: the template opens the thought",
        open: "<think>",
        close: "</think>",
        opened: true,
        stop: "<|im_end|>",
        tokens: &[THOUGHT, "\n", "</think>", "\n\n", ANSWER, "<|im_end|>"],
    },
    Format {
        name: "DeepSeek R1: the template opens the thought",
        open: "<think>",
        close: "</think>",
        opened: true,
        stop: "<｜end▁of▁sentence｜>",
        tokens: &["\n", THOUGHT, "\n", "</think>", "\n\n", ANSWER, "<｜end▁of▁sentence｜>"],
    },
    Format {
        name: "SmolLM3",
        open: "<think>",
        close: "</think>",
        opened: false,
        stop: "<|im_end|>",
        tokens: &["<think>", "\n", THOUGHT, "\n", "</think>", "\n", ANSWER, "<|im_end|>"],
    },
    Format {
        name: "GPT-OSS",
        open: "<|channel|>analysis<|message|>",
        close: "<|end|><|start|>assistant<|channel|>final<|message|>",
        opened: false,
        stop: "<|return|>",
        tokens: &[
            "<|channel|>",
            "analysis",
            "<|message|>",
            THOUGHT,
            "<|end|>",
            "<|start|>",
            "assistant",
            "<|channel|>",
            "final",
            "<|message|>",
            ANSWER,
            "<|return|>",
        ],
    },
    Format {
        name: "Magistral",
        open: "[THINK]",
        close: "[/THINK]",
        opened: false,
        stop: "</s>",
        tokens: &["[THINK]", THOUGHT, "[/THINK]", ANSWER, "</s>"],
    },
    Format {
        name: "Command A",
        open: "<|START_THINKING|>",
        close: "<|END_THINKING|>",
        opened: false,
        stop: "<|END_RESPONSE|>",
        tokens: &[
            "<|START_THINKING|>",
            THOUGHT,
            "<|END_THINKING|>",
            ANSWER,
            "<|END_RESPONSE|>",
            "<|END_OF_TURN_TOKEN|>",
        ],
    },
];

impl Format {
    fn stream(&self) -> AnswerStream {
        let tags = ThinkingTags { open: self.open.to_owned(), close: self.close.to_owned() };
        let stops = [self.stop.to_owned()];
        if self.opened {
            AnswerStream::in_thought(&stops, &tags)
        } else {
            AnswerStream::new(&stops, Some(&tags))
        }
    }

    fn check(&self, pieces: &[&[u8]]) {
        let mut stream = self.stream();
        for piece in pieces {
            stream.push(piece);
        }
        let answer = stream.finish();
        let seen = (answer.thinking.as_deref(), answer.answer.as_str(), answer.stopped.as_deref());
        assert_eq!(seen, (Some(THOUGHT), ANSWER, Some(self.stop)), "{}", self.name);
    }

    /// How many tokens the thought takes, tags included.
    fn thought(&self) -> usize {
        let text = |count: usize| self.tokens[..count].concat();
        (0..=self.tokens.len()).find(|&count| text(count).contains(self.close)).unwrap_or(0)
    }
}

#[test]
fn each_format_is_split_whole_by_token_and_at_every_byte() {
    for format in &FORMATS {
        let tokens: Vec<&[u8]> = format.tokens.iter().map(|token| token.as_bytes()).collect();
        let bytes = tokens.concat();
        format.check(&tokens);
        format.check(&bytes.chunks(1).collect::<Vec<_>>());
        for cut in 0..=bytes.len() {
            format.check(&[&bytes[..cut], &bytes[cut..]]);
        }
    }
}

#[test]
fn a_budget_that_ends_around_the_thoughts_end_leaves_no_answer_and_no_tag() {
    for format in &FORMATS {
        for budget in 0..=format.thought() {
            let mut stream = format.stream();
            format.tokens[..budget].iter().for_each(|token| drop(stream.push(token.as_bytes())));
            let answer = stream.finish();
            // What may yet have become a tag is shown at the end, for it is not known to be one.
            let begun = !answer.answer.is_empty() && format.open.starts_with(answer.answer.as_str());
            assert!(answer.answer.is_empty() || begun, "{} after {budget}: {:?}", format.name, answer.answer);
            assert_eq!(answer.stopped, None, "{} after {budget}", format.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_cuts_of_any_format_give_the_same(
        index in 0..FORMATS.len(),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..16),
    ) {
        let format = &FORMATS[index];
        let bytes = format.tokens.concat().into_bytes();
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).chain([0, bytes.len()]).collect();
        ends.sort_unstable();
        let pieces: Vec<&[u8]> = ends.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
        format.check(&pieces);
    }
}
