//! An ARM processor that qemu plays: how a probe is started on it.

use judge::built::LaunchFile;

/// The probe's target.
pub(super) const TARGET: &str = "aarch64-unknown-linux-gnu";

/// Where the cross compiler's packages put the C library of the target.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu/lib";

/// The processor that is played: armv8-a, with neither dot products nor half-precision arithmetic. Code that was compiled
/// for more dies on it with an illegal instruction, as it would on an old phone.
const PROCESSOR: &str = "cortex-a72";

/// qemu starts the target's loader, and that the probe. qemu's own switch for another root (`-L`) would do too, and
/// hangs programs with threads.
pub(super) fn launch() -> LaunchFile {
    let loader = format!("{LIBRARIES}/ld-linux-aarch64.so.1");
    let prefix = ["qemu-aarch64", "-cpu", PROCESSOR, &loader, "--library-path", LIBRARIES];
    LaunchFile { prefix: prefix.map(str::to_owned).to_vec(), ..LaunchFile::default() }
}
