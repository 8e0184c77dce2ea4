//! Whether devicectl did it.

use serde_json::Value;

use crate::trouble::{Trouble, TroubleKind};

/// The trouble that an answer of devicectl speaks of; `None` where it was done. `what` says what was tried.
pub fn refused(what: &str, answer: &Value) -> Option<Trouble> {
    let error = answer.get("error")?;
    let mut words = Vec::new();
    collect(error, &mut words);
    let code = error.get("code").and_then(Value::as_i64);
    let mut trouble = Trouble::of_words(what, &words.join(": "));
    // CoreDeviceError 7000 is a file that is not there, whatever its words are in this version.
    if code == Some(7000) && trouble.kind == TroubleKind::Down {
        trouble.message.push_str(" (the file is not there)");
    }
    Some(trouble)
}

/// Every description in an error and in what caused it, outermost first.
fn collect(error: &Value, words: &mut Vec<String>) {
    for key in ["NSLocalizedDescription", "NSLocalizedFailureReason"] {
        let said = error.pointer(&format!("/userInfo/{key}"));
        let said = said.and_then(|said| said.get("string").or(Some(said))).and_then(Value::as_str);
        words.extend(said.map(str::to_owned));
    }
    for path in ["/userInfo/NSUnderlyingError/error", "/userInfo/NSUnderlyingError"] {
        if let Some(cause) = error.pointer(path).filter(|cause| cause.get("userInfo").is_some()) {
            collect(cause, words);
            return;
        }
    }
}
