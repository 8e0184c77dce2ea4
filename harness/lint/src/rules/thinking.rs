//! Thoughts: are they closed, are they on, and can they be switched?

use serde_json::Value;
use wire::Message;

use crate::preset::{ANSWER, Preset, USER, answer, user};
use crate::shapes::THOUGHTS;
use crate::{Finding, LintCode};

/// Names under which families switch thinking, with the values for on and off.
const SWITCHES: &[(&str, Setting, Setting)] = &[
    ("enable_thinking", Setting::Bool(true), Setting::Bool(false)),
    ("thinking", Setting::Bool(true), Setting::Bool(false)),
    ("enable_reasoning", Setting::Bool(true), Setting::Bool(false)),
    ("thinking_budget", Setting::Number(512), Setting::Number(0)),
    ("reasoning_effort", Setting::Text("high"), Setting::Text("low")),
    ("reasoning_mode", Setting::Text("/think"), Setting::Text("/no_think")),
];

/// A value that a template can compare with.
#[derive(Clone, Copy, Debug)]
enum Setting {
    Bool(bool),
    Number(u32),
    Text(&'static str),
}

impl From<Setting> for Value {
    fn from(setting: Setting) -> Self {
        match setting {
            Setting::Bool(on) => on.into(),
            Setting::Number(number) => number.into(),
            Setting::Text(text) => text.into(),
        }
    }
}

/// Looks for open thoughts in the history, and for the switch.
pub(super) fn judge(preset: &Preset<'_>, findings: &mut Vec<Finding>) {
    balance(preset, findings);
    let switched: Vec<_> = SWITCHES.iter().filter_map(|switch| try_switch(preset, *switch)).collect();
    for (name, state) in &switched {
        let (code, state) = match state {
            State::On => (LintCode::ThinkingByDefault, "where nobody sets it, thinking is on"),
            State::Off => (LintCode::ThinkingSwitch, "where nobody sets it, thinking is off"),
            State::Between => {
                (LintCode::ThinkingSwitch, "where nobody sets it, it is neither of the values tried")
            }
        };
        findings.push(Finding::new(code, format!("the variable {name} switches; {state}")));
    }
    let known = THOUGHTS
        .iter()
        .find(|(open, close)| preset.template.contains(open) || preset.template.contains(close));
    if let (true, Some((open, close))) = (switched.is_empty(), known) {
        let opened = preset.prompt(&[user()], true, &[]).is_ok_and(|prompt| opened(&prompt).is_some());
        let state = if opened { "every prompt opens a thought" } else { "no variable changes the prompt" };
        let message = format!("the template writes or takes off {open} and {close}, and {state}");
        findings.push(Finding::new(LintCode::ThinkingNoSwitch, message));
    }
}

/// What a template does where its switch is not set.
enum State {
    On,
    Off,
    Between,
}

fn try_switch<'a>(
    preset: &Preset<'_>,
    (name, on, off): (&'a str, Setting, Setting),
) -> Option<(&'a str, State)> {
    if !preset.template.contains(name) {
        return None;
    }
    let with = |value: Setting| preset.prompt(&[user()], true, &[(name, value.into())]).ok();
    let (on, off) = (with(on)?, with(off)?);
    if on == off {
        return None;
    }
    let unsaid = preset.prompt(&[user()], true, &[]).ok()?;
    let state = match () {
        () if unsaid == on => State::On,
        () if unsaid == off => State::Off,
        () => State::Between,
    };
    Some((name, state))
}

/// A history with thoughts in it, and one without, leave no thought open. More ends than beginnings are no fault: GLM and
/// DeepSeek begin an answer without a thought with the end of one.
fn balance(preset: &Preset<'_>, findings: &mut Vec<Finding>) {
    let own = THOUGHTS.iter().filter(|(open, close)| {
        preset.template.contains(open) || preset.template.contains(close) || *open == "<think>"
    });
    let said = |text: String| Message::new("assistant", text);
    let thoughts = own.map(|(open, close)| said(format!("{open}\nTHOUGHT-7\n{close}\n\n{ANSWER}")));
    for said in thoughts.chain([answer()]) {
        let Ok(prompt) = preset.prompt(&[user(), said, user()], false, &[]) else { continue };
        if let Some((open, close)) = opened(&prompt) {
            let message = format!("a history with an answer opens {open} more often than it has {close}");
            findings.push(Finding::new(LintCode::ThinkingUnbalanced, message));
            return;
        }
    }
    let with = |on: bool| preset.prompt(&[user()], true, &[("enable_thinking", on.into())]);
    let (Ok(on), Ok(off)) = (with(true), with(false)) else { return };
    let after = off.rsplit_once(USER).map_or("", |(_, after)| after);
    if let Some((open, close)) = opened(after).filter(|_| on != off) {
        let message = format!("with enable_thinking false the prompt ends with {open} and no {close}");
        findings.push(Finding::new(LintCode::ThinkingUnbalanced, message));
    }
}

/// The first pair of tags of which a text has more beginnings than ends.
fn opened(text: &str) -> Option<(&'static str, &'static str)> {
    THOUGHTS.iter().copied().find(|(open, close)| text.matches(open).count() > text.matches(close).count())
}
