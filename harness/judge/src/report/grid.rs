//! Text in columns that fit a terminal.

/// The columns that any terminal has.
pub(super) const WIDTH: usize = 80;

/// What stands between two columns.
const GAP: usize = 2;

/// Text, and how it is coloured where there is colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell<P> {
    pub(super) text: String,
    pub(super) paint: Option<P>,
}

impl<P> Cell<P> {
    /// Text without colour.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), paint: None }
    }
}

/// Lays out rows of a label and cells; the first row is the heading. Where not all columns fit beside the labels, the
/// rest comes below, under the labels once more. No line ends in blanks. `paint` colours a text that is not padded.
pub(super) fn lay_out<P: Copy>(
    rows: &[(String, Vec<Cell<P>>)],
    paint: &dyn Fn(Option<P>, &str) -> String,
) -> Vec<String> {
    let length = |text: &str| text.chars().count();
    let label_width = rows.iter().map(|(label, _)| length(label)).max().unwrap_or(0);
    let columns = rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let width_of = |column: usize| {
        rows.iter()
            .filter_map(|(_, cells)| cells.get(column))
            .map(|cell| length(&cell.text))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width_of).collect();
    let mut lines = Vec::new();
    let mut first = 0;
    while first < columns {
        let count = fitting(label_width, &widths[first..]);
        for (label, cells) in rows {
            let shown = cells.iter().zip(&widths).skip(first).take(count);
            lines.push(line((label, label_width), shown, paint));
        }
        first += count;
        if first < columns {
            lines.push(String::new());
        }
    }
    lines
}

/// How many columns of these widths fit beside the labels; at least one.
fn fitting(label_width: usize, widths: &[usize]) -> usize {
    let mut used = label_width;
    let fits = |width: &&usize| {
        used += GAP + **width;
        used <= WIDTH
    };
    widths.iter().take_while(fits).count().max(1)
}

fn line<'a, P: Copy + 'a>(
    (label, label_width): (&str, usize),
    cells: impl Iterator<Item = (&'a Cell<P>, &'a usize)>,
    paint: &dyn Fn(Option<P>, &str) -> String,
) -> String {
    let mut text = label.to_owned();
    let mut missing = label_width - label.chars().count();
    for (cell, width) in cells {
        if !cell.text.is_empty() {
            text.push_str(&" ".repeat(missing + GAP));
            text.push_str(&paint(cell.paint, &cell.text));
            missing = width - cell.text.chars().count();
        } else {
            missing += GAP + width;
        }
    }
    text
}

/// `text` in lines that fit, the first one indented by `first`, all others by `others`.
pub(super) fn wrapped(text: &str, first: usize, others: usize) -> Vec<String> {
    let (first, others) = (" ".repeat(first), " ".repeat(others));
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(&first)
        .subsequent_indent(&others)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(Into::into).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(texts: &[&[&str]]) -> Vec<(String, Vec<Cell<()>>)> {
        texts
            .iter()
            .map(|row| (row[0].to_owned(), row[1..].iter().map(|text| Cell::plain(*text)).collect()))
            .collect()
    }

    #[test]
    fn columns_line_up_and_no_line_ends_in_blanks() {
        let rows = rows(&[&["family", "cpu", "vulkan"], &["eog", "52 pass", ""], &["numbers", "", "1 FAIL"]]);
        assert_eq!(
            lay_out(&rows, &|_, text| text.to_owned()),
            ["family   cpu      vulkan", "eog      52 pass", "numbers           1 FAIL"]
        );
    }

    #[test]
    fn what_does_not_fit_comes_below() {
        let wide = "x".repeat(40);
        let rows = rows(&[&["a", &wide, &wide], &["b", "1", "2"]]);
        let lines = lay_out(&rows, &|_, text| text.to_owned());
        assert_eq!(lines, [&format!("a  {wide}"), "b  1", "", &format!("a  {wide}"), "b  2"]);
    }

    #[test]
    fn long_text_is_broken_between_words() {
        let lines = wrapped(&format!("{} {} end", "a".repeat(50), "b".repeat(40)), 2, 4);
        assert_eq!(lines, [format!("  {}", "a".repeat(50)), format!("    {} end", "b".repeat(40))]);
    }

    proptest! {
        #[test]
        fn every_line_fits_where_every_cell_does(
            table in prop::collection::vec(prop::collection::vec("[a-z]{0,20}", 4..9), 1..6)
        ) {
            let rows: Vec<Vec<&str>> = table.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
            let rows = rows.iter().map(Vec::as_slice).collect::<Vec<_>>();
            for line in lay_out(&self::rows(&rows), &|_, text| text.to_owned()) {
                prop_assert!(line.chars().count() <= WIDTH && !line.ends_with(' '), "{:?}", line);
            }
        }
    }
}
