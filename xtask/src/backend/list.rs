//! `--backend LIST`: names into rows.

use anyhow::Result;
use judge::closest::did_you_mean;

use super::row::DeviceFilter;
use super::{Row, TABLE};
use crate::exit::Exit;
use crate::machine::Machine;
use crate::setup::find;

/// The rows that a list names.
#[derive(Debug)]
pub(crate) struct Choice {
    /// What to build, in the list's order.
    pub(crate) rows: Vec<&'static Row>,
    /// What `all` would have meant too, with the reason why this machine cannot.
    pub(crate) refused: Vec<String>,
}

/// Looks `names` up; `all` stands for every backend that `machine` can build.
///
/// # Errors
/// An unknown or doubled name is a usage error; a backend that is named and cannot be built here is missing.
pub(crate) fn choose(names: &[String], machine: &Machine) -> Result<Choice> {
    let host = machine.host;
    if names == ["all"] {
        let here = TABLE.iter().filter(|row| row.devices != DeviceFilter::Carried);
        let refusal = |row: &Row| row.refusal(host).or_else(|| absent_kit(row, machine));
        let (rows, others): (Vec<_>, Vec<_>) = here.partition(|row| refusal(row).is_none());
        let refused = others.into_iter().filter_map(refusal).collect();
        return Ok(Choice { rows, refused });
    }
    let mut rows: Vec<&'static Row> = Vec::new();
    for name in names {
        let row = TABLE.iter().find(|row| row.name == *name).ok_or_else(|| {
            let known: Vec<_> = TABLE.iter().map(|row| row.name).collect();
            let guess = did_you_mean(name, known.iter().copied());
            Exit::Usage.error(format!("no such backend {name:?}{guess}; known: {}, all", known.join(", ")))
        })?;
        if rows.iter().any(|other| other.name == row.name) {
            return Err(Exit::Usage.error(format!("backend {name:?} is named twice")));
        }
        rows.push(row);
    }
    let refusals: Vec<_> = rows.iter().filter_map(|row| row.refusal(host)).collect();
    if refusals.is_empty() {
        Ok(Choice { rows, refused: refusals })
    } else {
        Err(Exit::Missing.error(refusals.join("\n")))
    }
}

/// What `row` needs of a vendor, and `machine` lacks.
fn absent_kit(row: &Row, machine: &Machine) -> Option<String> {
    let need = row.needs.iter().find(|need| need.is_vendors() && find(**need, machine).is_none())?;
    Some(format!("{}: needs {}, which is not on this machine", row.name, need.name()))
}

#[cfg(test)]
mod tests {
    use crate::testing::FakeMachine;

    use super::*;

    fn chosen(names: &[&str]) -> Result<Choice> {
        let fake = FakeMachine::new("linux", "x86_64");
        choose(&names.iter().map(ToString::to_string).collect::<Vec<_>>(), &fake.machine())
    }

    fn names(choice: &Choice) -> Vec<&str> {
        choice.rows.iter().map(|row| row.name).collect()
    }

    #[test]
    fn keeps_the_order() {
        assert_eq!(names(&chosen(&["cpu-baseline", "cpu"]).unwrap()), ["cpu-baseline", "cpu"]);
    }

    #[test]
    fn all_is_what_the_machine_can_and_says_what_it_cannot() {
        let choice = chosen(&["all"]).unwrap();
        assert_eq!(names(&choice), ["cpu", "cpu-baseline", "cpu-blas", "vulkan", "arm64"]);
        assert_eq!(
            choice.refused[..2],
            [
                "cuda: needs CUDA toolkit, which is not on this machine",
                "metal: needs macOS, and this machine is linux x86_64"
            ]
        );
    }

    #[test]
    fn wrong_lists_have_their_exit_codes() {
        let table = [
            (
                vec!["gpu"],
                Exit::Usage,
                "no such backend \"gpu\"; known: cpu, cpu-baseline, cpu-blas, cuda, cuda-dl, vulkan, arm64, \
                 metal, ios-sim, all",
            ),
            (vec!["cpu", "cpu"], Exit::Usage, "backend \"cpu\" is named twice"),
            (vec!["cpu", "metal"], Exit::Missing, "metal: needs macOS, and this machine is linux x86_64"),
        ];
        for (names, exit, message) in table {
            let error = chosen(&names).unwrap_err();
            assert_eq!((Exit::of(&error), error.to_string().as_str()), (exit, message));
        }
    }
}
