//! Ten thousand results.

use serde_json::Value;

use crate::sample::{Open, document, failure, result};

/// 5,000 rows of two subjects; every hundredth row fails.
fn large() -> Vec<Value> {
    let both = |row: usize| {
        let case = format!("numbers/case-{row:04}");
        let vulkan = if row.is_multiple_of(100) {
            failure(&case, "vulkan", "logits differ")
        } else {
            result(&case, "tiny", "vulkan", "pass")
        };
        [result(&case, "tiny", "cpu", "pass"), vulkan]
    };
    (0..5000).flat_map(both).collect()
}

#[test]
fn rows_are_drawn_as_they_come_into_view() {
    let mut open = Open::new(&document(&large()), "");
    let drawn = "document.querySelectorAll('#matrix tbody tr').length";
    let at_first: usize = open.text(drawn).parse().unwrap();
    assert!((100..1000).contains(&at_first), "{at_first} rows are drawn of 5000");
    assert_eq!(open.text("document.getElementById('count').textContent"), "5000 rows");
    assert!(open.text("document.querySelectorAll('body *').length").parse::<usize>().unwrap() < 10_000);
    open.browser.value("scrollTo(0, document.body.scrollHeight)").unwrap();
    open.until(&format!("{drawn} > {at_first}"));
    open.browser.key("/").unwrap();
    open.browser.type_text("case-4999").unwrap();
    open.until(&format!("{drawn} === 1"));
    assert_eq!(open.rows(), ["numbers/case-4999"]);
    open.browser.click("#matrix a").unwrap();
    open.until("!document.getElementById('item').hidden");
    assert_eq!(open.text("document.querySelector('#item h1').textContent"), "numbers/case-4999");
}

#[test]
fn what_is_wrong_is_told_once() {
    let mut open = Open::new(&document(&large()), "#outcome=fail");
    assert_eq!(open.text("document.querySelectorAll('.problems > li').length"), "1");
    assert!(open.text("document.querySelector('.problems').innerText").contains("50 items"));
    assert_eq!(open.text("document.getElementById('count').textContent"), "50 of 5000 rows");
}
