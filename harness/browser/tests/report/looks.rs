//! Light and dark, wide and narrow.

use std::path::Path;

use crate::sample::{Open, small};

/// The background, as the browser computes it.
const PAPER: &str = "getComputedStyle(document.body).backgroundColor";

#[test]
fn it_fits_a_phone_and_follows_the_systems_appearance() {
    let item = "#item=vulkan%7Ctiny%7Ceog%2Fstops";
    let mut open = Open::new(&small(), "");
    let file = open.file.clone();
    let mut papers = Vec::new();
    for (width, height, dark) in [(1200, 900, false), (1200, 900, true), (390, 844, false), (390, 844, true)]
    {
        open.browser.look(width, height, dark).unwrap();
        for (name, place) in [("overview", ""), ("item", item)] {
            open.browser.open(&file, place).unwrap();
            let wide = open.text("document.scrollingElement.scrollWidth");
            assert!(wide.parse::<u32>().unwrap() <= width, "{name} is {wide} wide on {width}");
            if let Some(folder) = std::env::var_os("PICTURES") {
                let tone = if dark { "dark" } else { "light" };
                let path = Path::new(&folder).join(format!("{name}-{width}-{tone}.png"));
                std::fs::write(path, open.browser.picture().unwrap()).unwrap();
            }
        }
        papers.push(open.text(PAPER));
    }
    assert_eq!((&papers[0], &papers[1]), (&papers[2], &papers[3]));
    assert_ne!(papers[0], papers[1]);
}
