//! A file that names this processor's features, for the compiler cache.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::atomic;
use crate::command_line::CommandLine;
use crate::exit::Exit;
use crate::machine::Machine;

/// Writes the features of `machine`'s processor to `path`, unless the file says so already.
pub(super) fn write(path: &Path, machine: &Machine) -> Result<()> {
    let text = features(machine)?;
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    atomic::write(path, text.as_bytes())
}

fn features(machine: &Machine) -> Result<String> {
    if machine.host.is_mac() {
        return CommandLine::new("sysctl", ["-n", "machdep.cpu.brand_string"]).capture(machine, Exit::Broken);
    }
    let path = machine.root.join("proc/cpuinfo");
    match fs::read_to_string(&path) {
        Ok(text) => Ok(from_cpuinfo(&text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(format!("{}\n", machine.host)),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// The lines that tell processors apart: no clock, no core number. x86 has flags, ARM has features and parts.
fn from_cpuinfo(text: &str) -> String {
    const KEYS: &[&str] =
        &["model name", "flags", "Features", "CPU implementer", "CPU architecture", "CPU part"];
    let mut lines: Vec<&str> =
        text.lines().filter(|line| KEYS.iter().any(|key| line.starts_with(key))).collect();
    lines.sort_unstable();
    lines.dedup();
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    use super::*;

    #[test]
    fn cores_of_one_kind_are_one_line() {
        let text = "processor\t: 0\nmodel name\t: X\ncpu MHz\t: 1\nflags\t: a b\n\nprocessor\t: 1\nmodel name\t: X\n\
                    cpu MHz\t: 2\nflags\t: a b\n";
        assert_eq!(from_cpuinfo(text), "flags\t: a b\nmodel name\t: X\n");
    }

    #[test]
    fn the_file_is_written_on_each_host() {
        let fake = FakeMachine::new("linux", "x86_64");
        let path = fake.folder().join("out/processor.txt");
        write(&path, &fake.machine()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "linux x86_64\n");
        fs::write(fake.file("proc/cpuinfo"), "flags\t: sse2\n").unwrap();
        write(&path, &fake.machine()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "flags\t: sse2\n");

        let mac = FakeMachine::new("macos", "aarch64");
        mac.program("sysctl", "echo Apple M9");
        let path = mac.folder().join("processor.txt");
        write(&path, &mac.machine()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "Apple M9\n");
    }
}
