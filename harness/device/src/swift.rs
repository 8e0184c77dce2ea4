//! The Swift file with one test a case.
//!
//! A crash costs the test that it happened in, and Xcode restarts the app for the next one. XCTest finds tests that are
//! methods in the source, and Swift has no way to add some at run time; so they are written here, and a test of this
//! crate says when they are not those of the cases any more.

use std::collections::BTreeMap;

/// Why no test can be named.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{one} and {other} would both be {name} in Swift; rename one of the cases")]
pub struct SwiftError {
    /// A case.
    pub one: String,
    /// Another.
    pub other: String,
    /// The name that both would have.
    pub name: String,
}

/// The method that asks everything of `case`.
pub fn test_name(case: &str) -> String {
    let mut name = "test_".to_owned();
    for c in case.chars() {
        match c {
            '/' => name.push_str("__"),
            '@' => name.push_str("__at__"),
            c if c.is_ascii_alphanumeric() => name.push(c),
            _ => name.push('_'),
        }
    }
    name
}

/// The whole file for `cases`, sorted by id.
///
/// # Errors
/// When two of them would have one name.
pub fn swift_tests<'a>(cases: impl IntoIterator<Item = &'a str>) -> Result<String, SwiftError> {
    let mut names = BTreeMap::new();
    for case in cases {
        if let Some(other) = names.insert(test_name(case), case).filter(|other| *other != case) {
            return Err(SwiftError { one: other.to_owned(), other: case.to_owned(), name: test_name(case) });
        }
    }
    let mut text = String::from(
        "// Made by `cargo xtask device generate` from cases/: one test a case, so that a crash costs one.\n\n\
         final class Cases: CaseTests {\n",
    );
    for (name, case) in names {
        text.push_str(&format!("    func {name}() throws {{ try ask({case:?}) }}\n"));
    }
    text.push_str("}\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_a_method() {
        let text = swift_tests(["numbers/prefill@kv-q8_0", "eog/stops-at-im-end"]).unwrap();
        assert!(text.contains("final class Cases: CaseTests {\n    func test_eog__stops_at_im_end() throws { try ask(\"eog/stops-at-im-end\") }\n"));
        assert!(text.ends_with("    func test_numbers__prefill__at__kv_q8_0() throws { try ask(\"numbers/prefill@kv-q8_0\") }\n}\n"));
    }

    #[test]
    fn two_cases_of_one_name_are_an_error() {
        let error = swift_tests(["a/b-c", "a/b_c"]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a/b-c and a/b_c would both be test_a__b_c in Swift; rename one of the cases"
        );
        assert!(swift_tests(["a/b", "a/b"]).is_ok());
    }
}
