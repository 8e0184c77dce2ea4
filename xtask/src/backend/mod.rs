//! Backends as data, and what builds, starts and describes their probes.
//!
//! A backend is a row in [`table`]: everything that differs between two backends is a field of it. This room
//! makes command lines as pure functions and runs them; it never judges a probe's answers.

mod cargo;
mod list;
mod llama_source;
mod make;
mod processor;
mod qemu;
mod row;
mod simulator;
mod sources;
mod table;

pub(crate) use cargo::{bridge, clippy};
pub(crate) use list::choose;
pub(crate) use llama_source::{LlamaSource, bindings_folder};
pub(crate) use make::{carried, in_use, make};
pub(crate) use row::{DeviceFilter, HostCondition, Row};
pub(crate) use simulator::boot_one;
pub(crate) use table::TABLE;
