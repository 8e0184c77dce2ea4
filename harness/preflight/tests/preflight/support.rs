//! Models of a size and a shape, as files of holes.

use std::path::{Path, PathBuf};

use gguf::memory::ModelFiles;
use gguf::{TensorType, Writer};
use preflight::device::{Device, find};
use preflight::entitlements::{EXTENDED_VIRTUAL_ADDRESSING, INCREASED_MEMORY_LIMIT, Rights};
use preflight::{Options, Report};
use tempfile::TempDir;

/// A model of the llama architecture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model {
    pub(super) layers: u32,
    pub(super) kv_heads: u32,
    pub(super) head: u32,
    pub(super) vocabulary: u64,
    pub(super) trained: u32,
    /// Length of the file; tensors are made up to fill it.
    pub(super) bytes: u64,
    pub(super) kind: TensorType,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            layers: 28,
            kv_heads: 8,
            head: 128,
            vocabulary: 262_144,
            trained: 131_072,
            bytes: 1 << 30,
            kind: TensorType::Q4_K,
        }
    }
}

/// Elements of a row.
const WIDTH: u64 = 2048;

impl Model {
    /// The file, all holes.
    pub(super) fn write(&self, folder: &Path) -> PathBuf {
        let path = folder.join("model.gguf");
        let mut file = Writer::new("llama");
        for (key, value) in [
            ("context_length", self.trained),
            ("embedding_length", WIDTH as u32),
            ("block_count", self.layers),
            ("feed_forward_length", 8192),
            ("attention.head_count", 32),
            ("attention.head_count_kv", self.kv_heads),
            ("attention.key_length", self.head),
            ("attention.value_length", self.head),
            ("rope.dimension_count", self.head),
            ("vocab_size", self.vocabulary as u32),
        ] {
            file.set(&format!("llama.{key}"), value);
        }
        let row = self.kind.bytes(&[WIDTH]).unwrap();
        // Several tensors: one would not fit into a buffer.
        // Whole groups of rows, as repacking wants them.
        let rows = self.bytes / row / 16 / 8 * 8;
        for index in 0..16 {
            file.zeros(&format!("blk.{index}.ffn_up.weight"), &[WIDTH, rows], self.kind).unwrap();
        }
        file.write_to(&path).unwrap();
        path
    }

    /// The report on `device`, of an app with both entitlements or none.
    pub(super) fn on(&self, device: &str, entitled: bool, options: &Options) -> Report {
        self.report(device, entitled, options, None)
    }

    /// As [`Model::on`], with a compute buffer of a known size.
    pub(super) fn report(
        &self,
        device: &str,
        entitled: bool,
        options: &Options,
        compute: Option<u64>,
    ) -> Report {
        let folder = TempDir::new().unwrap();
        let files = ModelFiles::open(&self.write(folder.path())).unwrap();
        Report::of("model", &files, &device_named(device), &rights(entitled), options, compute).unwrap()
    }
}

pub(super) fn device_named(name: &str) -> Device {
    find(name, None).unwrap()
}

/// Both entitlements, or none.
pub(super) fn rights(entitled: bool) -> Rights {
    let keys = [EXTENDED_VIRTUAL_ADDRESSING, INCREASED_MEMORY_LIMIT].map(str::to_owned).to_vec();
    Rights { known: entitled, asked: entitled.then_some(keys), granted: None }
}

/// A context of so many tokens.
pub(super) fn context(n_ctx: u64) -> Options {
    Options { n_ctx: Some(n_ctx), ..Options::default() }
}

pub(super) const GB: u64 = 1_000_000_000;
pub(super) const MIB: u64 = 1 << 20;
