//! `cargo xtask preflight`: from a model, a device and an app to whether it will load and chat.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use gguf::memory::ModelFiles;
use judge::models::Model;
use judge::setup::Folders;
use preflight::device::{Certainty, Device, Limit, Measured, all, find};
use preflight::entitlements::{Rights, Source};
use preflight::{Need, Options, Report};
use wire::{ContextConfig, FlashAttention, Weights};

use super::ask::{Asked, Memory, question};
use super::{kind, prove};

use crate::bench;
use crate::command_line::CommandLine;
use crate::commands::fixtures;
use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::PreflightFlags;
use crate::models;
use crate::pipe;
use crate::progress;
use crate::table::Table;

/// Prints the report; not fine where the model will not load or chat.
pub(in crate::commands) fn run(flags: &PreflightFlags, context: &Context) -> Result<Exit> {
    if flags.list_devices {
        print!("{}", list());
        return Ok(Exit::Fine);
    }
    if flags.prove {
        return prove::run(flags.backend.as_deref().unwrap_or("cpu"), flags.setup, context);
    }
    let device = device(flags)?;
    let rights = rights(flags, context)?;
    let model = model(flags.model.as_deref().unwrap_or_default(), context)?;
    let files = ModelFiles::open(&model.path).or_exit(Exit::Input)?;
    let options = options(flags);
    let compute = compute(flags, &model, &files, &device, &options, context)?;
    let name = if model.listed { model.name.clone() } else { file_name(&model.path) };
    let report = Report::of(&name, &files, &device, &rights, &options, compute)
        .with_context(|| model.path.display().to_string())
        .or_exit(Exit::Input)?;
    if flags.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{report}");
    }
    if flags.peak_memory {
        pipe::say(&bench::peak_line());
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

/// The model, its file made where it is a fixture.
fn model(asked: &str, context: &Context) -> Result<Arc<Model>> {
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
    Ok(model)
}

/// What llama.cpp itself reckons for the compute buffer, where a backend's probe is asked.
fn compute(
    flags: &PreflightFlags,
    model: &Model,
    files: &ModelFiles,
    device: &Device,
    options: &Options,
    context: &Context,
) -> Result<Option<u64>> {
    let Some(backend) = &flags.backend else { return Ok(None) };
    let need = Need::of(files, device, options).with_context(|| model.path.display().to_string());
    let params = need.or_exit(Exit::Input)?.params;
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let (Some(type_k), Some(type_v)) = (kind::to_wire(params.type_k), kind::to_wire(params.type_v)) else {
        return Err(Exit::Usage.error("a probe knows caches in f32, f16, q8_0 and q4_0; leave --backend out"));
    };
    let n_ctx = if params.n_ctx == 0 { files.first().architecture_u64("context_length") } else { None };
    let config = ContextConfig {
        n_ctx: small(n_ctx.unwrap_or(params.n_ctx)),
        n_batch: small(params.n_batch),
        n_ubatch: small(params.n_ubatch),
        n_seq_max: small(params.n_seq_max),
        type_k,
        type_v,
        flash_attention: if params.flash_attention { FlashAttention::Auto } else { FlashAttention::Off },
        swa_full: params.swa_full,
        ..ContextConfig::default()
    };
    let mut asked = Asked::of(backend, flags.setup, context)?;
    match asked.ask(&question(model, Weights::File, true, config))? {
        Memory::Allocated { compute, .. } => Ok(Some(compute)),
        Memory::Refused(why) => {
            pipe::say(&format!("{backend} makes no such context ({why}): its compute buffer is estimated"));
            Ok(None)
        }
        Memory::Untold => {
            pipe::say(&format!("the llama.cpp of {backend} does not tell: the compute buffer is estimated"));
            Ok(None)
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn options(flags: &PreflightFlags) -> Options {
    Options {
        n_ctx: flags.n_ctx,
        type_k: kind::of_flag(flags.kv),
        type_v: kind::of_flag(flags.kv_v.unwrap_or(flags.kv)),
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
