//! The beginning of a case: from what somebody wants to ask to a file that can be asked.
//!
//! It knows the few shapes with which most cases begin. It writes nothing and asks no subject.

mod draft;
mod name;
mod questions;

pub(crate) use draft::{DEFAULT_MODEL, Draft};
pub(crate) use name::problem as name_problem;
pub(crate) use questions::ask;
