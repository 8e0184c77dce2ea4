//! The backends.

use super::qemu;
use super::row::{DeviceFilter, HostCondition, Launcher, Row};
use crate::setup::Need;

/// What every build of llama.cpp needs.
const NATIVE_TOOLS: &[Need] = &[Need::CxxCompiler, Need::Make, Need::Cmake, Need::Libclang, Need::Ccache];

/// All backends, in the order in which lists show them.
pub(crate) const TABLE: &[Row] = &[
    Row {
        name: "cpu",
        about: "this machine's processor, with every instruction that it has",
        host: HostCondition::Any,
        features: &["jinja"],
        target: None,
        env: &[],
        // Metal is on by default on Apple systems; with it compiled in, a run is never CPU only.
        apple_env: &[("GGML_METAL", "OFF")],
        native: true,
        rustflags: &[],
        software_gpu: &[],
        launcher: Launcher::Direct,
        devices: DeviceFilter::CpuOnly,
        needs: NATIVE_TOOLS,
    },
    Row {
        name: "cpu-baseline",
        about: "the processor family's common instructions; the only one that makes numeric goldens",
        host: HostCondition::Any,
        features: &["jinja"],
        target: None,
        // Without target-cpu=native llama-cpp-sys-2 sets GGML_NATIVE=OFF and turns on only what rustc takes for
        // granted: SSE2 on x86-64, plain armv8-a on aarch64 Linux. Slow, and the same on every machine.
        env: &[],
        // Accelerate's kernels change with macOS.
        apple_env: &[("GGML_METAL", "OFF"), ("GGML_ACCELERATE", "OFF")],
        native: false,
        rustflags: &[],
        software_gpu: &[],
        launcher: Launcher::Direct,
        devices: DeviceFilter::CpuOnly,
        needs: NATIVE_TOOLS,
    },
    Row {
        name: "cpu-blas",
        about: "as cpu, large matrix products by OpenBLAS, as some distributions build llama.cpp",
        host: HostCondition::Linux,
        features: &[],
        target: None,
        env: &[("GGML_BLAS", "ON"), ("GGML_BLAS_VENDOR", "OpenBLAS")],
        apple_env: &[],
        native: true,
        // llama-cpp-sys-2 links ggml's part of it and not the library itself.
        rustflags: &["-C", "link-arg=-lopenblas"],
        software_gpu: &[],
        launcher: Launcher::Direct,
        devices: DeviceFilter::CpuAndAccelerator,
        needs: &[
            Need::CxxCompiler,
            Need::Make,
            Need::Cmake,
            Need::Libclang,
            Need::OpenBlas,
            Need::PkgConfig,
            Need::Ccache,
        ],
    },
    Row {
        name: "cuda",
        about: "an NVIDIA GPU",
        host: HostCondition::Linux,
        features: &["cuda"],
        target: None,
        env: &[],
        apple_env: &[],
        native: true,
        rustflags: &[],
        software_gpu: &[],
        launcher: Launcher::Direct,
        devices: DeviceFilter::Gpu,
        needs: &[Need::CxxCompiler, Need::Make, Need::Cmake, Need::Libclang, Need::Nvcc, Need::Ccache],
    },
    Row {
        name: "cuda-dl",
        about: "an NVIDIA GPU elsewhere: a probe to carry to a machine with nvcc and without Rust",
        host: HostCondition::Linux,
        features: &["dynamic"],
        target: None,
        env: &[("GGML_BACKEND_DL", "ON")],
        apple_env: &[],
        // It runs on another processor than this one.
        native: false,
        rustflags: &[],
        software_gpu: &[],
        launcher: Launcher::Direct,
        devices: DeviceFilter::Carried,
        needs: NATIVE_TOOLS,
    },
    Row {
        name: "vulkan",
        about: "a GPU through Vulkan; without one the processor through Mesa's lavapipe",
        host: HostCondition::Linux,
        features: &["vulkan"],
        target: None,
        env: &[],
        apple_env: &[],
        native: true,
        rustflags: &[],
        // ggml leaves out Vulkan devices that are processors unless one is named, and then computes on the CPU
        // backend without a word. One thread: several probes run side by side, each with a pool of its own.
        software_gpu: &[("GGML_VK_VISIBLE_DEVICES", "0"), ("LP_NUM_THREADS", "1")],
        launcher: Launcher::Direct,
        devices: DeviceFilter::Gpu,
        needs: &[
            Need::CxxCompiler,
            Need::Make,
            Need::Cmake,
            Need::Libclang,
            Need::Glslc,
            Need::SpirvHeaders,
            Need::VulkanLoader,
            Need::VulkanHeaders,
            Need::VulkanDriver,
            Need::Ccache,
        ],
    },
    Row {
        name: "arm64",
        about: "ggml's ARM code (NEON, armv8-a), on an x86-64 machine through qemu",
        host: HostCondition::LinuxX86,
        features: &[],
        target: Some(qemu::TARGET),
        // bindgen's clang knows the target's headers no better than the host's; cargo takes the host's linker.
        env: &[
            ("BINDGEN_EXTRA_CLANG_ARGS_aarch64_unknown_linux_gnu", "-isystem/usr/aarch64-linux-gnu/include"),
            ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc"),
        ],
        apple_env: &[],
        native: false,
        rustflags: &[],
        software_gpu: &[],
        launcher: Launcher::Qemu,
        devices: DeviceFilter::CpuOnly,
        needs: &[
            Need::CxxCompiler,
            Need::Make,
            Need::Cmake,
            Need::Libclang,
            Need::ArmCompiler,
            Need::Qemu,
            Need::RustTarget(qemu::TARGET),
            Need::Ccache,
        ],
    },
    Row {
        name: "metal",
        about: "a Mac's GPU",
        host: HostCondition::MacOs,
        features: &["metal"],
        target: None,
        env: &[("GGML_METAL", "ON")],
        apple_env: &[],
        native: true,
        rustflags: &[],
        software_gpu: &[],
        launcher: Launcher::Direct,
        devices: DeviceFilter::Gpu,
        needs: NATIVE_TOOLS,
    },
    Row {
        name: "ios-sim",
        about: "the iOS simulator, without Metal: there its logits mean nothing",
        host: HostCondition::AppleSilicon,
        features: &[],
        target: Some("aarch64-apple-ios-sim"),
        // Unequal deployment targets give an undefined ___chkstk_darwin at link.
        env: &[
            ("CMAKE_OSX_ARCHITECTURES", "arm64"),
            ("CMAKE_OSX_DEPLOYMENT_TARGET", "17.0"),
            ("CMAKE_OSX_SYSROOT", "iphonesimulator"),
            ("GGML_METAL", "OFF"),
            ("IPHONEOS_DEPLOYMENT_TARGET", "17.0"),
        ],
        apple_env: &[],
        native: false,
        rustflags: &[],
        software_gpu: &[],
        launcher: Launcher::Simulator,
        devices: DeviceFilter::CpuOnly,
        needs: &[
            Need::CxxCompiler,
            Need::Make,
            Need::Cmake,
            Need::Libclang,
            Need::Xcode,
            Need::RustTarget("aarch64-apple-ios-sim"),
            Need::Ccache,
        ],
    },
];

