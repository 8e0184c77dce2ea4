//! The models that cases may name: data, in cases/models.json.
//!
//! This room reads the list and says where each file lies. Fetching and making them is xtask's.

mod registry;

pub use registry::{Model, ModelEntry, ModelError, ModelKind, Places, Registry};
