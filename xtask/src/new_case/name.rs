//! What a case may be called.

/// Why `id` cannot be the name of a new case, in words.
pub(crate) fn problem(id: &str) -> Option<String> {
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['-', '.'])
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._".contains(c))
    };
    match id.strip_suffix(".json").unwrap_or(id).split('/').collect::<Vec<_>>().as_slice() {
        _ if id.ends_with(".json") => {
            let name = id.trim_start_matches("cases/").trim_end_matches(".json");
            Some(format!("it is no file name; leave out cases/ and .json: {name}"))
        }
        ["known", _] => Some("cases/known holds known failures; choose another family".to_owned()),
        [family, name] if plain(family) && plain(name) => None,
        [_, _] => Some("use small letters, digits and hyphens".to_owned()),
        _ => Some("it must be FAMILY/NAME, for example eog/says-goodbye".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_families_and_names() {
        for (id, part) in [
            ("eog/says-goodbye", None),
            ("load/q4_0", None),
            ("says-goodbye", Some("FAMILY/NAME")),
            ("a/b/c", Some("FAMILY/NAME")),
            ("", Some("FAMILY/NAME")),
            ("eog/", Some("small letters")),
            ("../x", Some("small letters")),
            ("eog/Says Goodbye", Some("small letters")),
            ("eog/a@b", Some("small letters")),
            ("known/x", Some("another family")),
            ("cases/eog/x.json", Some("leave out cases/ and .json: eog/x")),
        ] {
            let said = problem(id);
            assert_eq!(said.is_some(), part.is_some(), "{id}: {said:?}");
            assert!(said.unwrap_or_default().contains(part.unwrap_or_default()), "{id}");
        }
    }
}
