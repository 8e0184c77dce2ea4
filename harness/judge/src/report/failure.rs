//! Why one item is no pass, in lines for people.

use textwrap::{Options, WordSplitter};
use wire::Layer;

use crate::causes::visible;
use crate::finding::Code;
use crate::triage::{Blame, FIND_THE_OPERATOR};
use crate::verdict::Record;

/// Columns in front of what continues a line: the width of `  next:  `.
const INDENT: &str = "         ";

/// Log lines that are shown.
const LOG_LINES: usize = 6;

/// Everything that is known about why `record` is no pass, indented; no wider than `columns`, where that is given.
/// Commands and what was logged stay as they are, to be copied.
pub(super) fn explain(record: &Record, columns: Option<usize>) -> String {
    let mut lines: Vec<String> = told(record).iter().map(|line| wrapped(&visible(line), columns)).collect();
    lines.extend(log(record).iter().map(|line| format!("  log: {}", visible(line))));
    let command = record.blame.as_ref().and_then(|blame| blame.next.split_once(FIND_THE_OPERATOR));
    let command = command.filter(|_| record.trace.is_none()).map(|(_, command)| command.trim_matches('`'));
    lines.extend(command.map(|command| format!("  find the operator: {}", visible(command))));
    lines.push(format!("  again: {}", reproduce(record)));
    lines.join("\n")
}

fn told(record: &Record) -> Vec<String> {
    let mut lines: Vec<String> = record.reason.iter().cloned().collect();
    if let Some(blame) = &record.blame {
        let Blame { layer, code, sentence, next } = blame;
        lines.push(if code.is_remark() {
            format!("what:  {sentence} ({code})")
        } else {
            format!("blame: {} — {sentence} ({code})", layer.name())
        });
        let next = next.split_once(FIND_THE_OPERATOR).map_or(next.as_str(), |(next, _)| next);
        lines.push(format!("next:  {next}"));
    }
    lines.extend(record.trace.iter().map(|trace| format!("trace: {}", trace.sentence)));
    let is_told = |code: Code, message: &str| {
        record
            .blame
            .as_ref()
            .is_some_and(|blame| blame.code == code && blame.sentence.contains(untold(message)))
    };
    let others = record.findings.iter().filter(|finding| !is_told(finding.code, &finding.message));
    lines.extend(others.map(|f| format!("- {} ({}): {}", f.code, f.layer.name(), f.message)));
    lines
}

/// `message` without the turn in front, which a sentence tells in other words.
fn untold(message: &str) -> &str {
    let told = message.strip_prefix("turn ").and_then(|rest| rest.split_once(": "));
    told.filter(|(turn, _)| turn.parse::<usize>().is_ok()).map_or(message, |(_, rest)| rest)
}

/// The last lines that were logged: all where loading failed or the process ended, else what warns.
fn log(record: &Record) -> Vec<&String> {
    let ended = |code| matches!(code, Code::Died | Code::Hung | Code::Garbled);
    let says_why = record.findings.iter().any(|finding| finding.layer == Layer::Load || ended(finding.code));
    let lines = record.log_tail.iter().filter(|line| says_why || warns(line));
    let lines: Vec<&String> = lines.collect();
    lines[lines.len().saturating_sub(LOG_LINES)..].to_vec()
}

fn warns(line: &str) -> bool {
    let line = line.to_lowercase();
    ["warn", "error", "fail", "abort", "assert"].iter().any(|word| line.contains(word))
}

fn wrapped(line: &str, columns: Option<usize>) -> String {
    match columns {
        Some(columns) => {
            let options = Options::new(columns.max(40)).initial_indent("  ").subsequent_indent(INDENT);
            // Names with hyphens are copied, too.
            textwrap::fill(line, options.break_words(false).word_splitter(WordSplitter::NoHyphenation))
        }
        None => format!("  {line}"),
    }
}

/// The command that asks this one item again.
pub(super) fn reproduce(record: &Record) -> String {
    let typed = record.asked_as.as_ref().unwrap_or(&record.model);
    let model = if typed == "-" { String::new() } else { format!(" --model {}", quoted(typed)) };
    let subject = record.asked_with.clone().unwrap_or_else(|| format!("--backend {}", record.subject));
    format!("cargo xtask test {subject}{model} --filter {}", quoted(&record.case))
}

