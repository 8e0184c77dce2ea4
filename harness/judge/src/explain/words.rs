//! Numbers and names of a log, put into a signature's sentence.

/// Most characters of one value: a log may repeat a whole prompt in an error.
const VALUE_CHARS: usize = 120;

/// What stands where a value is not known.
pub(super) const UNKNOWN: &str = "unknown";

/// `sentence` with every `{name}` replaced by `value(name)`, shortened; or by "unknown".
pub(super) fn fill(sentence: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            text.push('{');
            rest = after;
            continue;
        };
        text.push_str(
            &value(name).map_or_else(|| UNKNOWN.to_owned(), |value| shortened(&value, VALUE_CHARS)),
        );
        rest = after;
    }
    text.push_str(rest);
    text
}

/// The names in braces in `sentence`.
#[cfg(test)]
pub(super) fn names(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0))
}

/// At most `chars` characters of `text`, without space at its ends; a cut one ends in `…`.
pub(super) fn shortened(text: &str, chars: usize) -> String {
    let text = text.trim();
    match text.char_indices().nth(chars) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_filled_once_and_broken_ones_stay() {
        let value = |name: &str| (name == "a").then(|| " {b} ".to_owned());
        assert_eq!(fill("x {a} {c} {", value), "x {b} unknown {");
        assert_eq!(names("x {a} {c} {").collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!(shortened("größer", 3), "grö…");
    }
}
