//! From a row to a probe that has introduced itself.

use std::path::Path;

use anyhow::{Context as _, Result};
use judge::built::{LaunchFile, SubjectFile};
use wire::{Card, DeviceKind};

use super::cargo::{self, BuildInput};
use super::llama_source::LlamaSource;
use super::row::{Launcher, Row};
use super::table::TABLE;
use super::{processor, qemu, simulator, sources};
use crate::command_line::CommandLine;
use crate::exit::{DeviceTrouble, Exit, OrExit as _};
use crate::machine::Machine;
use crate::workspace::Workspace;

/// Builds the probe of `row`, asks it for its card, and writes `subject.json`. Where nothing has changed, cargo
/// has nothing to do and the file stays.
///
/// # Errors
/// When the build fails, the probe does not start, or it is not what the backend stands for.
pub(crate) fn make(
    row: &Row,
    llama: Option<&LlamaSource>,
    workspace: &Workspace,
    machine: &Machine,
) -> Result<SubjectFile> {
    let input = BuildInput::of(machine, row, llama);
    let folder = input.folder(row, workspace);
    if row.native {
        processor::write(&cargo::cpu_flags_file(row, workspace), machine)?;
    }
    let built_from = sources::hash(row, &input, workspace)?;
    let line = cargo::build(row, workspace, &input);
    line.run_checked(machine, Exit::Missing)?;
    let path = cargo::probe_path(row, &folder);
    if row.launcher != Launcher::Simulator
        && let Ok(file) = SubjectFile::read_fresh(&folder, row.name, Some(&built_from))
    {
        return Ok(file);
    }
    let launch = match row.launcher {
        Launcher::Direct => LaunchFile::default(),
        Launcher::Qemu => qemu::launch(),
        Launcher::Simulator => simulator::launch(machine)?,
    };
    let (launch, card) = introduced(row, launch, &path, machine)?;
    let file = SubjectFile::new(row.name, &path, launch, card, built_from)?;
    file.write(&folder).or_exit(Exit::Broken)?;
    Ok(file)
}

/// A probe that somebody else built: `program` is asked what it is.
///
/// # Errors
/// When it is not there, does not introduce itself, or sees none of the devices that its name stands for.
pub(crate) fn carried(program: &Path, machine: &Machine) -> Result<SubjectFile> {
    let missing = |error: std::io::Error| Exit::Missing.error(format!("{}: {error}", program.display()));
    let program = program.canonicalize().map_err(missing)?;
    let launch = LaunchFile::default();
    let card = introduction(&launch, &program, machine)?;
    in_use(&card)?;
    SubjectFile::new(&card.backend.clone(), &program, launch, card, String::new()).map_err(missing)
}

/// Whether a probe that says `card` can be asked on this machine.
///
/// # Errors
/// When it sees none of the devices that its name stands for.
pub(crate) fn in_use(card: &Card) -> Result<()> {
    let row = TABLE.iter().find(|row| row.name == card.backend);
    let complaint = row.and_then(|row| row.devices.in_use().complaint(kinds(card)));
    complaint.map_or(Ok(()), |complaint| Err(unseen(card, complaint)))
}

/// `probe card`, through the launcher.
fn card_line(launch: &LaunchFile, probe: &Path) -> CommandLine {
    let mut launch = launch.clone();
    launch.env.push(("RUST_BACKTRACE".to_owned(), "1".to_owned()));
    let launch = launch.launch(probe, &["card"]);
    let line = CommandLine::new(&launch.program.display().to_string(), launch.args);
    launch.env.into_iter().fold(line, |line, (key, value)| line.env(key, value))
}

/// The card of a probe that is what `row` says, and how it was started. Where it sees no GPU, it is asked for the
/// one that the processor plays.
fn introduced(row: &Row, launch: LaunchFile, probe: &Path, machine: &Machine) -> Result<(LaunchFile, Card)> {
    match ask_card(row, &launch, probe, machine) {
        Err(error)
            if !row.software_gpu.is_empty() && Exit::of(&error) == Exit::Device(DeviceTrouble::Unseen) =>
        {
            let mut software = launch;
            let pair = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
            software.env.extend(row.software_gpu.iter().map(pair));
            let card = ask_card(row, &software, probe, machine)?;
            Ok((software, card))
        }
        answer => Ok((launch, answer?)),
    }
}