/// `word` as a shell needs it.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), String::from)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn record(more: &Value) -> Record {
        let mut record = json!({
            "case": "eog/x", "model": "m", "subject": "cpu", "outcome": "fail", "milliseconds": 1, "compute_us": 1,
        });
        record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn a_model_is_asked_again_as_it_was_typed() {
        let again = |more: &Value| reproduce(&record(more));
        let rest = "--filter eog/x";
        assert_eq!(again(&json!({})), format!("cargo xtask test --backend cpu --model m {rest}"));
        assert_eq!(again(&json!({"model": "-"})), format!("cargo xtask test --backend cpu {rest}"));
        for (typed, shown) in [("hf:o/r/m.gguf", "hf:o/r/m.gguf"), ("my models/m.gguf", "'my models/m.gguf'")]
        {
            let again = again(&json!({"asked_as": typed}));
            assert_eq!(again, format!("cargo xtask test --backend cpu --model {shown} {rest}"));
        }
    }

    #[test]
    fn a_subject_is_asked_again_with_the_flags_that_asked_it() {
        let seen = record(&json!({"asked_with": "--probe ./mine --backend cpu"}));
        let again = "cargo xtask test --probe ./mine --backend cpu --model m --filter eog/x";
        assert_eq!(reproduce(&seen), again);
    }

    #[test]
    fn what_is_told_is_told_once_within_the_columns_and_the_log_where_it_says_why() {
        let finding = |code: &str, layer: &str, message: &str| json!({"code": code, "layer": layer, "message": message});
        let blame = json!({
            "layer": "decode", "code": "logits-differ", "next": "compare the build's flags",
            "sentence": "prompt and tokens agree; the logits differ from the first token on: the backend computes \
                         wrong numbers",
        });
        let seen = record(&json!({
            "blame": blame,
            "findings": [
                finding("logits-differ", "decode", "turn 0: the logits differ from the first token on"),
                finding("never-ended", "stop", "turn 0: \u{1b}[31mno end"),
            ],
            "log_tail": ["llama_kv_cache: size = 1 MiB", "ggml_metal: error: no buffer"],
        }));
        assert_eq!(
            explain(&seen, Some(60)),
            "  blame: decode — prompt and tokens agree; the logits
         differ from the first token on: the backend
         computes wrong numbers (logits-differ)
  next:  compare the build's flags
  - never-ended (stop): turn 0: \\u{1b}[31mno end
  log: ggml_metal: error: no buffer
  again: cargo xtask test --backend cpu --model m --filter eog/x"
        );
        let died = record(&json!({
            "findings": [finding("died", "decode", "it died")], "log_tail": ["llama_kv_cache: size = 1 MiB"],
        }));
        assert!(explain(&died, None).contains("  log: llama_kv_cache: size = 1 MiB"));
    }

    #[test]
    fn a_command_stands_on_a_line_of_its_own_and_goes_where_it_was_run() {
        let command =
            "cargo xtask trace numbers/prefill --backend vulkan --reference cpu --model random-llama";
        let blame = json!({
            "layer": "prefill", "code": "logits-differ", "sentence": "wrong numbers",
            "next": format!("compare{FIND_THE_OPERATOR}`{command}`"),
        });
        let text = explain(&record(&json!({"blame": blame})), Some(40));
        assert!(
            text.contains(&format!("  next:  compare\n  find the operator: {command}\n  again: ")),
            "{text}"
        );
        let trace = json!({"outcome": "node", "sentence": "the first wrong node: x", "text": "t"});
        let text = explain(&record(&json!({"blame": blame, "trace": trace})), Some(40));
        assert!(text.contains("  next:  compare\n  trace: the first wrong node: x\n  again: "), "{text}");
    }

    #[test]
    fn a_remark_blames_no_layer() {
        let blame =
            json!({"layer": "load", "code": "golden-missing", "sentence": "there is none", "next": "review"});
        let text = explain(&record(&json!({"blame": blame})), None);
        assert!(text.starts_with("  what:  there is none (golden-missing)\n  next:  review\n"), "{text}");
    }
}
