//! The models that cases may name: the catalogue, the cache, and how files get there.
//!
//! A file is in place only when its size and checksum are right; until then it has another name.

mod cache;
mod catalogue;
mod chosen;
mod fetch;
mod hub;
mod hub_error;
mod joined;
mod model_file;
mod pip;
mod room;
mod stamp;
mod verify;
mod wheel;

pub(crate) use cache::{Cache, folder as cache_folder};
pub(crate) use catalogue::{entry, read};
pub(crate) use chosen::chosen;
pub(crate) use fetch::{Fetched, fetch};
pub(crate) use model_file::{ModelFile, Origin};
pub(crate) use room::ensure as ensure_room;
pub(crate) use verify::{State, defects, look, state, verify};
