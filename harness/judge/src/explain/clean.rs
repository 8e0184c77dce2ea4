//! A line as it was meant: without colours, control characters, and what the logger put in front.

use std::sync::LazyLock;

use regex::{Regex, bytes};

use super::matcher::compile;

/// Escape sequences of terminals (ECMA-48), and the form in which Windows consoles show an escape.
static ESCAPES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\-_]|←\[[0-9;]*m")
        .expect("tested")
});

/// What loggers put in front: times, processes, levels, container names.
const PREFIXES: &[&str] = &[
    // ISO 8601, as most loggers write it.
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?\s+",
    // Xcode and NSLog: process[pid:thread].
    r"[^\[\]]{1,64}\[\d+:[0-9a-fA-Fx]+\]\s+",
    // syslog: month, day, time, host, process[pid].
    r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \S+ [^\[\]:]{1,64}\[\d+\]:\s+",
    // llama-server: minutes.seconds.milliseconds.microseconds and a level.
    r"\d+\.\d\d\.\d{3}\.\d{3} [DIWE] ",
    // docker compose: service and a bar.
    r"[\w.-]{1,64}\s+\|\s",
    // Android's logcat: date, time, pid, tid, level, tag.
    r"\d\d-\d\d \d\d:\d\d:\d\d\.\d+\s+\d+\s+\d+ [VDIWEF] [^:]{1,64}:\s",
    // A level in brackets.
    r"\[(?i:trace|debug|info|notice|warn|warning|error|fatal)\]\s+",
];

static PREFIX: LazyLock<bytes::Regex> = LazyLock::new(|| compile(&format!("^(?:{})", PREFIXES.join("|"))));

/// How many prefixes one line may have.
const MOST_PREFIXES: usize = 6;

/// The text of a line of bytes.
pub(super) fn clean(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let plain = bytes.iter().all(|byte| (b' '..=b'~').contains(byte));
    let text = if plain { text } else { printable(&text).into() };
    without_prefixes(&text).trim_end().to_owned()
}

fn printable(text: &str) -> String {
    // UTF-16 from a Windows shell is ASCII with zeros between: without them it can be read.
    let text = text.replace('\0', "");
    ESCAPES.replace_all(&text, "").chars().map(|c| if unprintable(c) { ' ' } else { c }).collect()
}

/// Control characters, and those that turn the direction of writing: a log must not act on the terminal.
fn unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn without_prefixes(text: &str) -> &str {
    let mut rest = text;
    for _ in 0..MOST_PREFIXES {
        // A prefix ends in ASCII, so that what follows is text.
        let Some(text) = PREFIX.find(rest.as_bytes()).and_then(|prefix| rest.get(prefix.end()..)) else {
            break;
        };
        rest = text;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &[u8], expect: &str) {
        assert_eq!(clean(line), expect);
    }

    #[test]
    fn loggers_are_taken_off() {
        check(b"2023-09-08 08:42:45.044911+0800 RNLlamaExample[22094:1737373] Execution", "Execution");
        check(b"0.44.777.484 E decode: failed to initialize batch", "decode: failed to initialize batch");
        check(b"Mar 24 21:17:29 jarvis ollama[2742822]: llama_init", "llama_init");
        check(b"[2024-12-11 21:39:23.552] [error] [WASI-NN] llama.cpp", "[WASI-NN] llama.cpp");
        check(b"llama.cpp-gpu  | slot 0 is processing", "slot 0 is processing");
        check(b"08-19 10:00:01.123  1234  5678 E llama: failed", "failed");
        check(b"2025-01-01T00:00:00Z api-1  | [INFO] x", "x");
    }

    #[test]
    fn what_only_looks_like_a_prefix_stays() {
        check(b"load_tensors: offloaded 3/33 layers", "load_tensors: offloaded 3/33 layers");
        check(b"[METAL] Command buffer", "[METAL] Command buffer");
        check(b"", "");
    }

    #[test]
    fn colours_controls_and_zeros_vanish() {
        check(b"\x1b[1;31merror\x1b[0m: x\r", "error: x");
        check(b"\x1b]0;title\x07text\x1b", "text");
        check("←[0mllama".as_bytes(), "llama");
        check("a\u{202e}b\u{7}c".as_bytes(), "a b c");
        check(b"\xff\xfem\0m\0a\0p\0", "\u{fffd}\u{fffd}mmap");
    }
}
