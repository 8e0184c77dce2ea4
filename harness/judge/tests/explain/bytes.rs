//! A log may hold anything.

use judge::explain::{LINE_BYTES, explain_log};
use proptest::prelude::*;

/// Words of real logs, so that random text comes near to something.
const WORDS: &[&str] = &[
    "offloaded ",
    "0/33",
    " layers to GPU",
    "n_ctx_train = ",
    "llama_context: n_ctx_seq = ",
    "18446744073709551615",
    "99999999999999999999999999",
    "mmap failed: ",
    "GGML_ASSERT(",
    ") failed",
    "recommendedMaxWorkingSetSize  = ",
    "1.0 MB",
    "file size = ",
    "9.9 GiB",
    "load:   - 1 ('<eos>')",
    "general.architecture str = gemma3",
    "\u{1b}[",
    "\u{202e}",
    "ä€😀",
    "{a}",
    "\n",
    "\r",
    "\0",
];

/// What a report must never hand on to a terminal.
const HARMFUL: [char; 3] = ['\u{1b}', '\u{7}', '\u{202e}'];

proptest! {
    #[test]
    fn bytes_are_no_danger(bytes in prop::collection::vec(any::<u8>(), 0..512)) {
        let report = explain_log(bytes.as_slice()).unwrap();
        prop_assert_eq!(report.bytes, bytes.len() as u64);
        let harmful = report.to_string().contains(HARMFUL);
        prop_assert!(!harmful);
    }

    #[test]
    fn words_are_no_danger(words in prop::collection::vec(prop::sample::select(WORDS), 0..64)) {
        let report = explain_log(words.concat().as_bytes()).unwrap();
        let harmful = report.to_string().contains(HARMFUL);
        prop_assert!(!harmful);
        let counted: u64 = report.findings.iter().map(|finding| finding.count).sum();
        prop_assert!(counted >= report.findings.len() as u64);
    }
}

#[test]
fn a_flood_of_differing_lines_stays_small() {
    let flood: String =
        (0..10_000).map(|n| format!("error loading model: missing tensor 'blk.{n}.x'\n")).collect();
    let report = explain_log(flood.as_bytes()).unwrap();
    assert!(report.findings.len() < 20, "{}", report.findings.len());
    assert_eq!(report.findings.iter().map(|finding| finding.count).sum::<u64>(), 10_000);
}

#[test]
fn one_endless_line_is_cut_and_said_to_be() {
    let mut log = vec![b'x'; 4 * LINE_BYTES];
    log.extend_from_slice(b" failed to load model\nfailed to load model\n");
    let report = explain_log(log.as_slice()).unwrap();
    assert_eq!((report.cut_lines, report.findings[0].line), (1, 2));
    assert!(report.to_string().ends_with("of 1 line only the first 64 KiB were looked at\n"));
}
