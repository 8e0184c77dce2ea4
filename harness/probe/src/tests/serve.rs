//! Frames in, frames out.

use std::{io::Cursor, sync::mpsc};

use serde_json::json;
use wire::{FrameReader, FromProbe, PROTOCOL};

use super::desk::Desk;
use crate::{serve, testing::Script};

fn talk(input: String) -> (Vec<FromProbe>, Result<(), String>) {
    let (sender, end) = mpsc::channel();
    let mut output = Vec::new();
    let at_end = move |end: Result<(), wire::FrameError>| {
        let _ = sender.send(end.map_err(|error| error.to_string()));
    };
    serve(&mut Desk::new(Script::says("ok")).probe, Cursor::new(input), &mut output, at_end).unwrap();
    let mut frames = FrameReader::new(Cursor::new(output));
    let mut said = Vec::new();
    while let Some(frame) = frames.read().unwrap() {
        said.push(frame);
    }
    (said, end.recv().unwrap())
}

fn request(id: u64) -> String {
    let stream = json!({ "stream": { "pieces": ["ok"] } });
    json!({ "observe": { "id": id, "model": null, "stimulus": stream } }).to_string() + "\n"
}

#[test]
fn it_says_who_it_is_and_answers_in_order() {
    let (said, end) = talk(request(3) + &request(1));
    assert!(matches!(&said[0], FromProbe::Ready { protocol: PROTOCOL, .. }));
    let ids: Vec<u64> = said[1..]
        .iter()
        .map(|frame| match frame {
            FromProbe::Reply { id, .. } => *id,
            FromProbe::Ready { .. } => panic!("a second greeting"),
        })
        .collect();
    assert_eq!((ids, end), (vec![3, 1], Ok(())));
}

#[test]
fn what_is_no_frame_ends_it_with_a_reason() {
    for garbage in ["garbage\n", "{\"observe\": {\"id\": 1, \"surprise\": 2}}\n", "{\"obs"] {
        let (said, end) = talk(request(7) + garbage);
        assert_eq!(said.len(), 2, "{garbage}");
        assert!(end.is_err(), "{garbage}");
    }
}
