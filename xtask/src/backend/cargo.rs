//! The command line that builds a probe, and where the probe then lies.

use std::path::{Path, PathBuf};

use super::llama_source::LlamaSource;
use super::row::Row;
use crate::command_line::CommandLine;
use crate::machine::{Host, Machine};
use crate::setup::{self, Need};
use crate::workspace::Workspace;

/// What of the machine goes into a build.
#[derive(Clone, Debug)]
pub(super) struct BuildInput {
    /// Operating system and processor.
    pub(super) host: Host,
    /// Whether ccache is on PATH.
    pub(super) ccache: bool,
    /// Variables of the environment that would change llama.cpp behind the row's back.
    pub(super) unset: Vec<String>,
    /// The folder of Vulkan headers that are not the system's, for a row that needs them.
    pub(super) vulkan_sdk: Option<PathBuf>,
    /// The llama.cpp that is built instead of the pinned one.
    pub(super) llama: Option<LlamaSource>,
    /// A compiler that has the row's target, where the one on PATH does not.
    pub(super) rustc: Option<PathBuf>,
}

impl BuildInput {
    /// Looks at `machine`.
    pub(super) fn of(machine: &Machine, row: &Row, llama: Option<&LlamaSource>) -> Self {
        let ours = |key: &str| row.env_on(machine.host).any(|(name, _)| name == key);
        let unset = machine
            .env
            .keys()
            .filter_map(|key| key.to_str())
            .filter(|key| key.starts_with("GGML_") && !ours(key))
            .map(str::to_owned)
            .collect();
        let needs_headers = row.needs.contains(&Need::VulkanHeaders);
        let vulkan_sdk = needs_headers.then(|| setup::vulkan_headers(machine)?.prefix).flatten();
        let rustc = row.target.and_then(|triple| setup::other_rustc(triple, machine));
        let ccache = machine.find("ccache").is_some();
        Self { host: machine.host, ccache, unset, vulkan_sdk, llama: llama.cloned(), rustc }
    }

    /// Where the probe of `row` is built and described.
    pub(super) fn folder(&self, row: &Row, workspace: &Workspace) -> PathBuf {
        match &self.llama {
            Some(llama) => workspace.probe_folder(&format!("{}@{}", row.name, llama.label())),
            None => workspace.probe_folder(row.name),
        }
    }
}

/// `cargo build` for `row`, in its own folder and environment.
pub(super) fn build(row: &Row, workspace: &Workspace, input: &BuildInput) -> CommandLine {
    cargo("build", row, workspace, input)
}

/// clippy over the probe of `row`, warnings denied. It takes llama.cpp from what [`build`] has built.
pub(crate) fn clippy(row: &Row, workspace: &Workspace, machine: &Machine) -> CommandLine {
    cargo("clippy", row, workspace, &BuildInput::of(machine, row, None)).args([
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ])
}

/// Builds the bridge with llama.cpp inside as a static library, beside the probe of `row`, whose llama.cpp it takes.
pub(crate) fn bridge(row: &Row, workspace: &Workspace, machine: &Machine) -> CommandLine {
    let input = BuildInput::of(machine, row, None);
    cargo_of("build", "bridge", &["llama"], row, workspace, &input)
}

/// One environment for all of cargo's commands: with another one llama.cpp would be built again.
fn cargo(command: &str, row: &Row, workspace: &Workspace, input: &BuildInput) -> CommandLine {
    cargo_of(command, "probe", &features(row, input), row, workspace, input)
}

