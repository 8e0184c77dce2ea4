//! Every finding can be explained, and what is said of cases is true.

use std::path::Path;

use judge::case::load_cases;
use judge::explain::{Case, explain_code, nearest_code, signatures};
use judge::finding::Code;

fn cases() -> Vec<judge::case::Case> {
    load_cases(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")).unwrap()
}

#[test]
fn every_code_is_explainable() {
    let cases = cases();
    for code in Code::ALL {
        let text = explain_code(*code, &cases).to_string();
        assert!(text.starts_with(&format!("{code}: ")) && text.contains("  cure:    "), "{text}");
    }
}

#[test]
fn a_code_names_the_cases_that_show_it_and_the_lines_that_point_to_it() {
    let cases = cases();
    let text = explain_code(Code::DoubleBos, &cases).to_string();
    assert!(text.contains("cargo xtask test --filter template/double-bos-is-found"), "{text}");
    assert!(text.contains("  double-bos: "), "{text}");
}

#[test]
fn every_case_that_a_signature_names_exists() {
    let cases = cases();
    for signature in signatures() {
        if let Case::Run(id) = &signature.case {
            assert!(cases.iter().any(|case| case.id == *id), "{}: there is no case {id}", signature.id);
        }
    }
}

#[test]
fn a_misspelt_code_has_a_neighbour_and_nonsense_has_none() {
    assert_eq!(nearest_code("adress-space"), Some(Code::AddressSpace));
    assert_eq!(nearest_code("double_bos"), Some(Code::DoubleBos));
    assert_eq!(nearest_code("12345"), None);
}
