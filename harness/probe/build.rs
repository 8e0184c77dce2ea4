//! Puts the locked version of the llama.cpp bindings into the probe's card, and compiles what is C++ because
//! llama.cpp's own API is.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const BINDINGS: &str = "llama-cpp-sys-2";

/// The build of llama.cpp that each version of the bindings carries. Its sources do not say it: llama.cpp takes the
/// number from git, and the package has none.
const CARRIED: &[(&str, u32)] = &[("0.1.161", 11434)];

fn main() {
    let lock = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    println!("cargo::rerun-if-env-changed=LLAMA_CONFORMANCE_BACKEND");
    let version = fs::read_to_string(&lock).ok().and_then(|text| locked_version(&text)).unwrap_or_default();
    println!("cargo::rustc-env=PROBE_BINDINGS={BINDINGS} {version}");
    bridge();
    build_number(&version);
    breakdown();
    shims();
    if env::var_os("CARGO_FEATURE_DYNAMIC").is_some() {
        libraries_beside_the_program();
    }
}

/// What the headers of older llama.cpp lack, and what the code asks for as `llama_has_…`.
const BRIDGED: &[(&str, &str)] = &[
    ("llama_has_load_mode", "enum llama_load_mode"),
    ("llama_has_no_alloc", "bool no_alloc;"),
    ("llama_has_version", "llama_version("),
];

/// Says what the llama.cpp that is built has. The one that the bindings carry has everything.
fn bridge() {
    println!("cargo::rerun-if-env-changed=LLAMA_CONFORMANCE_LLAMA_SRC");
    let source = env::var_os("LLAMA_CONFORMANCE_LLAMA_SRC");
    let header = source.as_deref().map(|dir| {
        let path = Path::new(dir).join("include/llama.h");
        println!("cargo::rerun-if-changed={}", path.display());
        fs::read_to_string(path).unwrap_or_default()
    });
    for (flag, text) in BRIDGED {
        println!("cargo::rustc-check-cfg=cfg({flag})");
        if header.as_deref().is_none_or(|header| header.contains(text)) {
            println!("cargo::rustc-cfg={flag}");
        }
    }
    let name = source.as_deref().and_then(|dir| Path::new(dir).file_name()).unwrap_or_default();
    println!("cargo::rustc-env=PROBE_LLAMA_SRC={}", name.to_string_lossy());
}

/// Puts llama.cpp's build number into the card.
fn build_number(bindings: &str) {
    let number = match env::var_os("LLAMA_CONFORMANCE_LLAMA_SRC") {
        Some(dir) => checked_out(Path::new(&dir)),
        None => {
            let carried = CARRIED.iter().find(|(version, _)| *version == bindings).map(|(_, number)| *number);
            if carried.is_none() {
                println!(
                    "cargo::error=which build of llama.cpp does {BINDINGS} {bindings} carry? add it to CARRIED in \
                     harness/probe/build.rs"
                );
            }
            carried
        }
    };
    if let Some(number) = number {
        println!("cargo::rustc-env=PROBE_LLAMA_BUILD={number}");
    }
}

