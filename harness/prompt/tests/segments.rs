//! Message text and template text, told apart.

mod support;

use prompt::{Origin, Rendered, render, render_segments};
use proptest::prelude::*;
use serde_json::Map;
use wire::Message;

const TEMPLATES: [&str; 5] = [
    // Plain, trimmed, in one expression, with text of every kind around it.
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}</>{% endfor %}",
    "{% for m in messages %}<{{ m.role }}>\n {{ m.content | trim }} \n</>\n{% endfor %}",
    "{% for m in messages %}{{ '<' + m.role + '>\\n' + m.content.strip() + '\\n</>' }}{% endfor %}",
    "{% for m in messages %}{% if m.content %}{{ m.content.rstrip() }}{% else %}empty{% endif %}|{% endfor %}",
    "{{ '\u{e000}' }}{% for m in messages %}{{ m.content.lstrip('\\n') }}\u{2000}{% endfor %}",
];

fn rendered(template: &str, contents: &[&str]) -> Rendered {
    let messages: Vec<Message> = contents.iter().map(|content| Message::new("user", *content)).collect();
    render_segments(template, &support::input(&messages, &Map::new())).unwrap()
}

fn parts(template: &str, contents: &[&str]) -> Option<Vec<(Origin, String)>> {
    let segments = rendered(template, contents).segments?;
    Some(segments.into_iter().map(|segment| (segment.origin, segment.text)).collect())
}

#[test]
fn whitespace_belongs_to_who_wrote_it() {
    use Origin::{Message, Template};
    let plain = "a {{ messages[0].content }} b";
    let trimmed = "a\n{{ messages[0].content | trim }}\nb";
    let partly = "a\n{{ messages[0].content.lstrip('\\n') }}\nb";
    for (template, content, expected) in [
        (plain, "x", vec![(Template, "a "), (Message, "x"), (Template, " b")]),
        (plain, "\n x ", vec![(Template, "a "), (Message, "\n x "), (Template, " b")]),
        (plain, " \n", vec![(Template, "a "), (Message, " \n"), (Template, " b")]),
        (plain, "", vec![(Template, "a  b")]),
        (trimmed, "\n x \n", vec![(Template, "a\n"), (Message, "x"), (Template, "\nb")]),
        (trimmed, " ", vec![(Template, "a\n\nb")]),
        (partly, "\n x", vec![(Template, "a\n "), (Message, "x"), (Template, "\nb")]),
    ] {
        let expected = expected.into_iter().map(|(origin, text)| (origin, text.to_owned())).collect();
        assert_eq!(parts(template, &[content]), Some(expected), "{template} {content:?}");
    }
}

#[test]
fn doubt_is_said() {
    for template in [
        "{{ messages[0].content | upper }}",
        "{{ messages[0].content[:2] }}",
        "{{ messages[0].content | length }}",
        "{{ messages[0].content.split('b')[0] }}",
        "{{ messages[0].content | replace(' ', '_') }}",
        "{% if messages[0].content.startswith('a') %}{{ messages[0].content }}{% endif %}",
        "{{ messages[0].content | reverse }}",
        "{% for line in messages[0].content.split(' ') %}> {{ line }}{% endfor %}",
    ] {
        let Rendered { prompt, segments } = rendered(template, &["a bc"]);
        assert!(segments.is_none(), "{template}: {prompt:?} {segments:?}");
    }
}

#[test]
fn the_user_is_known_where_the_assistant_is_not() {
    let template = "{% for m in messages %}<{{ m.content.split('</think>')[-1] if m.role == 'assistant' else m.content }}>{% endfor %}";
    let messages = [
        Message::new("user", "a"),
        Message::new("assistant", "<think>b</think>c"),
        Message::new("user", "d"),
    ];
    let segments =
        render_segments(template, &support::input(&messages, &Map::new())).unwrap().segments.unwrap();
    let texts: Vec<&str> = segments.iter().map(|segment| segment.text.as_str()).collect();
    assert_eq!(texts, ["<", "a", "><c><", "d", ">"]);
}

fn content() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("<|im_end|>".to_owned()),
        Just("\u{e000}\u{e001}".to_owned()),
        Just("\u{2000}\u{2001}\u{2002}".to_owned()),
        "[a-z<>|é€😊]{0,4}",
    ];
    (
        prop_oneof![Just(""), Just(" "), Just("\n \u{3000}")],
        proptest::collection::vec(word, 0..4),
        "[ \n]{0,2}",
    )
        .prop_map(|(lead, words, tail)| format!("{lead}{}{tail}", words.join(" ")))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parts_make_the_prompt(template in 0..TEMPLATES.len(), contents in proptest::collection::vec(content(), 0..4)) {
        let messages: Vec<Message> = contents.iter().map(|content| Message::new("user", content.clone())).collect();
        let variables = Map::new();
        let input = support::input(&messages, &variables);
        let Rendered { prompt, segments } = render_segments(TEMPLATES[template], &input).unwrap();
        prop_assert_eq!(&prompt, &render(TEMPLATES[template], &input).unwrap());
        // These templates change nothing, so the parts are always known.
        let segments = segments.expect("segments");
        let joined: String = segments.iter().map(|segment| segment.text.as_str()).collect();
        prop_assert_eq!(joined, prompt);
        let cores = |texts: Vec<&str>| -> Vec<String> {
            texts.iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
        };
        let marked = segments.iter().filter(|s| s.origin == Origin::Message).map(|s| s.text.as_str()).collect();
        prop_assert_eq!(cores(marked), cores(contents.iter().map(String::as_str).collect()));
        prop_assert!(segments.iter().all(|segment| !segment.text.is_empty()));
    }
}
