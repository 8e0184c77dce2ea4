//! The program as a person meets it: a real process in a project of its own, with fake tools on its PATH.
#![forbid(unsafe_code)]

mod device;
mod hub;
mod inputs;
mod lint;
mod loopback;
mod models;
mod new_case;
mod preflight;
mod render;
mod report;
mod review;
mod sample;
#[path = "../support/mod.rs"]
mod support;
mod usage;
mod verify;