fn cargo_of(
    command: &str,
    package: &str,
    features: &[&str],
    row: &Row,
    workspace: &Workspace,
    input: &BuildInput,
) -> CommandLine {
    let folder = input.folder(row, workspace);
    let mut line = CommandLine::new("cargo", [command, "--release", "--package", package, "--target-dir"])
        .arg(folder.display().to_string())
        .in_folder(workspace.root());
    if let Some(target) = row.target {
        line = line.args(["--target", target]);
    }
    if let Some(llama) = &input.llama {
        line = instead_of_the_pinned(line, llama);
    }
    if !features.is_empty() {
        line = line.args(["--features", &features.join(",")]);
    }
    // The encoded form also wins over an empty list's alternatives: RUSTFLAGS and the user's own cargo settings.
    line = line
        .env("CARGO_ENCODED_RUSTFLAGS", row.rustflags().join("\x1f"))
        .env("LLAMA_CONFORMANCE_BACKEND", row.name)
        .env("LLAMA_LIB_PROFILE", "Release");
    for (key, value) in row.env_on(input.host) {
        line = line.env(key, value);
    }
    if let Some(rustc) = &input.rustc {
        line = line.env("RUSTC", rustc.display().to_string());
    }
    if let Some(sdk) = &input.vulkan_sdk {
        // CMake looks in the first; the second goes before the system's older headers in every compilation.
        line = line
            .env("VULKAN_SDK", sdk.display().to_string())
            .env("CPATH", sdk.join("include").display().to_string());
    }
    for key in &input.unset {
        line = line.unset(key);
    }
    if input.ccache { with_ccache(line, row, workspace) } else { line }
}

/// The row's features. Where another llama.cpp is built than the pinned one, llama-cpp-2 and the shims over its C++ API,
/// which has no promise to stay, are left out.
fn features(row: &Row, input: &BuildInput) -> Vec<&'static str> {
    let other = input.llama.is_some();
    let kept = row.features.iter().copied().filter(|feature| !(other && *feature == "jinja"));
    other.then_some("llama").into_iter().chain(kept).collect()
}

/// A path override rather than a patch: it leaves Cargo.lock as it is.
fn instead_of_the_pinned(line: CommandLine, llama: &LlamaSource) -> CommandLine {
    line.args(["--config", &format!("paths=[{:?}]", llama.package())])
        .arg("--no-default-features")
        .env("LLAMA_CONFORMANCE_LLAMA_SRC", llama.dir().display().to_string())
}

/// ccache before both compilers. It knows `-march=native` only as text: without the processor's flags as a
/// further input, objects made on another machine would come back and die with an illegal instruction.
fn with_ccache(mut line: CommandLine, row: &Row, workspace: &Workspace) -> CommandLine {
    line = line
        .env("CMAKE_C_COMPILER_LAUNCHER", "ccache")
        .env("CMAKE_CXX_COMPILER_LAUNCHER", "ccache")
        .env("CCACHE_BASEDIR", workspace.root().display().to_string())
        .env("CCACHE_NOHASHDIR", "1");
    if row.features.contains(&"cuda") {
        line = line.env("CMAKE_CUDA_COMPILER_LAUNCHER", "ccache");
    }
    if row.native {
        line = line.env("CCACHE_EXTRAFILES", cpu_flags_file(row, workspace).display().to_string());
    }
    line
}

/// The file that names this processor's features, for [`with_ccache`].
pub(super) fn cpu_flags_file(row: &Row, workspace: &Workspace) -> PathBuf {
    workspace.probe_folder(row.name).join("processor.txt")
}

/// Where cargo puts the probe of `row`.
pub(super) fn probe_path(row: &Row, folder: &Path) -> PathBuf {
    let mut path = folder.to_owned();
    path.extend(row.target);
    path.join("release").join("probe")
}

#[cfg(test)]
mod tests {
    use crate::backend::TABLE;
    use crate::testing::FakeMachine;

    use super::*;

    const LINUX: Host = Host { os: "linux", arch: "x86_64" };
    const MAC: Host = Host { os: "macos", arch: "aarch64" };

    /// The command line for `name`, with the workspace at `~`.
    fn line(name: &str, host: Host, ccache: bool, unset: &[&str]) -> String {
        let fake = FakeMachine::new(host.os, host.arch);
        let workspace = fake.workspace();
        let row = TABLE.iter().find(|row| row.name == name).unwrap();
        let unset = unset.iter().map(ToString::to_string).collect();
        let headers = row.needs.contains(&Need::VulkanHeaders);
        let vulkan_sdk = headers.then(|| workspace.root().join("headers/usr"));
        build(row, &workspace, &BuildInput { host, ccache, unset, vulkan_sdk, llama: None, rustc: None })
            .to_string()
            .replace(&workspace.root().display().to_string(), "~")
    }

