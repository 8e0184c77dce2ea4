//! The answer stream against recipes from the field, and against a plain function over the whole text.

use prompt::{Answer, AnswerStream};
use proptest::prelude::*;
use wire::ThinkingTags;

fn gemma4() -> ThinkingTags {
    ThinkingTags { open: "<|channel>thought".into(), close: "<channel|>".into() }
}

fn think() -> ThinkingTags {
    ThinkingTags { open: "<think>".into(), close: "</think>".into() }
}

fn run(mut stream: AnswerStream, pieces: &[&[u8]]) -> Answer {
    let mut chunks = Vec::new();
    let mut stopped = None;
    for piece in pieces {
        let step = stream.push(piece);
        chunks.push(step.chunk);
        stopped = stopped.or(step.stopped);
    }
    let answer = stream.finish();
    // What was streamed is final, and nothing is an empty chunk.
    assert!(answer.answer.starts_with(&chunks.concat()));
    assert_eq!(answer.chunks.concat(), answer.answer);
    assert!(answer.chunks.iter().all(|chunk| !chunk.is_empty()));
    assert!(stopped.is_none() || stopped == answer.stopped);
    answer
}

/// The stream in two pieces, cut everywhere; all outcomes must be `expected`.
fn everywhere(
    bytes: &[u8],
    stops: &[&str],
    tags: Option<&ThinkingTags>,
    expected: (&str, Option<&str>, Option<&str>),
) {
    let stops: Vec<String> = stops.iter().map(ToString::to_string).collect();
    for cut in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(cut);
        let answer = run(AnswerStream::new(&stops, tags), &[head, tail]);
        let outcome = (answer.answer.as_str(), answer.thinking.as_deref(), answer.stopped.as_deref());
        assert_eq!(
            outcome,
            expected,
            "{:?} + {:?}",
            String::from_utf8_lossy(head),
            String::from_utf8_lossy(tail)
        );
    }
}

#[test]
fn stop_strings_are_found_across_pieces() {
    // https://github.com/ggml-org/llama.cpp/pull/10997
    let stops = ["<|im_end|>".to_owned()];
    let pieces: [&[u8]; 6] = [b"Hel", b"lo <", b"|im", b"_end", b"|>", b" junk"];
    let answer = run(AnswerStream::new(&stops, None), &pieces);
    assert_eq!((answer.answer.as_str(), answer.stopped.as_deref()), ("Hello ", Some("<|im_end|>")));
    assert_eq!(answer.chunks, ["Hel", "lo "]);
    assert_eq!(run(AnswerStream::new(&stops, None), &[b"a <", b"b"]).chunks, ["a ", "<b"]);

    everywhere(b"Hello <|im_end|> junk", &["<|im_end|>"], None, ("Hello ", None, Some("<|im_end|>")));
    everywhere(b"a <|im_<|im_end|>", &["<|im_end|>"], None, ("a <|im_", None, Some("<|im_end|>")));
    everywhere(b"a <|im_en", &["<|im_end|>"], None, ("a <|im_en", None, None));
    everywhere(b"aab", &["aab", "ab"], None, ("", None, Some("aab")));
    everywhere(b"xaby", &["xaby", "ab"], None, ("x", None, Some("ab")));
    everywhere("né\u{20ac}t".as_bytes(), &["\u{20ac}"], None, ("né", None, Some("\u{20ac}")));
    everywhere(b"all", &["", "z"], None, ("all", None, None));
}

#[test]
fn characters_are_put_together() {
    // https://github.com/mybigday/llama.rn/commit/a8eeb1c2
    let answer = run(AnswerStream::new(&[], None), &[b"\xf0\x9f", b"\x98", b"\x8a", b"!"]);
    assert_eq!(answer.chunks, ["😊", "!"]);
    let answer = run(AnswerStream::new(&[], None), &[b"a", b"\xe2\x82"]);
    assert_eq!(answer.chunks, ["a", "\u{fffd}"]);
    everywhere(
        b"a\xff\xe2\x82b\xf0\x9f\x98\x8a\xe2",
        &[],
        None,
        ("a\u{fffd}\u{fffd}b😊\u{fffd}", None, None),
    );
}

