//! Words for a refusal, and what a failed load's log says about it.

use wire::{Layer, Refusal, RefusalCode};

/// A refusal said at `layer`.
pub(crate) fn refuse(layer: Layer, code: RefusalCode, message: impl Into<String>) -> Refusal {
    Refusal { layer, code, message: message.into() }
}

/// The request makes no sense.
pub(crate) fn bad_request(layer: Layer, message: impl Into<String>) -> Refusal {
    refuse(layer, RefusalCode::BadRequest, message)
}

/// This engine cannot do what was asked.
pub(crate) fn unsupported(layer: Layer, message: impl Into<String>) -> Refusal {
    refuse(layer, RefusalCode::Unsupported, message)
}

/// Why a model could not be loaded, from the warnings and errors that were logged meanwhile, oldest first.
///
/// The texts are llama.cpp's own: `mmap failed: …` (llama-mmap.cpp), `unable to allocate … buffer`
/// (llama-model.cpp), and `std::bad_alloc` where an ordinary allocation failed.
pub(crate) fn load_refusal(problems: &[String]) -> Refusal {
    const KNOWN: [(&str, RefusalCode); 3] = [
        ("mmap failed", RefusalCode::MmapFailed),
        ("unable to allocate", RefusalCode::AllocationFailed),
        ("std::bad_alloc", RefusalCode::AllocationFailed),
    ];
    let known = KNOWN.iter().find_map(|&(text, code)| {
        problems.iter().find(|line| line.contains(text)).map(|line| (code, line.clone()))
    });
    let (code, message) = known.unwrap_or_else(|| (RefusalCode::LoadFailed, last_problem(problems)));
    refuse(Layer::Load, code, message)
}

/// Why a context could not be made, likewise.
pub(crate) fn context_refusal(problems: &[String]) -> Refusal {
    refuse(Layer::Load, RefusalCode::ContextFailed, last_problem(problems))
}

/// The error that says why: llama.cpp's closing lines, all of them `… failed to load model …`, only say that.
fn last_problem(problems: &[String]) -> String {
    problems
        .iter()
        .rev()
        .find(|line| !line.contains("failed to load model"))
        .or_else(|| problems.last())
        .cloned()
        .unwrap_or_else(|| "llama.cpp returned null and logged nothing".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], code: RefusalCode, message: &str) {
        let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        let refusal = load_refusal(&lines);
        assert_eq!((refusal.code, refusal.message.as_str()), (code, message), "{lines:?}");
    }

    #[test]
    fn a_failed_load_is_named_by_its_log() {
        let mmap = "llama_model_load: error loading model: mmap failed: Cannot allocate memory";
        let last = "llama_model_load_from_file_impl: failed to load model";
        check(&[mmap, last], RefusalCode::MmapFailed, mmap);
        let repack = "llama_model_load: error loading model: unable to allocate CPU_REPACK buffer";
        check(&[repack, last], RefusalCode::AllocationFailed, repack);
        let bad_alloc = "llama_model_load: error loading model: std::bad_alloc";
        check(&[bad_alloc, last], RefusalCode::AllocationFailed, bad_alloc);
        let magic = "gguf_init_from_file_impl: invalid magic characters: 'oops', expected 'GGUF'";
        let loader = "llama_model_load: error loading model: llama_model_loader: failed to load model from x";
        check(&[magic, loader, last], RefusalCode::LoadFailed, magic);
        check(&[last], RefusalCode::LoadFailed, last);
        check(&[], RefusalCode::LoadFailed, "llama.cpp returned null and logged nothing");
    }
}
