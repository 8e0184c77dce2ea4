//! The bridge for each kind of Apple device, and all of them as one framework.

use super::Argv;

/// One build of the bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Its folder below target/device/slices: the sys crate is built anew only where a `GGML_` variable changes.
    pub name: &'static str,
    /// Rust's target.
    pub target: &'static str,
    /// Whether Metal is compiled in.
    pub metal: bool,
}

/// Every slice.
pub const fn slices() -> [Slice; 3] {
    [
        Slice { name: "ios", target: "aarch64-apple-ios", metal: true },
        Slice { name: "ios-sim", target: "aarch64-apple-ios-sim", metal: false },
        Slice { name: "ios-sim-metal", target: "aarch64-apple-ios-sim", metal: true },
    ]
}

/// Builds `slice` into `folder`.
pub fn build_slice(slice: &Slice, folder: &str) -> Argv {
    let feature = if slice.metal { "metal" } else { "llama" };
    let args = ["build", "--release", "--package", "bridge", "--features", feature];
    let argv = Argv::new("cargo", args, 60)
        .with("--target")
        .with(slice.target)
        .with("--target-dir")
        .with(folder)
        // Unequal deployment targets give an undefined ___chkstk_darwin at link.
        .with_env("CMAKE_OSX_ARCHITECTURES", "arm64")
        .with_env("CMAKE_OSX_DEPLOYMENT_TARGET", "17.0")
        .with_env("IPHONEOS_DEPLOYMENT_TARGET", "17.0")
        .with_env("GGML_METAL", if slice.metal { "ON" } else { "OFF" })
        .with_env("LLAMA_LIB_PROFILE", "Release");
    if slice.target.ends_with("-sim") { argv.with_env("CMAKE_OSX_SYSROOT", "iphonesimulator") } else { argv }
}

/// One framework of `libraries`, with the header's folder. The simulator has room for one of its two slices.
pub fn xcframework(libraries: &[String], headers: &str, output: &str) -> Argv {
    let mut argv = Argv::new("xcodebuild", ["-create-xcframework"], 10);
    for library in libraries {
        argv = argv.with("-library").with(library).with("-headers").with(headers);
    }
    argv.with("-output").with(output)
}
