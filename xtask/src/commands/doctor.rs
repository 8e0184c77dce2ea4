//! `cargo xtask doctor`: what is here, what is missing, how to get it.

use anyhow::Result;

use crate::backend::TABLE;
use crate::context::Context;
use crate::exit::Exit;
use crate::machine::Machine;
use crate::setup::{Need, cure, find};
use crate::table::Table;

/// Prints two tables: programs, and backends. Fine only when the CPU backend can be built.
pub(super) fn run(context: &Context) -> Result<Exit> {
    let machine = &context.machine;
    println!("this machine: {}\n", machine.host);
    print!("{}", programs(machine));
    println!();
    print!("{}", backends(machine));
    let needs = TABLE.iter().filter(|row| row.name == "cpu").flat_map(|row| row.needs);
    let needs: Vec<Need> = needs.copied().chain([Need::Cargo]).collect();
    let missing = !absent(&needs, machine).is_empty();
    Ok(if missing { Exit::Missing } else { Exit::Fine })
}

fn programs(machine: &Machine) -> Table {
    let mut needs = Need::GENERAL.to_vec();
    let buildable = TABLE.iter().filter(|row| row.refusal(machine.host).is_none());
    needs.extend(buildable.flat_map(|row| row.needs).filter(|need| !Need::GENERAL.contains(need)));
    let mut table = Table::new(&["program", "found", "needed for"]);
    for need in needs {
        let found = match find(need, machine) {
            Some(found) if found.version.is_empty() => found.path.display().to_string(),
            Some(found) => format!("{} ({})", found.path.display(), found.version),
            None => format!("missing: {}", cure(need, machine).line(machine)),
        };
        let optional = if need.is_optional() { "; optional" } else { "" };
        table.row([need.name(), found, format!("{}{optional}", need.purpose())]);
    }
    table
}

fn backends(machine: &Machine) -> Table {
    let mut table = Table::new(&["backend", "here", "what it is"]);
    for row in TABLE {
        let state = row.refusal(machine.host).map_or_else(
            || match absent(row.needs, machine).as_slice() {
                [] => "can be built".to_owned(),
                absent => {
                    format!("needs {}", absent.iter().map(|need| need.name()).collect::<Vec<_>>().join(", "))
                }
            },
            |refusal| refusal.trim_start_matches(row.name).trim_start_matches(": ").to_owned(),
        );
        table.row([row.name.to_owned(), state, row.about.to_owned()]);
    }
    table
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
        let text = programs(&fake.machine()).to_string();
        let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        assert!(line("cmake").contains("bin/cmake (cmake version 3.25.1)"), "{text}");
        assert!(line("libclang").contains("install --yes --no-install-recommends libclang-dev"), "{text}");
        assert!(line("cargo").contains("missing: install Rust as https://rustup.rs says"), "{text}");
        assert!(line("ccache").ends_with("; optional"), "{text}");
        assert!(!text.contains("Xcode"), "nothing here needs it: {text}");
    }

    #[test]
    fn says_which_backends_cannot_be_built_and_why() {
        let fake = FakeMachine::new("linux", "x86_64");
        let text = backends(&fake.machine()).to_string();
        assert!(text.contains("needs C and C++ compiler, make, cmake, libclang"), "{text}");
        assert!(text.contains("needs macOS, and this machine is linux x86_64"), "{text}");
    }
}
