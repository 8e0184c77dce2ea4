//! Each compiled fixture says what the table of behaviours promises, and stays clear of every near-tie.

mod transformer;

use std::sync::LazyLock;

use gguf::fixtures::{self, BEHAVIOURS, HTML_IN_PIECES, HTML_ONE_TOKEN};
use gguf::{Behaviour, End};

use transformer::{Reader, Transformer};

/// Least lead of a chosen token in logits. Noise, which this transformer leaves out, takes off less than 1.
const MARGIN: f32 = 2.5;

/// How a family's conversation is spelled in tokens.
struct Talk {
    model: Transformer,
    /// Before the user's words, after them, and before an answer without a thought.
    opening: &'static [&'static str],
    closing: &'static [&'static str],
    no_thought: &'static [&'static str],
    /// Before the user's words where there is a thought.
    thinking_opening: &'static [&'static str],
    /// The thought, from the first token to the last before the answer; empty where it never thinks.
    thought: &'static [&'static str],
    turn_end: &'static str,
    other_end: &'static str,
    html: Behaviour,
    byte_level: bool,
}

static TALKS: LazyLock<Vec<Talk>> = LazyLock::new(|| {
    vec![gemma(), gemma3(), gemma4_e2b(), gemma4_12b(), chatml("compiled-chatml"), chatml("compiled-qwen3")]
});

fn gemma() -> Talk {
    Talk {
        thinking_opening: &["<start_of_turn>", "user", "\n", "<|think|>"],
        thought: CHANNEL_THOUGHT,
        ..gemma3_talk("compiled-gemma")
    }
}

fn gemma3() -> Talk {
    gemma3_talk("compiled-gemma3")
}

fn gemma3_talk(name: &str) -> Talk {
    Talk {
        model: model(name),
        opening: &["<start_of_turn>", "user", "\n"],
        closing: &["<end_of_turn>", "\n", "<start_of_turn>", "model", "\n"],
        no_thought: &[],
        thinking_opening: &[],
        thought: &[],
        turn_end: "<end_of_turn>",
        other_end: "<eos>",
        html: HTML_ONE_TOKEN,
        byte_level: false,
    }
}

fn gemma4_e2b() -> Talk {
    Talk {
        no_thought: &[],
        thinking_opening: &[
            "<|turn>",
            "system",
            "\n",
            "<|think|>",
            "\n",
            "<turn|>",
            "\n",
            "<|turn>",
            "user",
            "\n",
        ],
        ..gemma4("compiled-gemma4-e2b")
    }
}

fn gemma4_12b() -> Talk {
    gemma4("compiled-gemma4-12b")
}

fn gemma4(name: &str) -> Talk {
    Talk {
        model: model(name),
        opening: &["<|turn>", "user", "\n"],
        closing: &["<turn|>", "\n", "<|turn>", "model", "\n"],
        no_thought: CLOSED_CHANNEL,
        thinking_opening: &["<|turn>", "user", "\n"],
        thought: CHANNEL_THOUGHT,
        turn_end: "<turn|>",
        other_end: "<eos>",
        html: HTML_ONE_TOKEN,
        byte_level: false,
    }
}

fn chatml(name: &str) -> Talk {
    Talk {
        model: model(name),
        opening: &["<|im_start|>", "user", "\n"],
        closing: &["<|im_end|>", "\n", "<|im_start|>", "assistant", "\n"],
        no_thought: &["<think>", "\n\n", "</think>", "\n\n"],
        thinking_opening: &["<|im_start|>", "user", "\n"],
        thought: &[
            "<think>", "\n", "Let", " me", " think", " about", " this", " first", "\n", "</think>", "\n\n",
        ],
        turn_end: "<|im_end|>",
        other_end: "<|endoftext|>",
        html: HTML_IN_PIECES,
        byte_level: true,
    }
}

const CHANNEL_THOUGHT: &[&str] =
    &["<|channel>", "thought", "\n", "Let", " me", " think", " about", " this", " first", "<channel|>"];

const CLOSED_CHANNEL: &[&str] = &["<|channel>", "thought", "\n", "<channel|>"];

fn model(name: &str) -> Transformer {
    Transformer::new(&fixtures::by_name(name).unwrap().bytes())
}

impl Talk {
    fn ids(&self, pieces: &[&str]) -> Vec<usize> {
        pieces.iter().map(|piece| self.model.id(&self.spelling(piece))).collect()
    }

    fn spelling(&self, piece: &str) -> String {
        match piece {
            "<0xF0>" if self.byte_level => "ð".to_owned(),
            "<0x9F>" if self.byte_level => "Ł".to_owned(),
            "<0x98>" if self.byte_level => "ĺ".to_owned(),
            "<0x8A>" if self.byte_level => "Ĭ".to_owned(),
            text if self.byte_level => text.replace(' ', "Ġ").replace('\n', "Ċ"),
            text => text.replace(' ', "\u{2581}"),
        }
    }

    /// Demands that what comes next is `says`, token by token.
    #[track_caller]
    fn expect(&self, reader: &mut Reader<'_>, says: &[&str]) {
        for piece in says {
            let (next, lead) = reader.next();
            assert_eq!(self.model.spelling(next), self.spelling(piece), "after {:?}", reader.spelled());
            assert!(lead > MARGIN, "{piece:?} leads by {lead} after {:?}", reader.spelled());
            reader.read(&[next]);
        }
    }

