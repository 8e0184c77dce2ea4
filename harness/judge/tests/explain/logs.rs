//! Whole logs: the cause first, the consequences behind it, notices last.

use judge::explain::{Role, explain_log};

/// `expect`: role and signature of each finding, in order.
#[track_caller]
fn check(log: &str, expect: &[(Role, &str)]) {
    let report = explain_log(log.as_bytes()).unwrap();
    let seen: Vec<_> = report.findings.iter().map(|finding| (finding.role, finding.signature)).collect();
    assert_eq!(seen, expect);
}

#[test]
fn address_space_on_a_phone() {
    let log = include_str!("address-space.log");
    check(
        log,
        &[
            (Role::Cause, "mmap-enomem"),
            (Role::Consequence, "load-failed"),
            (Role::Consequence, "bad-access"),
            (Role::Notice, "add-bos-overridden"),
        ],
    );
    let text = explain_log(log.as_bytes()).unwrap().to_string();
    for part in [
        "4 findings in 20 lines\n\ncause: address space, not memory [address-space, load]\n  line 16: ",
        "com.apple.developer.kernel.extended-virtual-addressing",
        "com.apple.developer.kernel.increased-memory-limit",
        "  line 17, first of 2: ",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

/// What this project's probe logs while it loads the fixture compiled-chatml.
#[test]
fn a_sound_load_is_only_noticed() {
    check(include_str!("healthy.log"), &[(Role::Notice, "context-below-training")]);
}

#[test]
fn every_fourth_question_dies() {
    check(
        include_str!("fourth-turn.log"),
        &[(Role::Cause, "no-kv-slot"), (Role::Notice, "context-below-training")],
    );
}

#[test]
fn metal_in_the_simulator() {
    check(
        include_str!("simulator.log"),
        &[(Role::Cause, "gpu-in-simulator"), (Role::Notice, "context-below-training")],
    );
}

#[test]
fn the_gpu_is_taken_away_in_the_background() {
    check(
        include_str!("background.log"),
        &[
            (Role::Cause, "metal-command-buffer"),
            (Role::Also, "metal-background"),
            (Role::Consequence, "metal-latched"),
            (Role::Consequence, "decode-fatal"),
        ],
    );
}

#[test]
fn what_only_says_that_it_failed_is_the_cause_where_nothing_says_why() {
    check("Error: Failed to load the model\n", &[(Role::Cause, "load-failed")]);
    check(
        "Error: Failed to load the model\nmmap failed: Cannot allocate memory\n",
        &[(Role::Cause, "mmap-enomem"), (Role::Also, "load-failed")],
    );
}

#[test]
fn a_log_in_which_nothing_is_known_says_what_was_looked_for() {
    let text = explain_log("all is well\n".as_bytes()).unwrap().to_string();
    assert!(text.starts_with("nothing recognised in 1 line: looked for "), "{text}");
    assert_eq!(explain_log(&b""[..]).unwrap().to_string(), "the log is empty\n");
}

#[test]
fn the_json_form_is_stable() {
    let report =
        explain_log("check_double_bos_eos: final prompt starts with 2 BOS tokens\n".as_bytes()).unwrap();
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["version"], 1);
    let finding = &json["findings"][0];
    let fields: Vec<&String> = finding.as_object().unwrap().keys().collect();
    let expect = [
        "signature",
        "code",
        "title",
        "layer",
        "severity",
        "role",
        "line",
        "count",
        "text",
        "meaning",
        "cure",
        "case",
        "command",
        "links",
    ];
    assert_eq!(fields, expect);
    assert_eq!((&finding["code"], &finding["role"]), (&"double-bos".into(), &"cause".into()));
    assert_eq!(finding["case"]["run"], "template/double-bos-is-found");
}
