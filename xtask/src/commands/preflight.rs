//! `cargo xtask preflight`: from a model, a device and an app to whether it will load and chat.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use gguf::TensorType;
use gguf::memory::ModelFiles;
use judge::setup::Folders;
use preflight::device::{Certainty, Device, Limit, Measured, all, find};
use preflight::entitlements::{Rights, Source};
use preflight::{Options, Report};

use crate::command_line::CommandLine;
use crate::commands::fixtures;
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::{KvKind, PreflightFlags};
use crate::models;
use crate::progress;
use crate::table::Table;

/// Prints the report; not fine where the model will not load or chat.
pub(super) fn run(flags: &PreflightFlags, context: &Context) -> Result<Exit> {
    if flags.list_devices {
        print!("{}", list());
        return Ok(Exit::Fine);
    }
    let device = device(flags)?;
    let rights = rights(flags, context)?;
    let (name, path) = model(flags.model.as_deref().unwrap_or_default(), context)?;
    let files = ModelFiles::open(&path).or_exit(Exit::Input)?;
    let report = Report::of(&name, &files, &device, &rights, &options(flags), None)
        .with_context(|| path.display().to_string())
        .or_exit(Exit::Input)?;
    if flags.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{report}");
    }
    Ok(if report.is_fine() { Exit::Fine } else { Exit::Verdicts })
}

fn device(flags: &PreflightFlags) -> Result<Device> {
    match (&flags.measured, &flags.device) {
        (Some(path), device) => {
            let measured = Measured::read(path).or_exit(Exit::Input)?;
            measured.device(path, device.as_deref(), flags.ram).or_exit(Exit::Usage)
        }
        (None, device) => find(device.as_deref().unwrap_or_default(), flags.ram).or_exit(Exit::Usage),
    }
}

fn rights(flags: &PreflightFlags, context: &Context) -> Result<Rights> {
    let Some(app) = &flags.app else {
        let (entitlements, profile) = (flags.entitlements.as_deref(), flags.provisioning.as_deref());
        return Rights::read(Source::Files { entitlements, profile }).or_exit(Exit::Input);
    };
    // An app that Xcode has just built lies on a Mac, and there codesign reads the signature as the phone will.
    let signed = (context.machine.host.is_mac() && app.is_dir())
        .then(|| codesign(app).capture(&context.machine, Exit::Input))
        .transpose()?;
    let signed = signed.as_deref().map(str::as_bytes);
    Rights::read(Source::App { path: app, signed }).or_exit(Exit::Input)
}

/// What prints the entitlements in an app's signature as XML.
fn codesign(app: &Path) -> CommandLine {
    CommandLine::new("codesign", ["-d", "--entitlements", "-", "--xml"]).arg(app.display().to_string())
}

/// The model's name and its file, made where it is a fixture.
fn model(asked: &str, context: &Context) -> Result<(String, PathBuf)> {
    let registry = models::read(&context.workspace)?;
    let folders = Folders::of_workspace(context.workspace.root());
    let model = Arc::new(registry.resolve(asked, &folders.places()).or_exit(Exit::Input)?);
    fixtures::write_those(std::slice::from_ref(&model), context)?;
    if !model.path.is_file() {
        let name = &model.name;
        return Err(
            Exit::Input.error(format!("{name} is not here yet; run `cargo xtask models fetch {name}`"))
        );
    }
    let name = if model.listed { model.name.clone() } else { file_name(&model.path) };
    Ok((name, model.path.clone()))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn options(flags: &PreflightFlags) -> Options {
    Options {
        n_ctx: flags.n_ctx,
        type_k: kind(flags.kv),
        type_v: kind(flags.kv_v.unwrap_or(flags.kv)),
        flash_attention: !flags.no_flash_attention,
        swa_full: !flags.swa_window,
        mmap: !flags.no_mmap,
        cpu_only: flags.cpu,
        sequences: flags.sequences,
        n_ubatch: flags.ubatch,
        tokens_per_second: flags.tokens_per_second,
        turn_tokens: flags.turn_tokens,
    }
}

const fn kind(kind: KvKind) -> TensorType {
    match kind {
        KvKind::F32 => TensorType::F32,
        KvKind::F16 => TensorType::F16,
        KvKind::Bf16 => TensorType::BF16,
        KvKind::Q8 => TensorType::Q8_0,
        KvKind::Q51 => TensorType::Q5_1,
        KvKind::Q50 => TensorType::Q5_0,
        KvKind::Q41 => TensorType::Q4_1,
        KvKind::Q40 => TensorType::Q4_0,
        KvKind::Iq4Nl => TensorType::IQ4_NL,
    }
}

/// All devices: what an app may map and take there without and with entitlements, and what the GPU holds. A figure
/// that is inferred has a `~`.
fn list() -> Table {
    let mut table = Table::new(&["device", "GB", "identifier", "map", "entitled", "app", "entitled", "GPU"]);
    let show = |limit: Option<&Limit>| match limit {
        None => "-".to_owned(),
        Some(limit) if limit.certainty == Certainty::Inferred => format!("~{}", progress::size(limit.bytes)),
        Some(limit) => progress::size(limit.bytes),
    };
    for device in all() {
        let limits = &device.limits;
        table.row([
            device.name.clone(),
            device.ram.to_string(),
            device.identifiers.first().cloned().unwrap_or_default(),
            show(limits.address_space.without.as_ref()),
            show(limits.address_space.with.as_ref()),
            show(limits.app_memory.without.as_ref()),
            show(limits.app_memory.with.as_ref()),
            show(limits.working_set.as_ref()),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_that_reads_a_signature() {
        let line = codesign(Path::new("/b/My App.app")).to_string();
        assert_eq!(line, "codesign -d --entitlements - --xml '/b/My App.app'");
    }

    #[test]
    fn every_device_is_listed() {
        assert_eq!(list().to_string().lines().count(), all().len() + 1);
    }
}
