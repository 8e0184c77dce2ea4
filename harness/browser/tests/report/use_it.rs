//! A person opens the report, filters it, and reads a case.

use crate::sample::{Open, small};

#[test]
fn a_cell_opens_its_case_and_escape_goes_back() {
    let mut open = Open::new(&small(), "");
    assert_eq!(open.text("document.title"), "1 of 5 items failed · llama-conformance");
    assert_eq!(open.rows(), ["eog/stops", "load/space", "turns/leak"]);
    open.browser.click("#matrix a.bad").unwrap();
    open.until("!document.getElementById('item').hidden");
    let page = open.text("document.getElementById('item').innerText");
    for part in [
        "eog/stops",
        "Blamed: prefill",
        "cargo xtask test --backend vulkan --model tiny --filter eog/stops",
        "cases/eog/stops.json:12",
        "The answer must end.",
        "Traced to the operator",
        "the first wrong node: prompt and tokens agree",
        "they part at byte 15",
        "model file: 1 GiB",
        "address space: 512 MiB",
        "load: done",
    ] {
        assert!(page.contains(part), "{part:?} is not in {page}");
    }
    assert_eq!(
        open.text("[...document.querySelectorAll('mark')].map(mark => mark.textContent).join()"),
        "Lyon.,Paris.,eog, token 2,length"
    );
    assert_eq!(open.text("document.querySelectorAll('.tokens .control').length"), "1");
    assert_eq!(
        open.text("document.querySelectorAll('rect.bar.over').length"),
        "2",
        "one too far, one no number"
    );
    assert_eq!(open.text("document.activeElement.tagName"), "H1", "a screen reader goes on there");
    open.browser.key("Escape").unwrap();
    open.until("document.getElementById('item').hidden");
    assert_eq!(open.text("document.activeElement.className"), "bad", "back at the cell");
    assert_eq!(open.browser.complaints(), Vec::<String>::new());
}

#[test]
fn filters_narrow_the_matrix_and_stay_in_the_address() {
    let mut open = Open::new(&small(), "");
    for (field, value, rows) in [
        ("family", "turns", &["turns/leak"][..]),
        ("outcome", "skip", &["load/space"]),
        ("layer", "prefill", &["eog/stops"]),
        ("text", "CAPABILITY", &["load/space"]),
    ] {
        let choose = format!(
            "(() => {{ const field = document.getElementById('filters').elements['{field}']; field.value = '{value}'; \
             field.dispatchEvent(new Event('input', {{bubbles: true}})); }})()"
        );
        open.browser.value(&choose).unwrap();
        assert_eq!(open.rows(), rows, "{field}");
        assert_eq!(open.text("location.hash"), format!("#{field}={value}"));
        open.browser.click("button[type=reset]").unwrap();
        open.until("document.querySelectorAll('#matrix tbody tr').length === 3");
    }
    let file = open.file.clone();
    open.browser.open(&file, "#family=load&outcome=fail").unwrap();
    assert_eq!(open.rows(), Vec::<String>::new());
    assert_eq!(open.text("document.getElementById('empty').innerText"), "Nothing fits these filters.");
    open.browser.open(&file, "#item=nobody").unwrap();
    assert!(open.text("document.getElementById('item').innerText").contains("no such item"));
}

#[test]
fn the_keyboard_is_enough() {
    let mut open = Open::new(&small(), "");
    open.browser.key("/").unwrap();
    open.browser.type_text("leak").unwrap();
    open.until("document.querySelectorAll('#matrix tbody tr').length === 1");
    open.browser.value("document.querySelector('#matrix a').focus()").unwrap();
    open.browser.key("ArrowRight").unwrap();
    assert_eq!(
        open.text("document.activeElement.getAttribute('aria-label')"),
        "turns/leak, tiny, vulkan: known"
    );
    open.browser.key("Enter").unwrap();
    open.until("document.querySelector('#item h1') !== null");
    assert_eq!(open.text("document.querySelector('#item h1').textContent"), "turns/leak");
    open.browser.key("Escape").unwrap();
    open.until("document.getElementById('item').hidden");
    assert_eq!(open.rows(), ["turns/leak"], "the filter is still there");
}
