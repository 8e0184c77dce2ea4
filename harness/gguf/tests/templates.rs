//! Each fixture's chat template writes its family's format, byte for byte.

use gguf::{GgufFile, fixtures};
use prompt::{RenderInput, render};
use serde_json::{Map, Value, json};
use wire::Message;

fn template(fixture: &str) -> Option<String> {
    let file = GgufFile::from_bytes(&fixtures::by_name(fixture).unwrap().bytes()).unwrap();
    file.chat_template().map(str::to_owned)
}

/// Renders a conversation of (role, content) with these variables.
fn rendered(template: &str, turns: &[(&str, &str)], open: bool, variables: &Value) -> Result<String, String> {
    let messages: Vec<Message> = turns.iter().map(|(role, content)| Message::new(*role, *content)).collect();
    let none = Map::new();
    let input = RenderInput {
        messages: &messages,
        add_generation_prompt: open,
        bos_token: "<bos>",
        eos_token: "",
        variables: variables.as_object().unwrap_or(&none),
    };
    render(template, &input).map_err(|error| error.to_string())
}

#[track_caller]
fn check(template: &str, turns: &[(&str, &str)], open: bool, variables: &Value, expected: &str) {
    assert_eq!(rendered(template, turns, open, variables).as_deref(), Ok(expected));
}

#[test]
fn chatml() {
    let template = template("compiled-chatml").unwrap();
    let talk = |turns: &[(&str, &str)], open, variables: Value, expected: &str| {
        check(&template, turns, open, &variables, expected);
    };
    let hi = &[("user", "Hi ")][..];
    let user = "<|im_start|>user\nHi <|im_end|>\n";
    talk(hi, false, Value::Null, user);
    talk(hi, true, Value::Null, &format!("{user}<|im_start|>assistant\n"));
    talk(hi, true, json!({"enable_thinking": true}), &format!("{user}<|im_start|>assistant\n"));
    talk(hi, true, json!({"enableThinking": false}), &format!("{user}<|im_start|>assistant\n"));
    talk(
        hi,
        true,
        json!({"enable_thinking": false}),
        &format!("{user}<|im_start|>assistant\n<think>\n\n</think>\n\n"),
    );
    talk(
        &[
            ("system", "Be short."),
            ("user", "Hi"),
            ("assistant", "<think>\nHm\n</think>\n\nHello."),
            ("user", "Go"),
        ],
        false,
        Value::Null,
        "<|im_start|>system\nBe short.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n\
         <|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nGo<|im_end|>\n",
    );
}

#[test]
fn gemma() {
    for fixture in ["compiled-gemma", "compiled-gemma-long-template"] {
        let template = template(fixture).unwrap();
        let talk = |turns: &[(&str, &str)], open, variables: Value, expected: &str| {
            check(&template, turns, open, &variables, expected);
        };
        let hi = &[("user", " Hi ")][..];
        let user = "<bos><start_of_turn>user\nHi<end_of_turn>\n";
        talk(hi, false, Value::Null, user);
        talk(hi, true, Value::Null, &format!("{user}<start_of_turn>model\n"));
        talk(hi, true, json!({"enable_thinking": false}), &format!("{user}<start_of_turn>model\n"));
        talk(
            hi,
            true,
            json!({"enable_thinking": true}),
            "<bos><start_of_turn>user\n<|think|>Hi<end_of_turn>\n<start_of_turn>model\n",
        );
        talk(
            &[
                ("system", "Be short."),
                ("user", "Hi"),
                ("assistant", "<|channel>thought\nHm<channel|>Hello."),
            ],
            false,
            json!({"enable_thinking": true}),
            "<bos><start_of_turn>user\n<|think|>Be short.\n\nHi<end_of_turn>\n\
             <start_of_turn>model\nHello.<end_of_turn>\n",
        );
        let twice = rendered(&template, &[("user", "Hi"), ("user", "Hi")], true, &Value::Null);
        assert!(twice.unwrap_err().contains("turns must alternate"));
    }
}

#[test]
fn the_odd_ones() {
    assert_eq!(template("compiled-gemma-no-template"), None);
    assert!(template("compiled-gemma-long-template").unwrap().len() > 20_000);
}
