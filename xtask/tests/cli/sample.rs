//! A small sound GGUF file for tests to move about.

use sha2::{Digest as _, Sha256};

use crate::support::Project;

/// 256 KiB of weights: more than a socket takes at once.
pub(crate) fn bytes() -> Vec<u8> {
    let weights: Vec<f32> = (0..1_u16 << 15).chain(0..1 << 15).map(f32::from).collect();
    let mut writer = gguf::Writer::new("llama");
    writer.f32("token_embd.weight", &[1 << 16], &weights).unwrap();
    writer.to_bytes()
}

/// SHA-256 in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A project whose one model, `tiny`, is of this kind and comes from there.
pub(crate) fn project_with(kind: &str, source: &str, file: &str) -> Project {
    let (project, bytes) = (Project::new(), bytes());
    let (sum, size) = (sha256(&bytes), bytes.len());
    let models = format!(
        r#"[{{"name": "tiny", "kind": "{kind}", "role": "chat", "source": {source}, "file": {file},
            "sha256": "{sum}", "size": {size}, "licence": "MIT"}}]"#
    );
    project.write("cases/models.json", &models);
    project
}
