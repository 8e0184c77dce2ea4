//! Puts the locked version of the llama.cpp bindings into the probe's card.

use std::{env, fs, path::Path};

const BINDINGS: &str = "llama-cpp-sys-2";

fn main() {
    let lock = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    println!("cargo::rerun-if-env-changed=LLAMA_CONFORMANCE_BACKEND");
    let version = fs::read_to_string(&lock).ok().and_then(|text| locked_version(&text)).unwrap_or_default();
    println!("cargo::rustc-env=PROBE_BINDINGS={BINDINGS} {version}");
}

/// The version in the lock file's `[[package]]` entry, whose `version` line follows its `name` line.
fn locked_version(lock: &str) -> Option<String> {
    let mut lines = lock.lines().skip_while(|line| *line != format!("name = \"{BINDINGS}\""));
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"').map(str::to_owned)
}
