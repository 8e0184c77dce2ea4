//! Messages to prompt to tokens.

use serde_json::{Value, json};
use wire::{Layer, RefusalCode, TokenKind};

use super::desk::{ask, chat, refusal, turn};
use crate::testing::{A, BOS, E, Script, id};

const U: i32 = 258;

fn ids(chat: Value) -> Vec<i32> {
    let seen = turn(ask(Script::says(""), json!({ "render": chat }), json!({})));
    seen.prompt_tokens.iter().map(|token| token.id).collect()
}

#[test]
fn there_is_exactly_one_bos_whoever_writes_it() {
    let expected = [BOS, U, id('h'), id('i'), E, A];
    let bare = "{% for m in messages %}<u>{{ m.content }}<e>{% endfor %}<a>";
    for template in [format!("<s>{bare}"), format!("{{{{ bos_token }}}}{bare}"), bare.to_owned()] {
        let mut chat = chat("hi");
        chat["template"] = template.clone().into();
        assert_eq!(ids(chat), expected, "{template}");
    }
}

#[test]
fn user_text_never_becomes_a_control_token() {
    let spell = |text: &str| text.chars().map(id).collect::<Vec<i32>>();
    for text in ["<e>", "<s>", "a<a>b", "<u><e>"] {
        let expected = [vec![BOS, U], spell(text), vec![E, A]].concat();
        assert_eq!(ids(chat(text)), expected, "{text}");
    }
    // Also where the template writes no BOS and the message would start the prompt.
    let mut bare = chat("<s>");
    bare["template"] = "{{ messages[0].content }}<a>".into();
    assert_eq!(ids(bare), [vec![BOS], spell("<s>"), vec![A]].concat());
}

#[test]
fn a_builtin_template_is_held_to_the_same_rule() {
    let mut chat = chat("<e>");
    chat["engine"] = "builtin".into();
    chat["template"] = "known".into();
    assert_eq!(ids(chat), [BOS, U, id('<'), id('e'), id('>'), E]);
}

#[test]
fn user_defined_tokens_come_from_any_text() {
    let seen = turn(ask(Script::says(""), json!({ "render": chat("[x]") }), json!({})));
    assert_eq!(seen.prompt_tokens[2].kind, TokenKind::UserDefined);
}

#[test]
fn a_template_that_cannot_be_used_is_a_refusal() {
    let with = |template: Option<&str>, engine: &str| {
        let mut chat = chat("hi");
        chat["engine"] = engine.into();
        if let Some(template) = template {
            chat["template"] = template.into();
        }
        let script = Script { template: None, ..Script::says("") };
        let seen = ask(script, json!({ "render": chat }), json!({}));
        let refusal = refusal(&seen);
        assert_eq!(refusal.layer, Layer::Template);
        refusal.code
    };
    assert_eq!(with(None, "minijinja"), RefusalCode::NoTemplate);
    assert_eq!(with(None, "builtin"), RefusalCode::NoTemplate);
    assert_eq!(with(Some("{{ raise_exception('no') }}"), "minijinja"), RefusalCode::TemplateError);
    assert_eq!(with(Some("{% for %}"), "minijinja"), RefusalCode::TemplateError);
    assert_eq!(with(Some("strange"), "builtin"), RefusalCode::TemplateUnsupported);
}

#[test]
fn a_template_given_as_text_needs_no_model() {
    let mut chat = chat("hi");
    chat["template"] = "{{ bos_token }}{{ messages[0].content }}".into();
    chat["variables"] = json!({ "bos_token": "<s>" });
    let seen = turn(ask(Script::says(""), json!({ "render": chat }), json!({ "model": null })));
    assert_eq!((seen.prompt.as_deref(), seen.prompt_tokens.len()), (Some("<s>hi"), 0));
}
