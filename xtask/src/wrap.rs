//! Text for a terminal that is narrower than the text.

use std::io::{IsTerminal as _, stdout};

use textwrap::{Options, WordSplitter};

/// Never narrower, or words would stand alone.
const LEAST: usize = 40;

/// How wide the person's terminal is; `None` where nobody looks, and a program may read the lines.
pub(crate) fn columns() -> Option<usize> {
    const USUAL: usize = 80;
    stdout().is_terminal().then(|| terminal_size::terminal_size().map_or(USUAL, |(width, _)| width.0.into()))
}

/// `text`, no line of which is wider than `columns`, but those with a command or a link: people copy them.
pub(crate) fn wrapped(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else { return text.to_owned() };
    let line = |line: &str| {
        if line.chars().count() <= columns || ["cargo xtask ", "://"].iter().any(|part| line.contains(part)) {
            return format!("{line}\n");
        }
        let indent = " ".repeat(hanging(line));
        // Names with hyphens are copied, too.
        let options = Options::new(columns.max(LEAST)).word_splitter(WordSplitter::NoHyphenation);
        let options = options.subsequent_indent(&indent).break_words(false);
        textwrap::fill(line, options) + "\n"
    };
    text.lines().map(line).collect()
}

/// Where what continues a line begins: below what follows its label, else a little further in.
fn hanging(line: &str) -> usize {
    const MOST: usize = 20;
    let start = line.len() - line.trim_start().len();
    let label = line[start..].find(": ").map(|at| start + at + 1);
    let after = label.map(|at| at + line[at..].len() - line[at..].trim_start().len());
    after.filter(|at| start > 0 && *at <= MOST).unwrap_or(start + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_on_below_the_words_and_commands_stay_whole() {
        let text = "cause: short\n  cure:    one two three four five six seven eight nine ten\n    cargo xtask test --filter a/very-long-name-of-a-case\n  x/y: one two three four five six seven eight nine ten eleven\n";
        assert_eq!(
            wrapped(text, Some(40)),
            "cause: short\n  cure:    one two three four five six\n           seven eight nine ten\n    \
             cargo xtask test --filter a/very-long-name-of-a-case\n  x/y: one two three four five six seven\n       eight nine ten eleven\n"
        );
        let name = "  cure:    add com.apple.developer.kernel.extended-virtual-addressing\n";
        let below = "  cure:    add\n           com.apple.developer.kernel.extended-virtual-addressing\n";
        assert_eq!(wrapped(name, Some(50)), below);
        assert_eq!(wrapped(text, None), text);
        assert_eq!(wrapped("", Some(80)), "");
    }
}
