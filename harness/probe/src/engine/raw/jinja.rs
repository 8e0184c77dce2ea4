//! llama.cpp's own Jinja engine, `common/jinja`, as llama-server uses it: by way of `shims/jinja.cpp`, since the API is
//! C++. It needs no model.

use std::{
    ffi::{CStr, c_char},
    ptr,
};

use prompt::FROZEN_NOW_SECONDS;
use serde_json::json;
use wire::{Layer, Refusal, RefusalCode};

use super::text::c_string;
use crate::{
    engine::JinjaChat,
    refuse::{bad_request, refuse, unsupported},
};

/// `probe_jinja_chat`, whose fields the shim explains.
#[repr(C)]
struct Chat {
    source: *const c_char,
    bos: *const c_char,
    eos: *const c_char,
    messages: *const c_char,
    tools: *const c_char,
    variables: *const c_char,
    now: i64,
    add_generation_prompt: bool,
    thinking: i8,
}

unsafe extern "C" {
    fn probe_jinja_apply(chat: *const Chat, out: *mut *mut c_char) -> i32;
    fn probe_jinja_free(text: *mut c_char);
}

/// Applies a template. llama.cpp shows templates today's date as `date_string` and `datetime`; here it is the frozen one.
pub(crate) fn apply(chat: &JinjaChat<'_>) -> Result<String, Refusal> {
    if chat.template.is_empty() {
        return Err(unsupported(Layer::Template, "llama.cpp takes an empty template for none at all"));
    }
    let string = |text: &str| c_string(Layer::Template, text);
    let mut variables = chat.variables.clone();
    let tools = variables.shift_remove("tools").filter(|tools| !tools.is_null());
    let thinking = variables.get("enable_thinking").and_then(serde_json::Value::as_bool);
    for (name, value) in [("date_string", "26 Jul 2024"), ("datetime", "Jul 26 2024")] {
        variables.entry(name).or_insert_with(|| json!(value));
    }
    let messages = serde_json::to_string(chat.messages).map_err(|error| unsendable(&error))?;
    let variables = serde_json::to_string(&variables).map_err(|error| unsendable(&error))?;
    let tools = tools.map(|tools| string(&tools.to_string())).transpose()?;
    let (source, bos, eos) = (string(chat.template)?, string(chat.bos_token)?, string(chat.eos_token)?);
    let (messages, variables) = (string(&messages)?, string(&variables)?);
    call(&Chat {
        source: source.as_ptr(),
        bos: bos.as_ptr(),
        eos: eos.as_ptr(),
        messages: messages.as_ptr(),
        tools: tools.as_ref().map_or(ptr::null(), |tools| tools.as_ptr()),
        variables: variables.as_ptr(),
        now: FROZEN_NOW_SECONDS,
        add_generation_prompt: chat.add_generation_prompt,
        thinking: thinking.map_or(-1, i8::from),
    })
}

fn unsendable(error: &serde_json::Error) -> Refusal {
    bad_request(Layer::Template, format!("the conversation is no JSON: {error}"))
}

fn call(chat: &Chat) -> Result<String, Refusal> {
    let mut text = ptr::null_mut();
    // SAFETY: all strings outlive the call, which throws nothing and writes a string of its own, or null, to `text`.
    let code = unsafe { probe_jinja_apply(chat, &raw mut text) };
    let said = take(text).unwrap_or_else(|| "it threw something without words".to_owned());
    let failed = |what: &str| refuse(Layer::Template, RefusalCode::TemplateError, format!("{what}: {said}"));
    match code {
        0 => Ok(said),
        1 => Err(failed("the template is no valid Jinja")),
        2 => Err(failed("the template refuses these messages")),
        4 => Err(refuse(
            Layer::Template,
            RefusalCode::AllocationFailed,
            "llama.cpp's Jinja engine ran out of memory",
        )),
        5 => Err(bad_request(Layer::Template, format!("llama.cpp does not take these messages: {said}"))),
        _ => Err(failed("the template failed")),
    }
}

/// Takes over a string of the shim's.
fn take(text: *mut c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the shim's string, ended by a zero; it is freed once, and not used after.
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        probe_jinja_free(text);
        Some(owned)
    }
}
