//! A template can take no more than its share: every one of these is one clear error, none takes the process down.

mod support;

use prompt::{MAX_PROMPT_BYTES, TemplateError, render};
use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Map, json};
use wire::Message;

fn fails(template: &str) -> TemplateError {
    render(template, &support::input(&[], &Map::new())).expect_err(&template[..template.len().min(80)])
}

#[test]
fn endless_and_exploding_templates_end() {
    for template in [
        "{% for a in range(9999) %}{% for b in range(9999) %}{{ a }}{% endfor %}{% endfor %}",
        "{% for a in range(99999) %}{% for b in range(99999) %}{% set c = a %}{% endfor %}{% endfor %}",
        "{% set ns = namespace(x='ab') %}{% for a in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x }}",
        "{% set ns = namespace(x=['ab']) %}{% for a in range(99) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
        "{% set ns = namespace(x=['ab']) %}{% for a in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x | tojson }}",
        "{{ 'abcdefgh' * 90000000 }}",
        "{% for a in range(99) %}{{ 'abcdefgh' * 100000 }}{% endfor %}",
        "{{ '%999999999d' | format(1) }}",
        "{{ 'x'.join(range(99999999)) }}",
    ] {
        let error = fails(template);
        let clear = matches!(
            error,
            TemplateError::Endless { line: 1, .. }
                | TemplateError::TooLarge { .. }
                | TemplateError::Failed { line: 1, .. }
        );
        assert!(clear, "{template}: {error:?}");
    }
}

#[test]
fn deep_templates_are_refused() {
    let nested = |open: &str, middle: &str, close: &str, count: usize| {
        format!("{}{middle}{}", open.repeat(count), close.repeat(count))
    };
    for count in [200, 2_000, 20_000] {
        for template in [
            format!("{{{{ {} }}}}", nested("(", "1", ")", count)),
            format!("{{{{ {} }}}}", nested("[", "1", "]", count)),
            format!("{{{{ {} }}}}", nested("{'a':", "1", "}", count)),
            format!("{{{{ 1{} }}}}", "+1".repeat(count * 2)),
            format!("{{{{ a{} }}}}", ".a".repeat(count * 2)),
            format!("{{{{ a{} }}}}", "|trim".repeat(count * 2)),
            format!("{{{{ {}a }}}}", "not ".repeat(count * 2)),
            format!("{{{{ {}1 }}}}", "-".repeat(count * 2)),
            format!("{{{{ 1{} }}}}", " if 1 else 1".repeat(count * 2)),
            format!("{{{{ 1{} }}}}", " is defined".repeat(count * 2)),
            nested("{% if 1 %}", "x", "{% endif %}", count),
            nested("{% for a in [1] %}", "x", "{% endfor %}", count),
            format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}".repeat(count * 2)),
        ] {
            let error = fails(&template);
            let clear = matches!(error, TemplateError::TooComplex { .. } | TemplateError::Syntax { .. });
            assert!(clear, "{}: {error:?}", &template[..60]);
        }
    }
}

#[test]
fn deep_values_are_refused() {
    for template in [
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}",
        "{% set ns = namespace() %}{% set ns.x = {'a': [ns]} %}{{ ns | tojson }}",
        "{% set ns = namespace(x=[]) %}{% for a in range(9999) %}{%- set ns.x = [ns.x] -%}{% endfor %}{{ ns.x }}",
        "{% for x in [[1]] recursive %}{{ loop([[1]]) }}{% endfor %}",
    ] {
        assert!(matches!(fails(template), TemplateError::Failed { .. }), "{template}");
    }
}

#[test]
fn a_prompt_may_be_as_long_as_the_limit_says() {
    let template = "{% for message in messages %}{{ '<' + (message.content | trim) + '>' }}{% endfor %}";
    let messages = [Message::new("user", "x".repeat(MAX_PROMPT_BYTES - 2))];
    assert_eq!(
        render(template, &support::input(&messages, &Map::new())).map(|prompt| prompt.len()),
        Ok(MAX_PROMPT_BYTES)
    );
    let messages = [Message::new("user", "x".repeat(MAX_PROMPT_BYTES - 1))];
    let error = render(template, &support::input(&messages, &Map::new())).unwrap_err();
    assert!(matches!(error, TemplateError::TooLarge { limit: MAX_PROMPT_BYTES }), "{error:?}");
}

#[test]
fn errors_say_where_and_what_to_do() {
    for (template, expected) in [
        ("a\n{{ 1 + }}", "the template is no valid Jinja at line 2: "),
        (
            "a\n\n{{ raise_exception('no ' ~ 1) }}",
            "the template refuses these messages at line 3: no 1; send",
        ),
        (
            "{% macro f() %}\n{{ raise_exception('in') }}{% endmacro %}\n{{ f() }}",
            "refuses these messages at line 2: in;",
        ),
        ("a\n{{ missing.x }}", "the template failed at line 2: undefined value: "),
        ("{{ 1 | nothing }}", "line 1: unknown filter: filter nothing is unknown"),
        ("{% include 'x' %}", "line 1: template not found"),
    ] {
        let message = fails(template).to_string();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn what_the_harness_sets_cannot_be_hidden() {
    let variables = Map::from_iter([("messages".to_owned(), json!([]))]);
    let error = render("", &support::input(&[], &variables)).unwrap_err();
    assert_eq!(error, TemplateError::Reserved { name: "messages".into() });
    let variables = Map::from_iter([("bos_token".to_owned(), json!("<s>"))]);
    assert_eq!(render("{{ bos_token }}", &support::input(&[], &variables)).as_deref(), Ok("<s>"));
}

/// Pieces of templates, in any order.
const PIECES: [&str; 36] = [
    "{{",
    "}}",
    "{%",
    "%}",
    "{#",
    "#}",
    "-",
    "+",
    " ",
    "\n",
    "\r\n",
    "é",
    "'",
    "\"",
    "\\",
    "{",
    "}",
    "(",
    ")",
    "set ",
    "ns.x",
    "=",
    "if ",
    "elif ",
    "else",
    "endif",
    "for m in messages",
    "endfor",
    "raw",
    "endraw",
    "generation",
    "endgeneration",
    "m.content",
    "|",
    "tojson",
    "namespace()",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_template_is_a_prompt_or_an_error(pieces in vec(select(&PIECES[..]), 0..40)) {
        let messages = [Message::new("user", "Hi")];
        let _ = prompt::render_segments(&pieces.concat(), &support::input(&messages, &Map::new()));
    }
}