    #[test]
    fn cpu_on_linux() {
        assert_eq!(
            line("cpu", LINUX, true, &["GGML_CUDA"]),
            "env -u GGML_CUDA CARGO_ENCODED_RUSTFLAGS='-C target-cpu=native' \
             CCACHE_BASEDIR=~ CCACHE_EXTRAFILES=~/target/probe/cpu/processor.txt CCACHE_NOHASHDIR=1 \
             CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_C_COMPILER_LAUNCHER=ccache \
             LLAMA_CONFORMANCE_BACKEND=cpu LLAMA_LIB_PROFILE=Release \
             cargo build --release --package probe --target-dir ~/target/probe/cpu --features jinja"
        );
    }

    #[test]
    fn cpu_baseline_on_linux() {
        assert_eq!(
            line("cpu-baseline", LINUX, false, &[]),
            "CARGO_ENCODED_RUSTFLAGS='' LLAMA_CONFORMANCE_BACKEND=cpu-baseline LLAMA_LIB_PROFILE=Release \
             cargo build --release --package probe --target-dir ~/target/probe/cpu-baseline --features jinja"
        );
    }

    #[test]
    fn cpu_on_a_mac() {
        assert_eq!(
            line("cpu", MAC, false, &[]),
            "CARGO_ENCODED_RUSTFLAGS='-C target-cpu=native' GGML_METAL=OFF LLAMA_CONFORMANCE_BACKEND=cpu \
             LLAMA_LIB_PROFILE=Release cargo build --release --package probe --target-dir ~/target/probe/cpu --features jinja"
        );
    }

    #[test]
    fn cpu_blas_on_linux() {
        assert_eq!(
            line("cpu-blas", LINUX, false, &[]),
            "CARGO_ENCODED_RUSTFLAGS='-C target-cpu=native -C link-arg=-lopenblas' GGML_BLAS=ON \
             GGML_BLAS_VENDOR=OpenBLAS LLAMA_CONFORMANCE_BACKEND=cpu-blas LLAMA_LIB_PROFILE=Release \
             cargo build --release --package probe --target-dir ~/target/probe/cpu-blas"
        );
    }

    #[test]
    fn cuda_on_linux() {
        assert_eq!(
            line("cuda", LINUX, true, &["GGML_CUDA"]),
            "env -u GGML_CUDA CARGO_ENCODED_RUSTFLAGS='-C target-cpu=native' CCACHE_BASEDIR=~ \
             CCACHE_EXTRAFILES=~/target/probe/cuda/processor.txt CCACHE_NOHASHDIR=1 \
             CMAKE_CUDA_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache \
             CMAKE_C_COMPILER_LAUNCHER=ccache LLAMA_CONFORMANCE_BACKEND=cuda LLAMA_LIB_PROFILE=Release \
             cargo build --release --package probe --target-dir ~/target/probe/cuda --features cuda"
        );
    }

    #[test]
    fn vulkan_on_linux_with_headers_of_its_own() {
        assert_eq!(
            line("vulkan", LINUX, false, &[]),
            "CARGO_ENCODED_RUSTFLAGS='-C target-cpu=native' CPATH=~/headers/usr/include \
             LLAMA_CONFORMANCE_BACKEND=vulkan LLAMA_LIB_PROFILE=Release VULKAN_SDK=~/headers/usr \
             cargo build --release --package probe --target-dir ~/target/probe/vulkan --features vulkan"
        );
    }

    #[test]
    fn arm64_on_linux() {
        assert_eq!(
            line("arm64", LINUX, false, &[]),
            "BINDGEN_EXTRA_CLANG_ARGS_aarch64_unknown_linux_gnu=-isystem/usr/aarch64-linux-gnu/include \
             CARGO_ENCODED_RUSTFLAGS='' CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
             LLAMA_CONFORMANCE_BACKEND=arm64 LLAMA_LIB_PROFILE=Release cargo build --release --package probe \
             --target-dir ~/target/probe/arm64 --target aarch64-unknown-linux-gnu"
        );
    }

