//! One page for people that needs nothing else: no network, no other file, no server.
//!
//! The frame is made here; the matrix and the cases are drawn in the browser from the same document that the JSON
//! report holds, so that ten thousand results stay quick. Nothing that comes from a model, a template or a log may
//! become markup: maud escapes here, the scripts make text nodes alone, `<` does not occur in the embedded JSON, and
//! a content security policy lets no other script run and nothing be fetched.

mod embed;
mod frame;
mod problem;

pub(super) use frame::text;
