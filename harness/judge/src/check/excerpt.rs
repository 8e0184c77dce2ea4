//! Texts and token lists in a message: short, quoted, and at the place where they part.

/// Characters shown around the first difference.
const AROUND: usize = 24;

/// `text`, quoted and shortened.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 120;
    if text.chars().count() <= SHOWN {
        return format!("{text:?}");
    }
    let start: String = text.chars().take(SHOWN).collect();
    format!("{start:?}… ({} bytes)", text.len())
}

/// Where two texts part, in words: byte offset and what follows on both sides.
pub(crate) fn first_difference(expected: &str, seen: &str) -> String {
    let common: usize =
        expected.chars().zip(seen.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    format!("they part at byte {common}: expected {}, saw {}", tail(expected, common), tail(seen, common))
}

fn tail(text: &str, from: usize) -> String {
    let rest = &text[from..];
    if rest.is_empty() {
        return "the end".into();
    }
    let shown: String = rest.chars().take(AROUND).collect();
    let more = if shown.len() < rest.len() { "…" } else { "" };
    format!("{shown:?}{more}")
}

/// Where two lists part.
pub(crate) fn first_index<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