#[test]
fn thought_and_answer_are_told_apart() {
    let (gemma4, think) = (Some(gemma4()), Some(think()));
    let gemma4 = gemma4.as_ref();
    let think = think.as_ref();
    for (text, tags, answer, thinking) in [
        // https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2013
        ("<|channel>thought\nplan<channel|>Paris", gemma4, "Paris", Some("plan")),
        ("<|channel>thought\nplan<channel|>Paris", think, "<|channel>thought\nplan<channel|>Paris", None),
        // https://github.com/ggml-org/llama.cpp/pull/21697
        ("<|channel>thought<channel|>Paris", gemma4, "Paris", Some("")),
        ("<|channel>thought\n<channel|>Paris", gemma4, "Paris", Some("")),
        ("<think>\n\n</think>\n\nParis\n", think, "Paris\n", Some("")),
        (" \n<think>\nplan\n</think>\n\nParis", think, "Paris", Some("plan")),
        // The budget ends inside the thought.
        ("<think>\nplan", think, "", Some("plan")),
        ("<think>\nplan</thi", think, "", Some("plan</thi")),
        ("<think>", think, "", Some("")),
        ("<thi", think, "<thi", None),
        // Nothing was thought.
        ("\n Paris", think, "\n Paris", None),
        (" \n", think, " \n", None),
        ("", think, "", None),
        // Another thought after the answer, and a tag out of place.
        ("<think>a</think>Paris<think>b</think>\n", think, "Paris\n", Some("a\nb")),
        ("Paris<|channel>thought\n<channel|>", gemma4, "Paris", Some("")),
        ("<think>a</think> <think>b</think> Paris", think, "Paris", Some("a\nb")),
        ("plan</think>Paris", think, "plan</think>Paris", None),
        ("<think>a<think>b</think>Paris", think, "Paris", Some("a<think>b")),
    ] {
        everywhere(text.as_bytes(), &[], tags, (answer, thinking, None));
    }
}

#[test]
fn stop_strings_are_searched_in_the_answer_alone() {
    let tags = Some(think());
    everywhere(
        b"<think>a stop</think>b stop c",
        &["stop"],
        tags.as_ref(),
        ("b ", Some("a stop"), Some("stop")),
    );
    everywhere(b"a<think>b</think>", &["<"], tags.as_ref(), ("a", Some("b"), None));
    everywhere(b"a<thing", &["<"], tags.as_ref(), ("a", None, Some("<")));
    everywhere(b"a<thi", &["<"], tags.as_ref(), ("a", None, Some("<")));
    everywhere(b"ab<think>c</think>", &["b"], tags.as_ref(), ("a", None, Some("b")));
}

#[test]
fn a_prompt_may_have_opened_the_thought() {
    let stream = || AnswerStream::after_prompt("<|im_start|>assistant\n<think>\n", &[], Some(&think()));
    let answer = run(stream(), &[b"plan</thi", b"nk>\n\nParis"]);
    assert_eq!((answer.answer.as_str(), answer.thinking.as_deref()), ("Paris", Some("plan")));
    let answer = run(stream(), &[b"plan"]);
    assert_eq!((answer.answer.as_str(), answer.thinking.as_deref()), ("", Some("plan")));
    assert_eq!(run(stream(), &[]).thinking.as_deref(), Some(""));
    let closed = AnswerStream::after_prompt("<think>\n\n</think>\n\n", &[], Some(&think()));
    assert_eq!(run(closed, &[b"Paris"]).thinking, None);
}

#[test]
fn pieces_of_the_thought_are_counted() {
    let tags = gemma4();
    let pieces = ["<|channel>", "thought", "\n", "plan", "<channel|>", "Pa", "ris <", "b"];
    let mut stream = AnswerStream::new(&[], Some(&tags));
    let steps: Vec<bool> = pieces.iter().map(|piece| stream.push(piece.as_bytes()).in_thought).collect();
    // "ris <" may have begun a tag.
    assert_eq!(steps, [true, true, true, true, true, false, true, false]);
    assert_eq!(stream.finish().thought_pieces, 5);
}

