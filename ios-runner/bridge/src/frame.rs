//! Frames as bytes.

use wire::{Card, Ending, FromHost, FromProbe, Layer, Observation, PROTOCOL, Refusal, RefusalCode, Request};

/// The first frame: who is there.
pub(crate) fn ready(card: &Card) -> Vec<u8> {
    encode(&FromProbe::Ready { protocol: PROTOCOL, pid: std::process::id(), card: Box::new(card.clone()) })
}

/// The answer to the request called `id`.
pub(crate) fn reply(id: u64, observation: Observation) -> Vec<u8> {
    encode(&FromProbe::Reply { id, observation: Box::new(observation) })
}

/// The answer to something that is no request: id 0, refused as `bad-request`.
pub(crate) fn no_request(message: impl Into<String>) -> Vec<u8> {
    reply(0, refused(RefusalCode::BadRequest, message))
}

/// The answer where nobody is there to ask.
pub(crate) fn nobody(id: u64, message: impl Into<String>) -> Vec<u8> {
    reply(id, refused(RefusalCode::Unsupported, message))
}

/// The answer of a subject that panicked: it died, and its last words say of what.
pub(crate) fn died(words: String) -> Observation {
    let mut observation = Observation::ended(Ending::Died { signal: None, exit_code: None });
    observation.log_tail.push(words);
    observation
}

/// The request in a frame; its newline may be left out.
pub(crate) fn request(bytes: &[u8]) -> Result<Request, String> {
    match serde_json::from_slice(bytes) {
        Ok(FromHost::Observe(request)) => Ok(request),
        Err(error) => Err(format!("not a frame: {error}; send {{\"observe\": REQUEST}}")),
    }
}

fn refused(code: RefusalCode, message: impl Into<String>) -> Observation {
    Observation::ended(Ending::Refused(Refusal { layer: Layer::Load, code, message: message.into() }))
}

fn encode(frame: &FromProbe) -> Vec<u8> {
    serde_json::to_vec(frame).unwrap_or_else(|error| {
        // Only a map with keys that are no strings could not be written, and a frame has none.
        format!("{{\"reply\":{{\"id\":0,\"observation\":{{\"ending\":{{\"garbled\":{{\"problem\":{:?},\"excerpt\":\"\"}}}}}}}}}}", error.to_string()).into_bytes()
    })
}
