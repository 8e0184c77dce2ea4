//! `cargo xtask doctor`: what is here, what is missing, how to get it.

use anyhow::Result;

use crate::backend::{Row, TABLE};
use crate::context::Context;
use crate::exit::Exit;
use crate::machine::Machine;
use crate::setup::{Need, cure, find};
use crate::wrap::{columns, wrapped};

/// What continues an entry stands below its words.
const INDENT: &str = "         ";

/// Prints two lists: programs, and backends. Fine only when the CPU backend can be built.
pub(super) fn run(context: &Context) -> Result<Exit> {
    let machine = &context.machine;
    let columns = columns();
    println!("this machine: {}\n", machine.host);
    print!("{}", wrapped(&programs(machine), columns));
    println!();
    print!("{}", wrapped(&backends(machine), columns));
    let needs = TABLE.iter().filter(|row| row.name == "cpu").flat_map(|row| row.needs);
    let needs: Vec<Need> = needs.copied().chain([Need::Cargo]).collect();
    let missing = absent(&needs, machine);
    if missing.is_empty() {
        println!("\neverything that the backend cpu needs is here: cargo xtask test");
        return Ok(Exit::Fine);
    }
    let names: Vec<String> = missing.iter().map(|need| need.name()).collect();
    println!("\nthe backend cpu still needs {}: cargo xtask test --setup", names.join(", "));
    Ok(Exit::Missing)
}

/// Each program: whether it is here and what for, then where, or how to get it.
fn programs(machine: &Machine) -> String {
    let mut needs = Need::GENERAL.to_vec();
    let buildable = TABLE.iter().filter(|row| row.refusal(machine.host).is_none());
    needs.extend(buildable.flat_map(|row| row.needs).filter(|need| !Need::GENERAL.contains(need)));
    let one = |need: Need| {
        let (state, where_or_how) = match find(need, machine) {
            Some(found) if found.version.is_empty() => ("ok", found.path.display().to_string()),
            Some(found) => ("ok", format!("{} ({})", found.path.display(), found.version)),
            None => ("missing", cure(need, machine).line(machine)),
        };
        let optional = if need.is_optional() { "; optional" } else { "" };
        format!("{state:<7}  {}: {}{optional}\n{INDENT}{where_or_how}\n", need.name(), need.purpose())
    };
    needs.into_iter().map(one).collect()
}

/// Each backend: what it is, then whether it can be built.
fn backends(machine: &Machine) -> String {
    let one = |row: &Row| {
        let state = match (row.refusal(machine.host), absent(row.needs, machine).as_slice()) {
            (Some(refusal), _) => refusal.trim_start_matches(row.name).trim_start_matches(": ").to_owned(),
            (None, []) => "can be built".to_owned(),
            (None, absent) => {
                format!("needs {}", absent.iter().map(|need| need.name()).collect::<Vec<_>>().join(", "))
            }
        };
        format!("{}: {}\n{INDENT}{state}\n", row.name, row.about)
    };
    TABLE.iter().map(one).collect()
}

fn absent(needs: &[Need], machine: &Machine) -> Vec<Need> {
    needs.iter().copied().filter(|need| !need.is_optional() && find(*need, machine).is_none()).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    use super::*;

    #[test]
    fn names_what_is_there_and_how_to_get_the_rest() {
        let fake = FakeMachine::new("linux", "x86_64");
        fake.program("cmake", "echo cmake version 3.25.1");
        fake.program("apt-get", "");
        let text = programs(&fake.machine());
        let entry = |name: &str| {
            let start = text.find(&format!("  {name}: ")).unwrap_or_else(|| panic!("no {name}: {text}"));
            text[start..].lines().take(2).collect::<Vec<_>>().join("|")
        };
        assert!(entry("cmake").ends_with("bin/cmake (cmake version 3.25.1)"), "{text}");
        assert!(entry("libclang").contains("install --yes --no-install-recommends libclang-dev"), "{text}");
        assert!(
            text.contains(
                "missing  cargo: builds the probe\n         install Rust as https://rustup.rs says"
            ),
            "{text}"
        );
        assert!(entry("ccache").contains("; optional|"), "{text}");
        assert!(!text.contains("Xcode"), "nothing here needs it: {text}");
    }

    #[test]
    fn says_which_backends_cannot_be_built_and_why() {
        let fake = FakeMachine::new("linux", "x86_64");
        let text = backends(&fake.machine());
        assert!(text.contains("needs C and C++ compiler, make, cmake, libclang"), "{text}");
        assert!(text.contains("needs macOS, and this machine is linux x86_64"), "{text}");
    }
}
