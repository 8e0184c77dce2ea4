//! `llama_chat_apply_template`.

use std::{ffi::CString, ptr};

use llama_cpp_sys_2 as sys;
use wire::{Layer, Refusal, RefusalCode};

use super::text::c_string;
use crate::{engine::BuiltinChat, refuse::refuse};

/// Applies a built-in template that looks like `template`. −1, "I do not know it", is a refusal: there is no
/// fallback to ChatML.
pub(super) fn apply(builtin: &BuiltinChat<'_>) -> Result<String, Refusal> {
    let template = c_string(Layer::Template, builtin.template)?;
    let strings: Vec<(CString, CString)> = builtin
        .messages
        .iter()
        .map(|m| Ok((c_string(Layer::Template, &m.role)?, c_string(Layer::Template, &m.content)?)))
        .collect::<Result<_, Refusal>>()?;
    let chat: Vec<sys::llama_chat_message> = strings
        .iter()
        .map(|(role, content)| sys::llama_chat_message { role: role.as_ptr(), content: content.as_ptr() })
        .collect();
    let call = |buffer: &mut [u8]| {
        let start = if buffer.is_empty() { ptr::null_mut() } else { buffer.as_mut_ptr().cast() };
        let length = i32::try_from(buffer.len()).unwrap_or(i32::MAX);
        // SAFETY: the strings outlive the call; at most `length` bytes are written to `start`.
        unsafe {
            let (template, chat, count) = (template.as_ptr(), chat.as_ptr(), chat.len());
            let open = builtin.add_generation_prompt;
            sys::llama_chat_apply_template(template, chat, count, open, start, length)
        }
    };
    let code = call(&mut []);
    let length = usize::try_from(code).map_err(|_| unsupported(code))?;
    let mut buffer = vec![0; length];
    call(&mut buffer);
    Ok(String::from_utf8_lossy(&buffer).into_owned())
}

/// The refusal for a negative return value.
fn unsupported(code: i32) -> Refusal {
    refuse(
        Layer::Template,
        RefusalCode::TemplateUnsupported,
        format!(
            "llama_chat_apply_template returned {code}: it does not know this template; use a Jinja engine"
        ),
    )
}