/// What a stream must give, from all of its bytes at once.
fn reference(
    bytes: &[u8],
    stops: &[String],
    tags: Option<&ThinkingTags>,
    opened: bool,
) -> (String, Option<String>, Option<String>) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    // Answer, thought, answer, thought …
    let mut stretches = vec![String::new()];
    let mut rest = text.as_str();
    if let Some(tags) = tags {
        if opened {
            stretches.push(String::new());
        }
        loop {
            let tag = if stretches.len() % 2 == 1 { &tags.open } else { &tags.close };
            let Some((before, after)) = rest.split_once(tag.as_str()) else { break };
            stretches.last_mut().unwrap().push_str(before);
            stretches.push(String::new());
            rest = after;
        }
    }
    stretches.last_mut().unwrap().push_str(rest);
    let (mut answer, mut thoughts) = (String::new(), None);
    for (index, stretch) in stretches.iter().enumerate() {
        if index % 2 == 1 {
            let thoughts = thoughts.get_or_insert_with(Vec::new);
            thoughts.push(stretch.trim());
            thoughts.retain(|thought| !thought.is_empty());
            continue;
        }
        let droppable = stretches.len() > 1 && answer.is_empty() && (index > 0 || stretch.trim().is_empty());
        answer.push_str(if droppable { stretch.trim_start() } else { stretch });
        let found = stops
            .iter()
            .filter_map(|stop| Some((answer.find(stop.as_str())? + stop.len(), stop)))
            .min_by_key(|(end, stop)| (*end, usize::MAX - stop.len()));
        if let Some((end, stop)) = found {
            answer.truncate(end - stop.len());
            return (answer, thoughts.map(|thoughts| thoughts.join("\n")), Some(stop.clone()));
        }
    }
    (answer, thoughts.map(|thoughts| thoughts.join("\n")), None)
}

/// How many of `pieces` end in a thought, found in the bytes themselves: the tags are ASCII.
fn reference_count(pieces: &[&[u8]], tags: &ThinkingTags, opened: bool) -> u32 {
    let bytes = pieces.concat();
    let mut in_thought = vec![false; bytes.len()];
    let (mut inside, mut at) = (opened, 0);
    while at < bytes.len() {
        let tag = if inside { &tags.close } else { &tags.open };
        let length = if bytes[at..].starts_with(tag.as_bytes()) { tag.len() } else { 1 };
        in_thought[at..at + length].fill(inside || length > 1);
        inside ^= length > 1;
        at += length;
    }
    let mut end = 0;
    let mut count = 0;
    for piece in pieces {
        end += piece.len();
        count += u32::from(if end == 0 { opened } else { in_thought[end - 1] });
    }
    count
}

/// Bytes that are full of beginnings of tags and stop strings, of broken characters, of whitespace.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop_oneof![
        Just(b"<t>".to_vec()),
        Just(b"</t>".to_vec()),
        Just(b"<".to_vec()),
        Just(b"</t".to_vec()),
        Just(b"ab".to_vec()),
        Just(b" \n".to_vec()),
        Just("é😊".as_bytes().to_vec()),
        proptest::collection::vec(
            prop_oneof![Just(b'a'), Just(b'b'), Just(b'<'), Just(b't'), Just(b'>'), any::<u8>()],
            0..4
        ),
    ];
    proptest::collection::vec(fragment, 0..12).prop_map(|fragments| fragments.concat())
}

fn split<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut at: Vec<usize> =
        cuts.iter().map(|cut| cut.index(bytes.len() + 1)).chain([0, bytes.len()]).collect();
    at.sort_unstable();
    at.windows(2).map(|ends| &bytes[ends[0]..ends[1]]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_of_any_stream_gives_the_same(
        bytes in bytes(),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..12),
        stops in proptest::collection::vec(prop_oneof![Just("ab"), Just("b<"), Just("aab"), Just("é"), Just("<t"), Just("\u{fffd}"), Just("b")], 0..3),
        thinking in any::<bool>(),
        opened in any::<bool>(),
    ) {
        let stops: Vec<String> = stops.into_iter().map(str::to_owned).collect();
        let tags = ThinkingTags { open: "<t>".into(), close: "</t>".into() };
        let stream = |tags| match (tags, opened) {
            (Some(tags), true) => AnswerStream::in_thought(&stops, tags),
            (tags, _) => AnswerStream::new(&stops, tags),
        };
        let tags = thinking.then_some(&tags);
        let pieces = split(&bytes, &cuts);
        let answer = run(stream(tags), &pieces);
        if let (Some(tags), None) = (tags, &answer.stopped) {
            prop_assert_eq!(answer.thought_pieces, reference_count(&pieces, tags, opened));
        }
        prop_assert_eq!(
            (answer.answer, answer.thinking, answer.stopped),
            reference(&bytes, &stops, tags, opened)
        );
    }
}
