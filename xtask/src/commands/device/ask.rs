//! `device push-model`, `run` and `pull`: there and back.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use device::Phone;
use device::flow::{self, Connection, Ran, Target, Tools};
use device::said::pick;

use super::build::{Built, app};
use super::place::Place;
use super::told::{Told as _, phone, tools};
use super::{judge, list, sheet};
use crate::backend;
use crate::context::Context;
use crate::exit::Exit;
use crate::flags::{DeviceJudgeFlags, PhoneFlags, RunFlags, SheetFlags};

/// Everything that leads to the app.
struct Way {
    phone: &'static Phone,
    tools: Tools,
    target: Target,
    bundle: String,
    scratch: tempfile::TempDir,
}

impl Way {
    fn find(flags: &PhoneFlags, context: &Context) -> Result<Self> {
        let (phone, tools) = (phone(&flags.subject)?, tools(context)?);
        let target = if phone.simulator {
            Target::Simulator(backend::boot_one(&context.machine)?)
        } else {
            Target::Device(pick(&list::known(&tools)?, flags.device.as_deref()).told()?.udid.clone())
        };
        Ok(Self {
            phone,
            tools,
            target,
            bundle: app(flags).bundle(&flags.prefix),
            scratch: tempfile::tempdir()?,
        })
    }

    fn connection(&self) -> Connection<'_> {
        Connection {
            tools: &self.tools,
            target: &self.target,
            bundle: &self.bundle,
            scratch: self.scratch.path(),
        }
    }
}

/// Installs the app, makes the sheet, and copies it and its models there.
pub(super) fn push_model(flags: &RunFlags, context: &Context) -> Result<Exit> {
    let way = Way::find(&flags.phone, context)?;
    push(flags, &way, context).map(|_| Exit::Fine)
}

fn push(flags: &RunFlags, way: &Way, context: &Context) -> Result<device::Sheet> {
    let (made, paths) = sheet::make(&sheet_flags(flags), context)?;
    sheet::write(&made, &Place::of(&flags.phone.subject, context)?.sheet())?;
    let app = Built::of(way.phone, context).app(&app(&flags.phone), way.phone.simulator);
    if !app.exists() {
        return Err(
            Exit::Missing.error(format!("{} is not there; `cargo xtask device build` first", app.display()))
        );
    }
    way.connection().install(&app).told()?;
    let find = |file: &str| named(&paths, file);
    flow::push(&way.connection(), &made, find).told()?;
    eprintln!("pushed {} questions and {} model files", made.questions.len(), made.models.len());
    Ok(made)
}

/// The questions as `flags` choose them.
pub(super) fn sheet_flags(flags: &RunFlags) -> SheetFlags {
    SheetFlags {
        subject: flags.phone.subject.clone(),
        model: flags.model.clone(),
        filter: flags.filter.clone(),
        reference: flags.reference.clone(),
        out: None,
    }
}

/// The path among `paths` that ends with `file`.
pub(super) fn named(paths: &[PathBuf], file: &str) -> Option<PathBuf> {
    paths.iter().find(|path| path.file_name().is_some_and(|name| name == file)).cloned()
}

/// Pushes, asks, fetches and judges.
pub(super) fn run(flags: &RunFlags, context: &Context) -> Result<Exit> {
    let way = Way::find(&flags.phone, context)?;
    let xctestrun = Built::of(way.phone, context).xctestrun()?;
    let made = push(flags, &way, context)?;
    let answers = emptied(&flags.phone, context)?;
    let (tests, options) = (app(&flags.phone).tests, way.phone.options());
    let ran = Ran { xctestrun: &xctestrun, tests, options: &options, minutes: flags.minutes.into() };
    let collected = flow::ask(&way.connection(), &made, &ran, &answers).told()?;
    eprintln!("{} of {} questions were asked", collected.asked.len(), made.questions.len());
    let judged = DeviceJudgeFlags {
        answers: vec![answers],
        subject: flags.phone.subject.clone(),
        sheet: None,
        reference: flags.reference.clone(),
        record: None,
        filter: Vec::new(),
        reports: flags.reports.clone(),
    };
    if way.phone.simulator {
        eprintln!("{}: wiring only, says nothing about answer quality", way.phone.name);
    }
    judge::run(&judged, context)
}

/// Fetches what lies in the app, for `device judge`.
pub(super) fn pull(flags: &PhoneFlags, context: &Context) -> Result<Exit> {
    let way = Way::find(flags, context)?;
    let answers = Place::of(&flags.subject, context)?.answers();
    flow::pull(&way.connection(), None, &answers).told()?;
    println!("{}", answers.display());
    Ok(Exit::Fine)
}

/// The folder of answers, without those of an earlier run.
fn emptied(flags: &PhoneFlags, context: &Context) -> Result<PathBuf> {
    let answers = Place::of(&flags.subject, context)?.answers();
    let cannot = |what: &str, folder: &Path| format!("cannot {what} {}", folder.display());
    if answers.exists() {
        fs::remove_dir_all(&answers).with_context(|| cannot("remove", &answers))?;
    }
    fs::create_dir_all(&answers).with_context(|| cannot("make", &answers))?;
    Ok(answers)
}