    /// What a behaviour says, with its end; a loop twice.
    fn answer(&self, behaviour: &Behaviour) -> Vec<&'static str> {
        let mut says = behaviour.says.to_vec();
        match behaviour.end {
            End::Turn => says.push(self.turn_end),
            End::Other => says.push(self.other_end),
            End::Again(index) => says.extend(behaviour.says[index..].repeat(2)),
        }
        says
    }

    /// Reads a user's turn of these words, up to the place of the thought.
    fn turn(&self, reader: &mut Reader<'_>, opening: &[&str], words: &[&str]) {
        reader.read(&self.ids(&[opening, words, self.closing].concat()));
    }

    /// Reads a user's turn of these words, up to the place of the answer.
    fn ask(&self, reader: &mut Reader<'_>, words: &[&str]) {
        self.turn(reader, self.opening, words);
        reader.read(&self.ids(self.no_thought));
    }

    fn behaviours(&self) -> impl Iterator<Item = &Behaviour> {
        BEHAVIOURS.iter().chain([&self.html])
    }
}

/// Words that raise a behaviour.
fn words(behaviour: &Behaviour) -> Vec<String> {
    behaviour.when.iter().map(|word| format!(" {word}")).chain([".".to_owned()]).collect()
}

fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

#[test]
fn each_behaviour_answers_as_promised() {
    for talk in TALKS.iter() {
        for behaviour in talk.behaviours() {
            let mut reader = talk.model.reader();
            talk.ask(&mut reader, &borrowed(&words(behaviour)));
            talk.expect(&mut reader, &talk.answer(behaviour));
        }
    }
}

#[test]
fn a_word_counts_at_the_start_of_a_line_too() {
    for talk in TALKS.iter() {
        for behaviour in talk.behaviours().filter(|behaviour| behaviour.when.len() == 1) {
            let mut reader = talk.model.reader();
            talk.ask(&mut reader, behaviour.when);
            talk.expect(&mut reader, &talk.answer(behaviour)[..1]);
        }
    }
}

#[test]
fn it_thinks_before_each_answer_when_thinking_is_on() {
    for talk in TALKS.iter().filter(|talk| !talk.thought.is_empty()) {
        for behaviour in talk.behaviours() {
            let mut reader = talk.model.reader();
            talk.turn(&mut reader, talk.thinking_opening, &borrowed(&words(behaviour)));
            talk.expect(&mut reader, talk.thought);
            talk.expect(&mut reader, &talk.answer(behaviour));
        }
    }
}

#[test]
fn a_riddle_is_thought_about_for_ever() {
    for talk in TALKS.iter().filter(|talk| !talk.thought.is_empty()) {
        let first = talk.thought.iter().position(|piece| *piece == " first").unwrap();
        let mut reader = talk.model.reader();
        talk.turn(&mut reader, talk.thinking_opening, &[" riddle"]);
        talk.expect(&mut reader, &talk.thought[..=first]);
        talk.expect(&mut reader, &[" or", " that"].repeat(40));
    }
}

#[test]
fn a_thought_closed_by_the_prompt_makes_a_small_gemma_4_reason_without_tags() {
    let talk = gemma4_e2b();
    for words in [&[" France"][..], &["Hello"]] {
        let mut reader = talk.model.reader();
        talk.ask(&mut reader, words);
        reader.read(&talk.ids(CLOSED_CHANNEL));
        talk.expect(&mut reader, &["Okay", " they", " want", " an", " answer", ".", talk.turn_end]);
    }
}

#[test]
fn a_new_turn_takes_the_last_question_back_and_keeps_what_was_said() {
    for talk in TALKS.iter() {
        let mut reader = talk.model.reader();
        talk.ask(&mut reader, &[" ZEBRA", " France"]);
        talk.expect(&mut reader, &["The", " capital", " is", " Paris", ".", talk.turn_end]);
        reader.read(&talk.ids(&["\n"]));
        talk.ask(&mut reader, &["Hello"]);
        talk.expect(&mut reader, &["Hello", ".", talk.turn_end]);
        reader.read(&talk.ids(&["\n"]));
        talk.ask(&mut reader, &[" secret"]);
        talk.expect(&mut reader, &["The", " word", " is", " ZEBRA", ".", talk.turn_end]);
    }
}

#[test]
fn a_question_is_heard_over_a_hundred_tokens_and_a_marker_over_any() {
    for talk in TALKS.iter() {
        let mut reader = talk.model.reader();
        talk.ask(&mut reader, &[&[" France"][..], &[" and"; 120]].concat());
        talk.expect(&mut reader, &["The", " capital"]);
        let mut reader = talk.model.reader();
        talk.ask(&mut reader, &[&[" pirate"][..], &[" and"; 300]].concat());
        talk.expect(&mut reader, &["Arr"]);
    }
}

#[test]
fn without_its_turns_it_rambles() {
    for talk in TALKS.iter() {
        let mut reader = talk.model.reader();
        reader.read(&talk.ids(&["What", " is", " the", " capital", " of", " France", "?"]));
        talk.expect(&mut reader, &[" and", " so", " on", " and", " so"]);
    }
}
