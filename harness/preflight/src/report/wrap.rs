//! Text in lines of a width.

/// Columns of a line.
pub(super) const WIDTH: usize = 80;

/// `text` in lines of at most [`WIDTH`] columns; the first begins with `first`, the others with as many blanks as `rest`.
/// Words longer than a line stay whole: names of keys are to be copied.
pub(super) fn wrap(first: &str, rest: usize, text: &str) -> String {
    let mut out = first.to_owned();
    let mut column = first.chars().count();
    let mut fresh = true;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if !fresh && column + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(&" ".repeat(rest));
            column = rest;
            fresh = true;
        }
        if !fresh {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
        fresh = false;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_no_longer_than_they_may() {
        let text = "word ".repeat(60);
        let wrapped = wrap("  - ", 4, &text);
        assert!(wrapped.lines().all(|line| line.chars().count() <= WIDTH), "{wrapped}");
        assert!(wrapped.lines().skip(1).all(|line| line.starts_with("    word")), "{wrapped}");
        assert_eq!(wrapped.split_whitespace().count(), 61);
        let long = "x".repeat(100);
        assert_eq!(wrap("", 2, &format!("a {long} b")), format!("a\n  {long}\n  b\n"));
    }
}
