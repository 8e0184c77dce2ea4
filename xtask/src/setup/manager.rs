//! Package managers and their command lines.

use super::need::Need;
use super::transformers;
use super::vulkan;
use crate::command_line::CommandLine;
use crate::machine::Machine;

/// A package manager that we can talk to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manager {
    /// Debian, Ubuntu.
    Apt,
    /// Fedora.
    Dnf,
    /// Arch.
    Pacman,
    /// Homebrew.
    Brew,
}

impl Manager {
    const ALL: &[Self] = &[Self::Apt, Self::Dnf, Self::Pacman, Self::Brew];

    const fn program(self) -> &'static str {
        match self {
            Self::Apt => "apt-get",
            Self::Dnf => "dnf",
            Self::Pacman => "pacman",
            Self::Brew => "brew",
        }
    }

    /// The one that `machine` has; on a Mac only Homebrew counts, elsewhere everything but.
    pub(super) fn of(machine: &Machine) -> Option<Self> {
        let fits = |manager: &&Self| (**manager == Self::Brew) == machine.host.is_mac();
        Self::ALL.iter().filter(fits).find(|manager| machine.find(manager.program()).is_some()).copied()
    }

    /// The packages that bring `need`; empty where this manager has none.
    const fn packages(self, need: Need) -> &'static [&'static str] {
        match (need, self) {
            (Need::CxxCompiler, Self::Apt) => &["g++"],
            (Need::CxxCompiler, Self::Dnf) => &["gcc-c++"],
            (Need::CxxCompiler, Self::Pacman) => &["gcc"],
            (Need::Make, Self::Apt | Self::Dnf | Self::Pacman) => &["make"],
            (Need::Cmake, _) => &["cmake"],
            (Need::Libclang, Self::Apt) => &["libclang-dev"],
            (Need::Libclang, Self::Dnf) => &["clang-devel"],
            (Need::Libclang, Self::Pacman) => &["clang"],
            (Need::Libclang, Self::Brew) => &["llvm"],
            (Need::Ccache, _) => &["ccache"],
            (Need::Pip, Self::Apt | Self::Dnf) => &["python3", "python3-pip"],
            (Need::Pip, Self::Pacman) => &["python", "python-pip"],
            (Need::Pip, Self::Brew) => &["python"],
            (Need::Chromium, Self::Apt | Self::Dnf | Self::Pacman) => &["chromium"],
            (Need::Chromium, Self::Brew) => &["google-chrome"],
            (Need::OpenBlas, Self::Apt) => &["libopenblas-dev"],
            (Need::OpenBlas, Self::Dnf) => &["openblas-devel"],
            (Need::OpenBlas, _) => &["openblas"],
            (Need::PkgConfig, Self::Pacman) => &["pkgconf"],
            (Need::PkgConfig, _) => &["pkg-config"],
            (Need::Glslc, Self::Apt | Self::Dnf) => &["glslc"],
            (Need::Glslc, _) => &["shaderc"],
            (Need::SpirvHeaders, Self::Dnf) => &["spirv-headers-devel"],
            (Need::SpirvHeaders, _) => &["spirv-headers"],
            (Need::VulkanLoader, Self::Apt) => &["libvulkan-dev"],
            (Need::VulkanLoader, Self::Dnf) => &["vulkan-loader-devel"],
            (Need::VulkanLoader, Self::Pacman) => &["vulkan-icd-loader"],
            (Need::VulkanLoader, Self::Brew) => &["vulkan-loader"],
            (Need::VulkanHeaders, Self::Dnf | Self::Pacman | Self::Brew) => &["vulkan-headers"],
            (Need::ArmCompiler, Self::Apt) => &["g++-aarch64-linux-gnu"],
            (Need::ArmCompiler, Self::Dnf) => &["gcc-c++-aarch64-linux-gnu"],
            (Need::ArmCompiler, _) => &["aarch64-linux-gnu-gcc"],
            (Need::Qemu, Self::Dnf | Self::Apt) => &["qemu-user"],
            (Need::Qemu, _) => &["qemu"],
            (Need::VulkanDriver, Self::Apt | Self::Dnf) => &["mesa-vulkan-drivers"],
            (Need::VulkanDriver, Self::Pacman) => &["vulkan-swrast"],
            (Need::VulkanDriver, Self::Brew) => &["molten-vk"],
            _ => &[],
        }
    }

    /// The command lines that install `packages`, in order.
    pub(super) fn install(self, packages: &[&str], is_root: bool) -> Vec<CommandLine> {
        let line = |args: &[&str]| match self {
            // Homebrew refuses to run as root.
            Self::Brew => CommandLine::new("brew", args.iter().copied()),
            _ if is_root => CommandLine::new(self.program(), args.iter().copied()),
            _ => CommandLine::new("sudo", std::iter::once(self.program()).chain(args.iter().copied())),
        };
        let install = |args: &[&str]| line(args).args(packages.iter().copied());
        match self {
            // A fresh system has no package lists at all.
            Self::Apt => vec![line(&["update"]), install(&["install", "--yes", "--no-install-recommends"])],
            Self::Dnf => vec![install(&["install", "--assumeyes"])],
            // Arch does not support installing without upgrading.
            Self::Pacman => vec![install(&["-Syu", "--needed", "--noconfirm"])],
            Self::Brew => vec![install(&["install"])],
        }
    }
}