/// The build number of a checkout: the nearest tag's and how many commits came since, since each has the next number;
/// else, of a folder that an archive was unpacked to, the name's.
fn checked_out(dir: &Path) -> Option<u32> {
    // Of a file that is not there cargo would think that it changes all the time.
    for file in
        [".git/HEAD", ".git/packed-refs"].map(|name| dir.join(name)).iter().filter(|file| file.exists())
    {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    let git = Command::new("git")
        .arg("-C")
        .arg(dir)
        .args(["describe", "--tags", "--long", "--match", "b[0-9]*"])
        .output();
    let said = git.ok().filter(|output| output.status.success() && dir.join(".git").exists());
    let described = said.and_then(|output| {
        let text = String::from_utf8(output.stdout).ok()?;
        let mut parts = text.trim().strip_prefix('b')?.split('-');
        Some(parts.next()?.parse::<u32>().ok()? + parts.next()?.parse::<u32>().ok()?)
    });
    described.or_else(|| {
        let name = dir.file_name()?.to_str()?;
        let number = name.strip_prefix('b').or_else(|| name.strip_prefix("llama.cpp-b"))?;
        number.split('-').next()?.parse().ok()
    })
}

/// Compiles the shim over llama.cpp's account of its memory, where the llama.cpp that is built has one of that form.
fn breakdown() {
    println!("cargo::rustc-check-cfg=cfg(llama_has_breakdown)");
    println!("cargo::rerun-if-changed={BREAKDOWN_SHIM}");
    let header = env::var_os("LLAMA_CONFORMANCE_LLAMA_SRC").map(|dir| {
        let path = Path::new(&dir).join("src/llama-ext.h");
        println!("cargo::rerun-if-changed={}", path.display());
        fs::read_to_string(path).unwrap_or_default()
    });
    let has = header.is_none_or(|header| BREAKDOWN_HEADER.iter().all(|line| header.contains(line)));
    if has && env::var_os("CARGO_FEATURE_LLAMA").is_some() {
        cc::Build::new().cpp(true).std("c++17").file(BREAKDOWN_SHIM).compile("conformance_breakdown");
        println!("cargo::rustc-cfg=llama_has_breakdown");
    }
}

const BREAKDOWN_SHIM: &str = "src/engine/raw/shims/breakdown.cpp";

/// What the header of a llama.cpp says that the shim was written for.
const BREAKDOWN_HEADER: &[&str] = &[
    "using llama_memory_breakdown = std::map<ggml_backend_buffer_type_t, llama_memory_breakdown_data>;",
    "llama_memory_breakdown llama_get_memory_breakdown(const struct llama_context * ctx);",
];

/// C++ beside the Rust that calls it: the cargo feature that asks for it, the file, and the folders of llama.cpp's
/// sources whose headers it includes.
const SHIMS: &[(&str, &str, &[&str])] =
    &[("JINJA", "src/engine/raw/shims/jinja.cpp", &["common", "include", "ggml/include", "vendor"])];

/// Compiles every shim that a feature asks for.
fn shims() {
    for (feature, file, headers) in SHIMS {
        println!("cargo::rerun-if-changed={file}");
        if env::var_os(format!("CARGO_FEATURE_{feature}")).is_none() {
            continue;
        }
        let source = llama_source();
        cc::Build::new()
            .cpp(true)
            .std("c++17")
            // llama.cpp's headers give them, and nobody here can mend those.
            .warnings(false)
            .file(file)
            .includes(headers.iter().map(|folder| source.join(folder)))
            .compile(&format!("probe_{}", feature.to_lowercase()));
    }
}

/// The sources of the llama.cpp that is built: those of `--llama-src`, else the ones in the bindings' package, whose
/// folder only cargo knows.
fn llama_source() -> PathBuf {
    if let Some(dir) = env::var_os("LLAMA_CONFORMANCE_LLAMA_SRC") {
        return dir.into();
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata =
        Command::new(cargo).args(["metadata", "--format-version", "1", "--locked", "--offline"]).output();
    let metadata = metadata.expect("cargo metadata runs, as the build of this crate by cargo shows");
    let said: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap_or_default();
    let packages = said["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let manifest =
        packages.iter().find(|one| one["name"] == BINDINGS).and_then(|one| one["manifest_path"].as_str());
    let manifest = manifest.unwrap_or_else(|| {
        panic!("cargo metadata does not name {BINDINGS}: {}", String::from_utf8_lossy(&metadata.stderr))
    });
    Path::new(manifest).with_file_name("llama.cpp")
}

/// The program finds llama.cpp's libraries in its own folder wherever that is carried, else where the build has
/// installed them; ggml's backends likewise.
fn libraries_beside_the_program() {
    let apple = env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor == "apple");
    let cmake = env::var("DEP_LLAMA_GGML_CMAKE_DIR").unwrap_or_default();
    let installed = Path::new(&cmake).ancestors().nth(2).unwrap_or(Path::new(""));
    println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{}", if apple { "@loader_path" } else { "$ORIGIN" });
    println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{}", installed.join("lib").display());
    println!("cargo::rustc-env=PROBE_BACKENDS={}", installed.join("bin").display());
}

/// The version in the lock file's `[[package]]` entry, whose `version` line follows its `name` line.
fn locked_version(lock: &str) -> Option<String> {
    let mut lines = lock.lines().skip_while(|line| *line != format!("name = \"{BINDINGS}\""));
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"').map(str::to_owned)
}
