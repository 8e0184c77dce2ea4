//! Two prompts beside each other, for people.

use similar::{ChangeTag, TextDiff};

/// Lines around a difference.
const CONTEXT: usize = 2;

/// The least width of a column.
const LEAST: usize = 16;

/// The lines in which two prompts differ, with some around them: `left` in the left column, `right` in the right one,
/// within `width` columns of a terminal. A mark between them says what a line is: ` ` the same, `<` left alone, `>`
/// right alone, `|` changed. Newlines show as `⏎`, other control characters as escapes.
pub fn side_by_side(left: (&str, &str), right: (&str, &str), width: usize) -> String {
    let column = (width.saturating_sub(3) / 2).max(LEAST);
    let mut out = row(left.0, ' ', right.0, column);
    for (index, group) in rows(left.1, right.1).iter().enumerate() {
        if index > 0 {
            out.push_str("  …\n");
        }
        for (left, right) in group {
            let mark = match (left, right) {
                (Some(left), Some(right)) if left == right => ' ',
                (Some(_), Some(_)) => '|',
                (Some(_), None) => '<',
                _ => '>',
            };
            let (left, right) = (left.as_deref().unwrap_or_default(), right.as_deref().unwrap_or_default());
            out.push_str(&wrapped(left, mark, right, column));
        }
    }
    out
}

/// A line of each side, shown; `None` where that side has none there.
type Pair = (Option<String>, Option<String>);

/// Groups of lines near each other.
fn rows(left: &str, right: &str) -> Vec<Vec<Pair>> {
    let diff = TextDiff::from_lines(left, right);
    diff.grouped_ops(CONTEXT)
        .iter()
        .map(|ops| {
            let mut pairs = Vec::new();
            for op in ops {
                let (mut olds, mut news) = (Vec::new(), Vec::new());
                for change in diff.iter_changes(op) {
                    let line = shown(change.value());
                    match change.tag() {
                        ChangeTag::Equal => pairs.push((Some(line.clone()), Some(line))),
                        ChangeTag::Delete => olds.push(line),
                        ChangeTag::Insert => news.push(line),
                    }
                }
                let (mut olds, mut news) = (olds.into_iter(), news.into_iter());
                loop {
                    match (olds.next(), news.next()) {
                        (None, None) => break,
                        pair => pairs.push(pair),
                    }
                }
            }
            pairs
        })
        .collect()
}

/// A line as a terminal may show it.
fn shown(line: &str) -> String {
    line.chars()
        .flat_map(|c| match c {
            '\n' => vec!['⏎'],
            c if c.is_control() => c.escape_default().collect(),
            c => vec![c],
        })
        .collect()
}

fn wrapped(left: &str, mark: char, right: &str, column: usize) -> String {
    let (left, right) = (pieces(left, column), pieces(right, column));
    let count = left.len().max(right.len());
    let at = |pieces: &[String], index: usize| pieces.get(index).cloned().unwrap_or_default();
    (0..count).map(|index| row(&at(&left, index), mark, &at(&right, index), column)).collect()
}

fn pieces(text: &str, column: usize) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    if chars.is_empty() {
        return vec![String::new()];
    }
    chars.chunks(column).map(|chunk| chunk.iter().collect()).collect()
}

fn row(left: &str, mark: char, right: &str, column: usize) -> String {
    let padding = " ".repeat(column.saturating_sub(left.chars().count()));
    format!("{left}{padding} {mark} {right}").trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_stands_beside_each_other() {
        let shown = side_by_side(("right", "<s>a\nb\nc\n"), ("ours", "a\nb\nd\ne\n"), 40);
        assert_eq!(
            shown,
            "right                ours\n\
             <s>a⏎              | a⏎\n\
             b⏎                   b⏎\n\
             c⏎                 | d⏎\n\
             \u{20}                  > e⏎\n"
        );
    }

    #[test]
    fn long_lines_are_wrapped_and_controls_escaped() {
        let shown = side_by_side(("l", &"x".repeat(20)), ("r", "\u{1b}[31m"), 35);
        assert_eq!(
            shown,
            format!("l{} r\n{} | \\u{{1b}}[31m\nxxxx             |\n", " ".repeat(17), "x".repeat(16))
        );
    }
}
