//! Which of them.

use anyhow::Result;

use super::prove::{Proof, prove};
use super::{ask, build, bundle, doctor, generate, judge, list, sheet};
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::{DeviceAction, DeviceFlags};

/// Does what is asked for.
pub(in crate::commands) fn run(flags: &DeviceFlags, context: &Context) -> Result<Exit> {
    match &flags.action {
        DeviceAction::List => list::run(context),
        DeviceAction::Doctor(flags) => doctor::run(flags, context),
        DeviceAction::Build(flags) => build::run(flags, context),
        DeviceAction::PushModel(flags) => ask::push_model(flags, context),
        DeviceAction::Run(flags) => ask::run(flags, context),
        DeviceAction::Pull(flags) => ask::pull(flags, context),
        DeviceAction::Bundle(flags) => bundle::run(flags, context),
        DeviceAction::Sheet(flags) => sheet::run(flags, context),
        DeviceAction::Judge(flags) => judge::run(flags, context),
        DeviceAction::Prove { setup } => match prove(*setup, context)? {
            Proof::Done(exit) => Ok(exit),
            Proof::LeftOut(reason) => Err(Exit::Missing.error(reason)),
        },
        DeviceAction::Generate => generate::run(context),
    }
}
