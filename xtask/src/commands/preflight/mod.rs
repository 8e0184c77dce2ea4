//! `cargo xtask preflight`: will a model load and chat on a device? And the proof of its arithmetic.

mod ask;
mod command;
mod kind;
mod prove;

pub(super) use command::run;
