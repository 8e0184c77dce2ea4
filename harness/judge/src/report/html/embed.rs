//! What stands inside the page's `script` and `style` elements.

use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::report::Document;

/// The page's script. Its parts share one scope; `main.js` comes last and starts everything.
pub(super) const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("script/dom.js"),
    include_str!("script/data.js"),
    include_str!("script/matrix.js"),
    include_str!("script/chart.js"),
    include_str!("script/turn.js"),
    include_str!("script/item.js"),
    include_str!("script/main.js"),
    "})();\n"
);

/// The page's style.
pub(super) const STYLE: &str = concat!(include_str!("style/page.css"), include_str!("style/item.css"));

/// `document` as JSON in which no end of a script element, no beginning of a comment and no line separator can stand.
pub(super) fn json(document: &Document) -> io::Result<String> {
    let text = serde_json::to_string(document)?;
    // Outside strings JSON has none of these, and inside a string this is the same letter.
    let safe = [
        ('<', "\\u003c"),
        ('>', "\\u003e"),
        ('&', "\\u0026"),
        ('\u{2028}', "\\u2028"),
        ('\u{2029}', "\\u2029"),
    ];
    Ok(safe.iter().fold(text, |text, (letter, escape)| text.replace(*letter, escape)))
}

/// Lets this script run and this style apply, and nothing else happen.
pub(super) fn policy() -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Outcome, Record};

    #[test]
    fn embedded_json_is_the_same_and_ends_no_element() {
        let hostile = "</script><!--<script>alert(1)</script>&\u{2028}\u{2029}";
        let results = vec![Record::named("a/b", hostile, "cpu", Outcome::Broken, Some(hostile.into()))];
        let document = Document { results, ..Document::empty() };
        let text = json(&document).unwrap();
        assert!(!text.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{text}");
        assert_eq!(serde_json::from_str::<Document>(&text).unwrap(), document);
    }

    #[test]
    fn the_page_names_no_place_to_fetch_from() {
        for text in [SCRIPT, STYLE] {
            let allowed = ["http://www.w3.org/2000/svg", "https://\")"];
            let rest = allowed.iter().fold(text.to_owned(), |text, word| text.replace(word, ""));
            assert!(!rest.contains("://") && !rest.contains("@import") && !rest.contains("innerHTML"));
        }
    }
}