/// Runs `probe card` and checks the answer against `row`.
fn ask_card(row: &Row, launch: &LaunchFile, probe: &Path, machine: &Machine) -> Result<Card> {
    let card = introduction(launch, probe, machine)?;
    if card.backend != row.name {
        let (said, name) = (card.backend, row.name);
        return Err(Exit::Broken.error(format!("the probe of {name} says that it was built for {said:?}")));
    }
    row.devices.complaint(kinds(&card)).map_or(Ok(()), |complaint| Err(unseen(&card, complaint)))?;
    Ok(card)
}

/// What the probe says of itself.
fn introduction(launch: &LaunchFile, probe: &Path, machine: &Machine) -> Result<Card> {
    let line = card_line(launch, probe);
    let answer = line.capture(machine, Exit::Broken)?;
    serde_json::from_str(&answer).with_context(|| format!("`{line}` printed something else than a card"))
}

fn kinds(card: &Card) -> impl Iterator<Item = DeviceKind> {
    card.devices.iter().map(|device| device.kind)
}

fn unseen(card: &Card, complaint: &str) -> anyhow::Error {
    let names: Vec<_> = card.devices.iter().map(|device| device.name.as_str()).collect();
    let (name, shown) = (&card.backend, names.join(", "));
    Exit::Device(DeviceTrouble::Unseen).error(format!("{name}: {complaint}; it shows: {shown}"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use wire::Device;

    use crate::testing::FakeMachine;

    use super::*;

    /// The card of a probe that sees one CPU.
    fn card(backend: &str) -> Card {
        Card {
            backend: backend.to_owned(),
            devices: vec![Device {
                name: "CPU".to_owned(),
                description: "a processor".to_owned(),
                kind: DeviceKind::Cpu,
            }],
            os: "an os".to_owned(),
            arch: "an architecture".to_owned(),
            cpu_features: String::new(),
            llama_version: "b1".to_owned(),
            llama_build: None,
            bindings: "bindings 1".to_owned(),
            capabilities: vec![],
            engines: vec![],
            template_engines: vec![],
            wrapper: "wrapper 1".to_owned(),
            fault: None,
        }
    }

    /// A workspace in the fake machine's folder and a cargo that "builds" a probe which prints `card`.
    fn project(fake: &FakeMachine, card: &Card) -> Workspace {
        fs::write(fake.folder().join("card.json"), serde_json::to_string(card).unwrap()).unwrap();
        let folder = fake.folder().display();
        let script = format!(
            "while [ $# -gt 0 ]; do
               case $1 in --target-dir) to=$2 ;; --target) triple=$2/ ;; esac
               shift
             done
             mkdir -p \"$to/${{triple}}release\"
             probe=\"$to/${{triple}}release/probe\"
             printf '#!/bin/sh\\necho probe \"$@\" trace=$RUST_BACKTRACE >> {folder}/log\\n/bin/cat {folder}/card.json\\n' > \"$probe\"
             chmod 755 \"$probe\""
        );
        fake.logged("cargo", &script);
        fake.workspace()
    }

    fn row(name: &str) -> &'static Row {
        TABLE.iter().find(|row| row.name == name).unwrap()
    }

    #[test]
    fn builds_asks_and_writes() {
        let fake = FakeMachine::new("linux", "x86_64");
        let workspace = project(&fake, &card("cpu"));
        let built = make(row("cpu"), None, &workspace, &fake.machine()).unwrap();
        assert_eq!(built.card, card("cpu"));
        assert_eq!(built.path, workspace.probe_folder("cpu").join("release/probe"));
        assert!(SubjectFile::path_in(&workspace.probe_folder("cpu")).is_file());
        assert_eq!(
            fake.log(),
            "cargo build --release --package probe --target-dir ~/project/target/probe/cpu --features jinja\nprobe card trace=1\n"
        );
    }

    #[test]
    fn asks_again_only_when_sources_changed() {
        let fake = FakeMachine::new("linux", "x86_64");
        let workspace = project(&fake, &card("cpu"));
        let cards = || {
            make(row("cpu"), None, &workspace, &fake.machine()).unwrap();
            fake.log().matches("probe card").count()
        };
        assert_eq!((cards(), cards()), (1, 1));
        fs::write(workspace.root().join("harness/probe/new.rs"), "").unwrap();
        assert_eq!(cards(), 2);
    }

    #[test]
    fn a_probe_that_is_something_else_is_refused() {
        let mut gpu = card("cpu");
        gpu.devices[0].kind = DeviceKind::IntegratedGpu;
        let table = [
            (card("metal"), Exit::Broken, "the probe of cpu says that it was built for \"metal\""),
            (
                gpu,
                Exit::Device(DeviceTrouble::Unseen),
                "cpu: its probe registers a GPU, so it is no CPU reference; it shows: CPU",
            ),
        ];
        for (card, exit, message) in table {
            let fake = FakeMachine::new("linux", "x86_64");
            let workspace = project(&fake, &card);
            let error = make(row("cpu"), None, &workspace, &fake.machine()).unwrap_err();
            assert_eq!((Exit::of(&error), error.to_string().as_str()), (exit, message));
            assert!(!SubjectFile::path_in(&workspace.probe_folder("cpu")).exists());
        }
    }

    #[test]
    fn a_probe_from_elsewhere_is_what_its_card_says() {
        let cpu_as = |backend: &str| {
            let fake = FakeMachine::new("linux", "x86_64");
            let text = serde_json::to_string(&card(backend)).unwrap();
            fake.program("carried", &format!("echo '{text}'"));
            let program = fake.machine().find("carried").unwrap();
            carried(&program, &fake.machine())
        };
        assert_eq!(cpu_as("their-wrapper").unwrap().backend, "their-wrapper");
        let error = cpu_as("cuda-dl").unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Device(DeviceTrouble::Unseen));
        assert_eq!(error.to_string(), "cuda-dl: its probe sees no GPU; it shows: CPU");
        let error = carried(Path::new("/nowhere/probe"), &FakeMachine::new("linux", "x86_64").machine());
        assert_eq!(Exit::of(&error.unwrap_err()), Exit::Missing);
    }

    #[test]
    fn a_build_that_fails_is_a_missing_probe() {
        let fake = FakeMachine::new("linux", "x86_64");
        let workspace = project(&fake, &card("cpu"));
        fake.program("cargo", "exit 101");
        let error = make(row("cpu"), None, &workspace, &fake.machine()).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Missing);
        assert!(error.to_string().ends_with("failed: exit status: 101"), "{error}");
    }

    /// A Mac with one simulator in `state`; its xcrun really starts what it is told to spawn, as simctl would.
    fn mac(state: &str) -> FakeMachine {
        let fake = FakeMachine::new("macos", "aarch64");
        fake.program("sysctl", "echo Apple M9");
        let listing = format!(
            r#"{{"devices": {{"com.apple.CoreSimulator.SimRuntime.iOS-18-0": [{{"udid": "U", "name": "iPhone 16", "state": "{state}"}}]}}}}"#
        );
        fake.logged(
            "xcrun",
            &format!(
                "case $2 in
                   list) echo '{listing}' ;;
                   spawn) shift 3; RUST_BACKTRACE=$SIMCTL_CHILD_RUST_BACKTRACE exec \"$@\" ;;
                 esac"
            ),
        );
        fake
    }

    #[test]
    fn the_simulator_is_booted_awaited_and_spawned_into() {
        let fake = mac("Shutdown");
        let workspace = project(&fake, &card("ios-sim"));
        let built = make(row("ios-sim"), None, &workspace, &fake.machine()).unwrap();
        let probe = "~/project/target/probe/ios-sim/aarch64-apple-ios-sim/release/probe";
        assert_eq!(
            fake.log(),
            format!(
                "cargo build --release --package probe --target-dir ~/project/target/probe/ios-sim --target \
                 aarch64-apple-ios-sim\nxcrun simctl list -j devices available\nxcrun simctl boot U\nxcrun simctl \
                 bootstatus U -b\nxcrun simctl spawn U {probe} card\nprobe card trace=1\n"
            )
        );
        assert_eq!(built.launch.prefix, ["xcrun", "simctl", "spawn", "U"]);
        assert_eq!(built.launch.prepare, [["xcrun", "simctl", "bootstatus", "U", "-b"]]);
        assert_eq!(built.launch.env_prefix, "SIMCTL_CHILD_");
    }

    #[test]
    fn qemu_starts_the_loader_and_that_the_probe() {
        let fake = FakeMachine::new("linux", "x86_64");
        fake.program("rustc", "echo /usr/bin");
        let workspace = project(&fake, &card("arm64"));
        fake.logged("qemu-aarch64", "shift 5; exec \"$@\"");
        make(row("arm64"), None, &workspace, &fake.machine()).unwrap();
        assert_eq!(
            fake.log(),
            "cargo build --release --package probe --target-dir ~/project/target/probe/arm64 --target \
             aarch64-unknown-linux-gnu\nqemu-aarch64 -cpu cortex-a72 /usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1 \
             --library-path /usr/aarch64-linux-gnu/lib \
             ~/project/target/probe/arm64/aarch64-unknown-linux-gnu/release/probe card\nprobe card trace=1\n"
        );
    }

    #[test]
    fn a_booted_simulator_is_not_booted_again() {
        let fake = mac("Booted");
        let workspace = project(&fake, &card("ios-sim"));
        make(row("ios-sim"), None, &workspace, &fake.machine()).unwrap();
        assert!(!fake.log().contains("simctl boot U"), "{}", fake.log());
        assert!(fake.log().contains("simctl bootstatus U -b"), "{}", fake.log());
    }

    #[test]
    fn a_simulator_that_does_not_boot_is_device_trouble() {
        let fake = mac("Shutdown");
        let workspace = project(&fake, &card("ios-sim"));
        let list =
            r#"{"devices": {"SimRuntime.iOS-18-0": [{"udid": "U", "name": "iPhone", "state": "Shutdown"}]}}"#;
        fake.program("xcrun", &format!("case $2 in list) echo '{list}' ;; *) exit 164 ;; esac"));
        let error = make(row("ios-sim"), None, &workspace, &fake.machine()).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Device(DeviceTrouble::Down));
        assert_eq!(error.to_string(), "`xcrun simctl boot U` failed: exit status: 164");
    }

    #[test]
    fn a_gpu_that_the_processor_plays_is_asked_for_only_where_there_is_no_other() {
        let mut with_gpu = card("vulkan");
        with_gpu.devices[0].kind = DeviceKind::Gpu;
        for hardware in [false, true] {
            let fake = FakeMachine::new("linux", "x86_64");
            let first = if hardware { with_gpu.clone() } else { card("vulkan") };
            let workspace = project(&fake, &first);
            let (folder, text) = (fake.folder().display(), serde_json::to_string(&with_gpu).unwrap());
            fs::write(fake.folder().join("software.json"), text).unwrap();
            let script = fs::read_to_string(fake.bin().join("cargo")).unwrap().replace(
                &format!("/bin/cat {folder}/card.json"),
                &format!("[ -z $GGML_VK_VISIBLE_DEVICES ] || cd {folder} && /bin/cat software.json && exit\\n/bin/cat {folder}/card.json"),
            );
            fs::write(fake.bin().join("cargo"), script).unwrap();
            let built = make(row("vulkan"), None, &workspace, &fake.machine()).unwrap();
            assert_eq!(built.launch.env.is_empty(), hardware, "{:?}", built.launch);
            assert_eq!(built.card, with_gpu);
        }
    }

    #[test]
    fn metal_needs_a_gpu_on_the_card() {
        let fake = mac("Booted");
        let workspace = project(&fake, &card("metal"));
        let error = make(row("metal"), None, &workspace, &fake.machine()).unwrap_err();
        assert_eq!(error.to_string(), "metal: its probe sees no GPU; it shows: CPU");
        assert!(fake.log().contains("--target-dir ~/project/target/probe/metal --features metal\n"));
    }
}
