//! An error and its causes in words that a terminal can show. Nothing else belongs here.

use std::error::Error;

/// What `error` says and what is behind it, in one line. A cause that is told already is not told again.
pub fn in_one_line(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        cause = error.source();
    }
    text
}

/// `text` with what would move a terminal's cursor or colour it written out; line ends and tabs stay.
pub fn visible(text: &str) -> String {
    let is_plain = |letter: char| !letter.is_control() || letter == '\n' || letter == '\t';
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_plain(letter) { shown.push(letter) } else { shown.extend(letter.escape_default()) }
    }
    shown
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    enum Failed {
        #[error("cannot read it: {source}; look at its permissions")]
        Telling { source: io::Error },
        #[error("cannot read it")]
        Silent { source: io::Error },
    }

    #[test]
    fn every_cause_is_told_once() {
        let source = || io::Error::other("disk on fire");
        let telling = Failed::Telling { source: source() };
        assert_eq!(in_one_line(&telling), "cannot read it: disk on fire; look at its permissions");
        assert_eq!(in_one_line(&Failed::Silent { source: source() }), "cannot read it: disk on fire");
    }

    #[test]
    fn what_a_file_says_moves_no_cursor() {
        assert_eq!(visible("a\x1b[2J\rb\u{9b}c\n\té"), "a\\u{1b}[2J\\rb\\u{9b}c\n\té");
    }
}
