//! The models that cases may name: data, in cases/models.json.
//!
//! This room reads the list and says where each file lies. Fetching and making them is xtask's.

mod hub_file;
mod one_or_many;
mod registry;

pub use hub_file::{HubFile, HubFileError};
pub use registry::{Model, ModelEntry, ModelError, ModelKind, Places, Registry};
