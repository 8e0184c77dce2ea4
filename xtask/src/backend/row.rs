//! What there is to say about a backend.

use wire::DeviceKind;

use crate::machine::Host;
use crate::setup::Need;

/// One backend: a way to build the probe and a place where it runs.
#[derive(Debug)]
pub(crate) struct Row {
    /// Its name in flags, folders, cards and reports.
    pub(crate) name: &'static str,
    /// One line for people.
    pub(crate) about: &'static str,
    /// Where it can be built.
    pub(crate) host: HostCondition,
    /// Cargo features of the probe beside its default ones.
    pub(crate) features: &'static [&'static str],
    /// The target triple; `None` for the host's own.
    pub(crate) target: Option<&'static str>,
    /// Environment of the build. llama-cpp-sys-2 hands `GGML_*` and `CMAKE_*` on to CMake.
    pub(crate) env: &'static [(&'static str, &'static str)],
    /// What is added to `env` where the target is an Apple system.
    pub(crate) apple_env: &'static [(&'static str, &'static str)],
    /// Whether probe and llama.cpp are compiled for exactly this processor.
    pub(crate) native: bool,
    /// Flags for rustc beside those of [`Self::native`].
    pub(crate) rustflags: &'static [&'static str],
    /// The probe's environment where it sees no GPU without it: a driver that computes on the processor has to be
    /// asked for by name.
    pub(crate) software_gpu: &'static [(&'static str, &'static str)],
    /// What starts the probe.
    pub(crate) launcher: Launcher,
    /// Which of ggml's devices the probe must show.
    pub(crate) devices: DeviceFilter,
    /// What the build needs.
    pub(crate) needs: &'static [Need],
}

impl Row {
    /// Why `host` cannot build this backend; `None` where it can.
    pub(crate) fn refusal(&self, host: Host) -> Option<String> {
        let wanted = match self.host {
            HostCondition::Any => return None,
            HostCondition::Linux => (host.os != "linux").then_some("Linux"),
            HostCondition::LinuxX86 => {
                (host.os != "linux" || host.arch != "x86_64").then_some("Linux on x86-64")
            }
            HostCondition::MacOs => (!host.is_mac()).then_some("macOS"),
            HostCondition::AppleSilicon => {
                (!host.is_mac() || host.arch != "aarch64").then_some("macOS on Apple silicon")
            }
        };
        wanted.map(|wanted| format!("{}: needs {wanted}, and this machine is {host}", self.name))
    }

    /// Whether it stands for a GPU whose kit comes from its vendor, so that no rented machine without one can build it.
    pub(crate) fn needs_a_vendors_gpu(&self) -> bool {
        self.needs.contains(&Need::Nvcc)
    }

    /// The variables of the build on `host`, the Apple ones included where they apply.
    pub(crate) fn env_on(&self, host: Host) -> impl Iterator<Item = (&'static str, &'static str)> {
        let apple = if host.is_mac() { self.apple_env } else { &[] };
        self.env.iter().chain(apple).copied()
    }

    /// The compiler flags of the build, for `CARGO_ENCODED_RUSTFLAGS`.
    pub(crate) fn rustflags(&self) -> Vec<&'static str> {
        let native: &[&str] = if self.native { &["-C", "target-cpu=native"] } else { &[] };
        native.iter().chain(self.rustflags).copied().collect()
    }
}

/// Where a backend can be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostCondition {
    /// Everywhere.
    Any,
    /// On Linux.
    Linux,
    /// On Linux with an x86-64 processor.
    LinuxX86,
    /// On a Mac.
    MacOs,
    /// On a Mac with an ARM processor.
    AppleSilicon,
}

/// What starts a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Launcher {
    /// The operating system: the probe is a program of this machine.
    Direct,
    /// `qemu-aarch64`, which plays an ARM processor.
    Qemu,
    /// `xcrun simctl spawn`, in a booted simulator.
    Simulator,
}

/// Which devices a probe's card must show for its backend to be what its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceFilter {
    /// No GPU at all: with one registered, work may go there although no layer was offloaded.
    CpuOnly,
    /// No GPU either, and a library that takes large matrix products off ggml's own kernels.
    CpuAndAccelerator,
    /// At least one GPU.
    Gpu,
    /// Anything: the probe is carried to another machine, and this one need not have the device.
    Carried,
}

impl DeviceFilter {
    /// What holds where the probe runs.
    pub(crate) const fn in_use(self) -> Self {
        match self {
            Self::Carried => Self::Gpu,
            here => here,
        }
    }

    /// What is wrong with devices of these `kinds`; `None` where nothing is.
    pub(crate) fn complaint(self, kinds: impl IntoIterator<Item = DeviceKind>) -> Option<&'static str> {
        let kinds: Vec<DeviceKind> = kinds.into_iter().collect();
        let gpu = kinds.iter().any(|kind| matches!(kind, DeviceKind::Gpu | DeviceKind::IntegratedGpu));
        let accelerator = kinds.contains(&DeviceKind::Accelerator);
        match self {
            Self::CpuOnly | Self::CpuAndAccelerator if gpu => {
                Some("its probe registers a GPU, so it is no CPU reference")
            }
            Self::CpuAndAccelerator if !accelerator => {
                Some("its probe registers no accelerator such as BLAS")
            }
            Self::Gpu if !gpu => Some("its probe sees no GPU"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_must_be_what_the_name_says() {
        use DeviceKind::{Accelerator, Cpu, Gpu, IntegratedGpu};
        let table: [(DeviceFilter, &[DeviceKind], bool); 10] = [
            (DeviceFilter::CpuOnly, &[Cpu, Accelerator], true),
            (DeviceFilter::CpuOnly, &[Cpu, Gpu], false),
            (DeviceFilter::CpuOnly, &[IntegratedGpu], false),
            (DeviceFilter::CpuAndAccelerator, &[Cpu, Accelerator], true),
            (DeviceFilter::CpuAndAccelerator, &[Cpu], false),
            (DeviceFilter::CpuAndAccelerator, &[Cpu, Accelerator, Gpu], false),
            (DeviceFilter::Gpu, &[Cpu, IntegratedGpu], true),
            (DeviceFilter::Gpu, &[Gpu], true),
            (DeviceFilter::Gpu, &[Cpu, Accelerator], false),
            (DeviceFilter::Carried, &[Cpu], true),
        ];
        for (filter, kinds, fine) in table {
            assert_eq!(filter.complaint(kinds.iter().copied()).is_none(), fine, "{filter:?} {kinds:?}");
        }
    }
}
