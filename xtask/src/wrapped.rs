//! Text that fits a person's terminal.

use std::io::{self, IsTerminal as _};

use textwrap::{Options, WordSplitter};

/// `text` as a terminal should show it: long lines are broken between words, what follows is indented. Where standard
/// output is no terminal it stays as it is, for programs that go by lines.
pub(crate) fn for_terminal(text: &str) -> String {
    if !io::stdout().is_terminal() {
        return text.to_owned();
    }
    folded(text, terminal_size::terminal_size().map_or(80, |(width, _)| width.0.into()))
}

fn folded(text: &str, columns: usize) -> String {
    let fold = |line: &str| {
        let indent = " ".repeat(line.len() - line.trim_start().len());
        let rest = format!("{indent}  ");
        let options = Options::new(columns.max(40)).initial_indent(&indent).subsequent_indent(&rest);
        let options = options.break_words(false).word_splitter(WordSplitter::NoHyphenation);
        textwrap::fill(line.trim_start(), options) + "\n"
    };
    text.lines().map(fold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_words_are_not() {
        let text = "error (nan): a tensor of a very long-named kind has no number\n  cure: fetch it again, whatever it costs you\n";
        let expected = "error (nan): a tensor of a very\n  long-named kind has no number\n  cure: fetch it again, whatever it\n    \
                        costs you\n";
        assert_eq!(folded(text, 40), expected);
        assert_eq!(folded(&"x".repeat(60), 40), format!("{}\n", "x".repeat(60)));
    }
}
