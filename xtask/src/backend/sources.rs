//! What a probe is built from.

use anyhow::Result;

use super::cargo::BuildInput;
use super::llama_source::LlamaSource;
use super::row::Row;
use crate::digest;
use crate::workspace::Workspace;

/// Everything in the repository that ends up in a probe.
const SOURCES: &[&str] = &["Cargo.lock", "harness/probe", "harness/prompt", "harness/wire"];

/// A hash of the probe's sources and of the settings with which `row` is built from `input`.
pub(super) fn hash(row: &Row, input: &BuildInput, workspace: &Workspace) -> Result<String> {
    let mut settings: Vec<String> =
        row.env_on(input.host).map(|(key, value)| format!("{key}={value}")).collect();
    settings.extend(row.rustflags().iter().map(ToString::to_string));
    settings.extend(row.features.iter().map(ToString::to_string));
    settings.extend(row.target.map(str::to_owned));
    settings.extend(row.software_gpu.iter().map(|(key, value)| format!("run {key}={value}")));
    settings.extend(input.llama.as_ref().map(LlamaSource::hash).transpose()?);
    digest::of_tree(workspace.root(), SOURCES, &settings)
}
