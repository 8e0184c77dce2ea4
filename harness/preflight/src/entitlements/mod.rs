//! Which entitlements an app asks for, and which its profile grants.

mod app;
mod archive;
mod blob;
mod entitlement_error;
mod profile;
mod property_list;
mod rights;

pub use entitlement_error::EntitlementError;
pub use rights::{EXTENDED_VIRTUAL_ADDRESSING, INCREASED_MEMORY_LIMIT, Rights, Source};
