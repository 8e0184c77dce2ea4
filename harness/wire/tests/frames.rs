//! Frames: what goes in comes out, and a stream of anything else is an error of its own kind.

mod strategies;

use std::io::{Cursor, Read};

use proptest::prelude::*;
use strategies::{card, observation, piece, request};
use wire::{FrameError, FrameReader, FromHost, FromProbe, PROTOCOL, Piece, write_frame};

fn line<T: serde::Serialize>(value: &T) -> Vec<u8> {
    let mut line = Vec::new();
    write_frame(&mut line, value).unwrap();
    line
}

fn round_trip<T>(value: &T) -> T
where
    T: serde::Serialize + serde::de::DeserializeOwned,
{
    let line = line(value);
    // One line, so that a reader never waits for more.
    assert_eq!(line.iter().position(|byte| *byte == b'\n'), Some(line.len() - 1));
    let mut reader = FrameReader::new(line.as_slice());
    let read = reader.read().unwrap().unwrap();
    assert!(reader.read::<T>().unwrap().is_none());
    read
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn requests_come_out_as_they_went_in(request in request()) {
        let frame = FromHost::Observe(request);
        prop_assert_eq!(round_trip(&frame), frame);
    }

    #[test]
    fn cards_come_out_as_they_went_in(card in card(), pid in any::<u32>()) {
        let frame = FromProbe::Ready { protocol: PROTOCOL, pid, card: Box::new(card) };
        prop_assert_eq!(round_trip(&frame), frame);
    }

    #[test]
    fn observations_come_out_as_they_went_in(observation in observation(), id in any::<u64>()) {
        let frame = FromProbe::Reply { id, observation: Box::new(observation) };
        prop_assert_eq!(round_trip(&frame), frame);
    }

    #[test]
    fn pieces_are_text_or_hex(piece in piece()) {
        let json = serde_json::to_value(&piece).unwrap();
        prop_assert_eq!(json.is_string(), std::str::from_utf8(&piece.0).is_ok());
        prop_assert_eq!(round_trip(&piece), piece);
    }

    #[test]
    fn a_frame_that_was_cut_is_no_frame(observation in observation(), cut in any::<prop::sample::Index>()) {
        let line = line(&observation);
        let cut = cut.index(line.len());
        let outcome = FrameReader::new(&line[..cut]).read::<wire::Observation>();
        if cut == 0 {
            prop_assert!(matches!(outcome, Ok(None)));
        } else {
            prop_assert!(matches!(outcome, Err(FrameError::Truncated { .. })), "{:?}", outcome);
        }
    }

    #[test]
    fn garbage_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut reader = FrameReader::with_limit(bytes.as_slice(), 50);
        for _ in 0..bytes.len() + 1 {
            match reader.read::<FromProbe>() {
                Ok(None) => return Ok(()),
                Ok(Some(frame)) => prop_assert!(false, "{:?}", frame),
                Err(FrameError::Json { .. }) => {}
                Err(_) => return Ok(()),
            }
        }
        prop_assert!(false, "the reader never ended");
    }
}

#[test]
fn hex_is_read_strictly() {
    for (json, expected) in [
        (r#""aé""#, Some("aé".as_bytes().to_vec())),
        (r#"{"hex":"f09F"}"#, Some(vec![0xf0, 0x9f])),
        (r#"{"hex":""}"#, Some(vec![])),
        (r#"{"hex":"f09"}"#, None),
        (r#"{"hex":"+1"}"#, None),
        (r#"{"hex":"é0"}"#, None),
        (r#"{"hex":"f0","more":1}"#, None),
        ("[240]", None),
    ] {
        assert_eq!(serde_json::from_str::<Piece>(json).ok().map(|piece| piece.0), expected, "{json}");
    }
    assert_eq!(serde_json::to_string(&Piece(vec![0xf0, 0x9f])).unwrap(), r#"{"hex":"f09f"}"#);
}

#[test]
fn a_bad_line_costs_one_line() {
    let stream = b"llama_model_load: loaded\n{\"hex\":\"f0\"}\n\n\"good\"\n";
    let mut reader = FrameReader::new(&stream[..]);
    let error = reader.read::<Piece>().unwrap_err();
    assert!(matches!(error, FrameError::Json { .. }));
    assert_eq!(error.excerpt(), "llama_model_load: loaded");
    assert_eq!(reader.read::<Piece>().unwrap(), Some(Piece(vec![0xf0])));
    assert!(matches!(reader.read::<Piece>(), Err(FrameError::Json { .. })));
    assert_eq!(reader.read::<Piece>().unwrap(), Some("good".into()));
    assert!(reader.read::<Piece>().unwrap().is_none());
}

#[test]
fn the_limit_is_exact_and_no_more_is_read() {
    let line = |length: usize| format!("\"{}\"\n", "x".repeat(length - 2)).into_bytes();
    assert!(FrameReader::with_limit(line(10).as_slice(), 10).read::<Piece>().is_ok());
    let outcome = FrameReader::with_limit(line(11).as_slice(), 10).read::<Piece>();
    assert!(matches!(outcome, Err(FrameError::TooLong { limit: 10, .. })), "{outcome:?}");

    let mut endless = Cursor::new(vec![b'x'; 1000]);
    let outcome = FrameReader::with_limit(&mut endless, 10).read::<Piece>();
    assert!(matches!(outcome, Err(FrameError::TooLong { .. })), "{outcome:?}");
    assert_eq!(endless.position(), 11);
}

#[test]
fn a_stream_that_ends_early_says_what_came() {
    let error = FrameReader::new(&b"{\"observe\":{\"id\":1"[..]).read::<FromHost>().unwrap_err();
    assert!(matches!(error, FrameError::Truncated { .. }));
    assert_eq!(error.excerpt(), "{\"observe\":{\"id\":1");
    let error = FrameReader::new(vec![b'x'; 5000].as_slice()).read::<FromHost>().unwrap_err();
    assert_eq!(error.excerpt(), "x".repeat(200));
}

#[test]
fn deep_json_is_refused() {
    let deep =
        format!(r#"{{"render":{{"variables":{{"x":{}{}}}}}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    let outcome = FrameReader::new(format!("{deep}\n").as_bytes()).read::<wire::Stimulus>();
    assert!(matches!(outcome, Err(FrameError::Json { .. })));
}

#[test]
fn a_failing_stream_is_an_error() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("gone"))
        }
    }
    let outcome = FrameReader::new(std::io::BufReader::new(Broken)).read::<FromHost>();
    assert!(matches!(outcome, Err(FrameError::Io(_))));
}
