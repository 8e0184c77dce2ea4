//! What llama.cpp says of itself and of the machine.

use llama_cpp_sys_2 as sys;
use wire::{Device, DeviceKind};

use super::{bridge, init, text::owned};

/// The devices that ggml registered.
pub(crate) fn devices() -> Vec<Device> {
    init();
    // SAFETY: the registry is filled, and no device leaves it.
    (0..unsafe { sys::ggml_backend_dev_count() }).map(device).collect()
}

fn device(index: usize) -> Device {
    // SAFETY: `index` is below the count; the device's strings live as long as the registry.
    unsafe {
        let device = sys::ggml_backend_dev_get(index);
        Device {
            name: owned(sys::ggml_backend_dev_name(device)),
            description: owned(sys::ggml_backend_dev_description(device)),
            kind: kind(sys::ggml_backend_dev_type(device)),
        }
    }
}

fn kind(kind: sys::ggml_backend_dev_type) -> DeviceKind {
    match kind {
        sys::GGML_BACKEND_DEVICE_TYPE_CPU => DeviceKind::Cpu,
        sys::GGML_BACKEND_DEVICE_TYPE_GPU => DeviceKind::Gpu,
        sys::GGML_BACKEND_DEVICE_TYPE_IGPU => DeviceKind::IntegratedGpu,
        sys::GGML_BACKEND_DEVICE_TYPE_ACCEL => DeviceKind::Accelerator,
        _ => DeviceKind::Other,
    }
}

/// `llama_print_system_info`.
pub(crate) fn cpu_features() -> String {
    init();
    // SAFETY: the string is static.
    unsafe { owned(sys::llama_print_system_info()) }.trim().to_owned()
}

/// llama.cpp's own version.
pub(crate) fn llama_version() -> String {
    bridge::version()
}
