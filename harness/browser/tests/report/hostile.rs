//! Whatever a model, a template or a log says is text.

use judge::report::Document;

use crate::sample::{Open, document, failure};

const HOSTILE: &str = "</script><script>window.broken = 1</script><img src=x onerror=\"window.broken = 1\"><!--<script>\u{2028}`<b>`";

fn hostile() -> Document {
    document(&[failure("eog/stops", "vulkan", HOSTILE), failure(HOSTILE, "cpu", HOSTILE)])
}

#[test]
fn a_script_in_a_prompt_does_not_run() {
    let mut open = Open::new(&hostile(), "");
    assert_eq!(open.rows().len(), 2);
    assert_eq!(open.text("typeof window.broken"), "undefined");
    open.browser.click("#matrix a.bad").unwrap();
    open.until("document.querySelectorAll('.turn pre').length > 0");
    let shown = open.text("document.querySelector('.turn pre').textContent");
    assert!(shown.contains("<script>window.broken = 1</script><img src=x onerror="), "{shown}");
    assert_eq!(open.text("typeof window.broken"), "undefined");
    assert_eq!(
        open.text("document.querySelectorAll('img, #item script, #overview script, b b').length"),
        "0"
    );
    assert_eq!(open.browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_policy_lets_no_other_script_run_and_nothing_be_fetched() {
    let mut open = Open::new(&hostile(), "");
    let place = "const s = document.createElement('script'); s.textContent = 'window.broken = 1'; document.body.append(s);";
    open.browser.value(&format!("(() => {{ {place} }})()")).unwrap();
    assert_eq!(open.text("typeof window.broken"), "undefined");
    let fetch = "fetch('http://127.0.0.1:9/').then(() => 'fetched', () => 'refused')";
    assert_eq!(open.text(fetch), "refused");
    let refused = open.browser.complaints();
    assert!(
        refused.len() >= 2 && refused.iter().all(|told| told.contains("Content Security Policy")),
        "{refused:?}"
    );
}

#[test]
fn nothing_is_fetched_but_the_file() {
    let mut open = Open::new(&hostile(), "");
    open.browser.click("#matrix a.bad").unwrap();
    open.until("document.querySelectorAll('.turn pre').length > 0");
    let others: Vec<String> = open
        .browser
        .fetched()
        .into_iter()
        .filter(|url| !url.starts_with("file://") && url != "about:blank")
        .collect();
    assert_eq!(others, Vec::<String>::new());
}
