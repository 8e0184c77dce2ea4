//! `--backend LIST`: names into rows.

use anyhow::Result;

use super::{Row, TABLE};
use crate::exit::Exit;
use crate::machine::Host;

/// The rows that a list names.
#[derive(Debug)]
pub(crate) struct Choice {
    /// What to build, in the list's order.
    pub(crate) rows: Vec<&'static Row>,
    /// What `all` would have meant too, with the reason why this machine cannot.
    pub(crate) refused: Vec<String>,
}

/// Looks `names` up; `all` stands for every backend that `host` can build.
///
/// # Errors
/// An unknown or doubled name is a usage error; a backend that is named and cannot be built here is missing.
pub(crate) fn choose(names: &[String], host: Host) -> Result<Choice> {
    if names == ["all"] {
        let (rows, others): (Vec<_>, Vec<_>) = TABLE.iter().partition(|row| row.refusal(host).is_none());
        let refused = others.into_iter().filter_map(|row| row.refusal(host)).collect();
        return Ok(Choice { rows, refused });
    }
    let mut rows: Vec<&'static Row> = Vec::new();
    for name in names {
        let row = TABLE.iter().find(|row| row.name == *name).ok_or_else(|| {
            let known: Vec<_> = TABLE.iter().map(|row| row.name).collect();
            Exit::Usage.error(format!("no such backend {name:?}; known: {}, all", known.join(", ")))
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

#[cfg(test)]
mod tests {
    use super::*;

    const LINUX: Host = Host { os: "linux", arch: "x86_64" };

    fn chosen(names: &[&str]) -> Result<Choice> {
        choose(&names.iter().map(ToString::to_string).collect::<Vec<_>>(), LINUX)
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
        assert_eq!(names(&choice), ["cpu", "cpu-baseline"]);
        assert_eq!(choice.refused[0], "metal: needs macOS, and this machine is linux x86_64");
    }

    #[test]
    fn wrong_lists_have_their_exit_codes() {
        let table = [
            (
                vec!["gpu"],
                Exit::Usage,
                "no such backend \"gpu\"; known: cpu, cpu-baseline, metal, ios-sim, all",
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
