//! A probe that breaks costs the item that it was asked, and no other.

use libtest_mimic::Trial;

use crate::stage::{Stage, outcomes};
use crate::trial;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("broken", "costs-one-item", each_way_to_break_costs_one_item),
        trial("broken", "stale-description", a_stale_description_is_written_anew),
    ]
}

fn each_way_to_break_costs_one_item() {
    let deeds = [
        ("a", "pass"),
        ("b-aborts", "abort"),
        ("c", "pass"),
        ("d-babbles", "babble"),
        ("e", "pass"),
        ("f-hangs", "hang"),
        ("g", "pass"),
        ("h-is-killed", "die"),
        ("i", "pass"),
    ];
    let stage = Stage::new(&deeds);
    let answer = stage.run(&["test", "--json", "report", "--jobs", "1", "--deadline", "1"]);
    assert_eq!(answer.code, 1, "{answer:#?}");
    let report = stage.report("report");
    let finding = |case: &str| {
        let results = report["results"].as_array().expect("results");
        let result = results.iter().find(|result| result["case"] == case).expect("a result");
        let findings = result["findings"].as_array().map_or(&[][..], Vec::as_slice);
        assert!(findings.len() < 2, "{findings:?}");
        let part = |name: &str| findings.first().map_or("", |finding| finding[name].as_str().expect("text"));
        (
            result["outcome"].as_str().expect("an outcome").to_owned(),
            part("code").to_owned(),
            part("message").to_owned(),
        )
    };
    for (name, deed) in deeds {
        let (outcome, code, message) = finding(&format!("eog/{name}"));
        let expect = match deed {
            "pass" => ("pass", "", ""),
            "abort" => ("fail", "died", "signal 6"),
            "babble" => ("fail", "garbled", "ggml_metal_init"),
            "hang" => ("fail", "hung", "1000 ms"),
            _ => ("fail", "died", "signal 9"),
        };
        assert_eq!((outcome.as_str(), code.as_str()), (expect.0, expect.1), "{name}: {message}");
        assert!(message.contains(expect.2), "{name}: {message:?} does not say {:?}", expect.2);
    }
    stage.alive.await_end();
}

fn a_stale_description_is_written_anew() {
    let stage = Stage::new(&[("a", "pass")]);
    assert_eq!(stage.run(&["test"]).code, 0);
    let description = "target/probe/cpu/subject.json";
    let fresh = stage.report(description);
    for stale in ["{", "{\"version\": 0}", &fresh.to_string().replacen("fake", "another", 1)] {
        stage.project.write(description, stale);
        stage.project.write("harness/probe/changed.rs", stale);
        let answer = stage.run(&["test", "--json", "report"]);
        assert_eq!(answer.code, 0, "{answer:#?}");
        assert_eq!(outcomes(&stage.report("report")), [("eog/a", "pass")]);
        assert_eq!(stage.report(description)["card"], fresh["card"]);
    }
}