#[cfg(test)]
mod tests {
    use crate::machine::Host;

    use super::*;

    const LINUX: Host = Host { os: "linux", arch: "x86_64" };
    const MAC: Host = Host { os: "macos", arch: "aarch64" };
    const INTEL_MAC: Host = Host { os: "macos", arch: "x86_64" };

    #[test]
    fn names_are_unique_and_fit_a_folder() {
        for (index, row) in TABLE.iter().enumerate() {
            assert!(row.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
            assert!(TABLE[..index].iter().all(|other| other.name != row.name), "{} twice", row.name);
        }
    }

    #[test]
    fn says_where_a_backend_cannot_be_built() {
        let refused = |host| TABLE.iter().filter_map(|row| row.refusal(host)).collect::<Vec<_>>();
        assert_eq!(
            refused(LINUX),
            [
                "metal: needs macOS, and this machine is linux x86_64",
                "ios-sim: needs macOS on Apple silicon, and this machine is linux x86_64"
            ]
        );
        assert_eq!(
            refused(INTEL_MAC),
            [
                "cpu-blas: needs Linux, and this machine is macos x86_64",
                "cuda: needs Linux, and this machine is macos x86_64",
                "cuda-dl: needs Linux, and this machine is macos x86_64",
                "vulkan: needs Linux, and this machine is macos x86_64",
                "arm64: needs Linux on x86-64, and this machine is macos x86_64",
                "ios-sim: needs macOS on Apple silicon, and this machine is macos x86_64"
            ]
        );
        let names = |host| {
            TABLE.iter().filter(|row| row.refusal(host).is_some()).map(|row| row.name).collect::<Vec<_>>()
        };
        assert_eq!(names(MAC), ["cpu-blas", "cuda", "cuda-dl", "vulkan", "arm64"]);
    }

    #[test]
    fn a_cpu_backend_never_has_metal() {
        let on_a_mac = |row: &&Row| row.devices != DeviceFilter::Gpu && row.refusal(MAC).is_none();
        for row in TABLE.iter().filter(on_a_mac) {
            assert!(row.env_on(MAC).any(|pair| pair == ("GGML_METAL", "OFF")), "{}", row.name);
        }
    }
}
