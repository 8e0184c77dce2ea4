//! Models that were never there on devices that are not here: what public reports say must come out.
#![forbid(unsafe_code)]

mod arithmetic;
mod devices;
mod entitlements;
mod experts;
mod rows;
mod support;
mod terminal;