/// How a need is met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cure {
    /// By packages of the machine's manager.
    Packages(&'static [&'static str]),
    /// By a command of its own.
    Run(CommandLine),
    /// By several, of which the last ones need the first ones' answers.
    VulkanHeaders,
    /// By a person.
    ByHand(&'static str),
}

impl Cure {
    /// The line to type, or what else to do.
    pub(crate) fn line(&self, machine: &Machine) -> String {
        match (self, Manager::of(machine)) {
            (Self::Packages(packages), Some(manager)) => {
                let lines = manager.install(packages, machine.is_root);
                lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(" && ")
            }
            (Self::Packages(packages), None) => {
                format!("install {} with this system's package manager", packages.join(", "))
            }
            (Self::Run(line), _) => line.to_string(),
            (Self::VulkanHeaders, _) => vulkan::by_hand_or_setup(machine),
            (Self::ByHand(what), _) => (*what).to_owned(),
        }
    }
}

/// How `need` is met on `machine`.
pub(crate) fn cure(need: Need, machine: &Machine) -> Cure {
    match need {
        Need::RustTarget(triple) => Cure::Run(CommandLine::new("rustup", ["target", "add", triple])),
        Need::Cargo => Cure::ByHand("install Rust as https://rustup.rs says"),
        Need::Rustfmt => Cure::Run(CommandLine::new("rustup", ["component", "add", "rustfmt"])),
        Need::Clippy => Cure::Run(CommandLine::new("rustup", ["component", "add", "clippy"])),
        Need::Xcode => Cure::ByHand("install Xcode and start it once"),
        Need::Nvcc => Cure::ByHand("install NVIDIA's CUDA toolkit and put its nvcc on PATH"),
        Need::Tool(tool) => tool
            .install(machine)
            .map_or(Cure::ByHand("set LLAMA_CONFORMANCE_CACHE to a folder to keep it in"), Cure::Run),
        Need::Transformers => transformers::install(machine)
            .map_or(Cure::ByHand("set LLAMA_CONFORMANCE_CACHE to a folder to keep it in"), Cure::Run),
        Need::VulkanHeaders if vulkan::can_fetch(machine) => Cure::VulkanHeaders,
        Need::VulkanHeaders if matches!(Manager::of(machine), None | Some(Manager::Apt)) => {
            Cure::ByHand("install a Vulkan SDK that is new enough and set VULKAN_SDK to its folder")
        }
        Need::CxxCompiler | Need::Make if machine.host.is_mac() => Cure::ByHand("xcode-select --install"),
        _ => match (Manager::of(machine), machine.host.is_mac()) {
            (None, true) => Cure::ByHand("install Homebrew first, then run this again"),
            // Debian's names say best what is meant.
            (manager, _) => Cure::Packages(manager.unwrap_or(Manager::Apt).packages(need)),
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::backend::TABLE;
    use crate::testing::FakeMachine;

    use super::*;

    fn lines(manager: Manager, is_root: bool) -> Vec<String> {
        manager.install(&["a", "b"], is_root).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn command_lines_of_each_manager() {
        assert_eq!(
            lines(Manager::Apt, true),
            ["apt-get update", "apt-get install --yes --no-install-recommends a b"]
        );
        assert_eq!(
            lines(Manager::Apt, false),
            ["sudo apt-get update", "sudo apt-get install --yes --no-install-recommends a b"]
        );
        assert_eq!(lines(Manager::Dnf, false), ["sudo dnf install --assumeyes a b"]);
        assert_eq!(lines(Manager::Pacman, true), ["pacman -Syu --needed --noconfirm a b"]);
        assert_eq!(lines(Manager::Brew, false), ["brew install a b"]);
    }

    #[test]
    fn every_need_has_a_cure_everywhere() {
        let rows = TABLE.iter().flat_map(|row| row.needs);
        let needs = Need::GENERAL.iter().chain(rows).copied();
        for need in needs {
            for (os, program) in [
                ("linux", "apt-get"),
                ("linux", "dnf"),
                ("linux", "pacman"),
                ("macos", "brew"),
                ("linux", "none"),
            ] {
                let fake = FakeMachine::new(os, "aarch64");
                fake.program(program, "");
                let cure = cure(need, &fake.machine());
                assert_ne!(cure, Cure::Packages(&[]), "{need:?} with {program}");
            }
        }
    }

    #[test]
    fn says_what_to_do_without_a_known_manager() {
        let line = |os| {
            let fake = FakeMachine::new(os, "aarch64");
            cure(Need::Libclang, &fake.machine()).line(&fake.machine())
        };
        assert_eq!(line("linux"), "install libclang-dev with this system's package manager");
        assert_eq!(line("macos"), "install Homebrew first, then run this again");
    }

    #[test]
    fn a_mac_gets_its_compiler_from_apple() {
        let fake = FakeMachine::new("macos", "aarch64");
        fake.program("brew", "");
        let line = |need| cure(need, &fake.machine()).line(&fake.machine());
        assert_eq!(line(Need::CxxCompiler), "xcode-select --install");
        assert_eq!(line(Need::Cmake), "brew install cmake");
        assert_eq!(
            line(Need::RustTarget("aarch64-apple-ios-sim")),
            "rustup target add aarch64-apple-ios-sim"
        );
    }
}