    #[test]
    fn metal_on_a_mac() {
        assert_eq!(
            line("metal", MAC, false, &[]),
            "CARGO_ENCODED_RUSTFLAGS='-C target-cpu=native' GGML_METAL=ON LLAMA_CONFORMANCE_BACKEND=metal \
             LLAMA_LIB_PROFILE=Release cargo build --release --package probe --target-dir ~/target/probe/metal \
             --features metal"
        );
    }

    #[test]
    fn another_llama_cpp() {
        let fake = FakeMachine::new("linux", "x86_64");
        let workspace = fake.workspace();
        let (dir, llama) = LlamaSource::fake(&fake);
        let row = TABLE.iter().find(|row| row.name == "metal").unwrap();
        let input = BuildInput {
            host: MAC,
            ccache: false,
            unset: vec![],
            vulkan_sdk: None,
            llama: Some(llama.clone()),
            rustc: None,
        };
        let line = build(row, &workspace, &input).to_string();
        let folder = workspace.probe_folder(&format!("metal@{}", llama.label()));
        assert!(line.contains(&format!("LLAMA_CONFORMANCE_LLAMA_SRC={}", dir.display())), "{line}");
        let tail = format!(
            "--target-dir {} --config 'paths=[{:?}]' --no-default-features --features llama,metal",
            folder.display(),
            llama.package()
        );
        assert!(line.ends_with(&tail), "{line}");
    }

    #[test]
    fn a_probe_to_carry() {
        assert_eq!(
            line("cuda-dl", LINUX, false, &[]),
            "CARGO_ENCODED_RUSTFLAGS='' GGML_BACKEND_DL=ON LLAMA_CONFORMANCE_BACKEND=cuda-dl \
             LLAMA_LIB_PROFILE=Release cargo build --release --package probe --target-dir \
             ~/target/probe/cuda-dl --features dynamic"
        );
    }

    #[test]
    fn clippy_differs_from_build_in_nothing_else() {
        let fake = FakeMachine::new("linux", "x86_64");
        let workspace = fake.workspace();
        let row = TABLE.iter().find(|row| row.name == "cpu").unwrap();
        let machine = fake.machine();
        let built = build(row, &workspace, &BuildInput::of(&machine, row, None)).to_string();
        assert_eq!(
            clippy(row, &workspace, &machine).to_string(),
            built.replace("cargo build", "cargo clippy") + " --all-targets -- -D warnings"
        );
    }

    #[test]
    fn ios_simulator_on_a_mac() {
        assert_eq!(
            line("ios-sim", MAC, true, &[]),
            "CARGO_ENCODED_RUSTFLAGS='' CCACHE_BASEDIR=~ CCACHE_NOHASHDIR=1 CMAKE_CXX_COMPILER_LAUNCHER=ccache \
             CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_OSX_ARCHITECTURES=arm64 CMAKE_OSX_DEPLOYMENT_TARGET=17.0 \
             CMAKE_OSX_SYSROOT=iphonesimulator GGML_METAL=OFF IPHONEOS_DEPLOYMENT_TARGET=17.0 \
             LLAMA_CONFORMANCE_BACKEND=ios-sim LLAMA_LIB_PROFILE=Release \
             cargo build --release --package probe --target-dir ~/target/probe/ios-sim \
             --target aarch64-apple-ios-sim"
        );
    }

    #[test]
    fn the_machine_cannot_change_llama_cpp() {
        let mut fake = FakeMachine::new("macos", "aarch64");
        fake.set("GGML_CUDA", "ON");
        fake.set("GGML_METAL", "ON");
        let row = TABLE.iter().find(|row| row.name == "cpu").unwrap();
        // The row sets GGML_METAL itself.
        assert_eq!(BuildInput::of(&fake.machine(), row, None).unset, ["GGML_CUDA"]);
    }
}
