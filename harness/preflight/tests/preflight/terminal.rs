//! What a tired person reads, in 80 columns.

use preflight::Options;

use super::support::{Model, context};

#[test]
fn no_line_is_longer_than_a_terminal_and_the_answer_comes_first() {
    let table = [
        (
            Model { bytes: 5_315_022_080, ..Model::default() },
            "iPhone 17 Pro",
            context(262_144),
            "WILL NOT WORK: ",
        ),
        (Model { bytes: 3_150_000_000, ..Model::default() }, "iPhone 16", context(2048), "MAY NOT WORK: "),
        (Model::default(), "iPhone 16", context(2048), "WILL LOAD AND CHAT, "),
        (Model::default(), "Mac (M4, 16 GB)", Options::default(), "WILL LOAD AND CHAT, "),
        (Model::default(), "2gb", Options { mmap: false, cpu_only: true, ..context(0) }, "WILL NOT WORK: "),
    ];
    for (model, device, options, answer) in table {
        let text = model.on(device, false, &options).to_string();
        assert!(text.lines().nth(1).unwrap().starts_with(answer), "{text}");
        // Names of keys are to be copied, and stay whole.
        let long = text.lines().find(|line| line.chars().count() > 80 && line.trim().contains(' '));
        assert_eq!(long, None, "{text}");
    }
}

#[test]
fn programs_read_the_same() {
    let report =
        Model::default().on("iPhone 13", false, &Options { turn_tokens: Some(500), ..context(2048) });
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["outcome"], "loads");
    assert_eq!(json["context"]["n_ctx"], 2048);
    assert_eq!(json["conversation"]["overflows_at_turn"], 5);
    assert_eq!(json["checks"][0]["code"], "address-space");
    assert_eq!(json["checks"][0]["limit"]["certainty"], "measured");
}
