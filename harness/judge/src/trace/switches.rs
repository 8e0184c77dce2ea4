//! Switches that keep a backend from computing several nodes at once.

/// The variables that switch off fusion, concurrency or asynchronous work in the backend that a subject named `backend`
/// stands for, as the sources of b11434 read them. `cargo xtask` passes none of a user's `GGML_…` variables on to a
/// subject, so they are for the app that shows the fault.
pub fn switches(backend: &str) -> &'static [&'static str] {
    const TABLE: [(&str, &[&str]); 6] = [
        ("cuda", &["GGML_CUDA_DISABLE_FUSION=1", "GGML_CUDA_DISABLE_GRAPHS=1"]),
        ("ios", METAL),
        ("metal", METAL),
        ("opencl", &["GGML_OPENCL_DISABLE_FUSION=1"]),
        (
            "vulkan",
            &["GGML_VK_DISABLE_FUSION=1", "GGML_VK_DISABLE_GRAPH_OPTIMIZE=1", "GGML_VK_DISABLE_ASYNC=1"],
        ),
        ("", &["GGML_CPU_DISABLE_FUSION=1"]),
    ];
    const METAL: &[&str] = &[
        "GGML_METAL_FUSION_DISABLE=1",
        "GGML_METAL_CONCURRENCY_DISABLE=1",
        "GGML_METAL_GRAPH_OPTIMIZE_DISABLE=1",
    ];
    TABLE.iter().find(|(name, _)| backend.starts_with(name)).map_or(&[], |(_, switches)| switches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backend_has_one() {
        for (backend, first) in [
            ("cpu-baseline", "GGML_CPU_DISABLE_FUSION=1"),
            ("cuda", "GGML_CUDA_DISABLE_FUSION=1"),
            ("ios-sim", "GGML_METAL_FUSION_DISABLE=1"),
            ("vulkan", "GGML_VK_DISABLE_FUSION=1"),
        ] {
            assert_eq!(switches(backend)[0], first, "{backend}");
        }
    }
}
