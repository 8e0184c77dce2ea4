//! Which pending goldens are meant.

use anyhow::Result;
use judge::golden::Pending;
use judge::plan::Filter;

use crate::exit::{Exit, OrExit as _};
use crate::flags::ReviewFlags;

/// The pending goldens that `flags` mean: those that a glob fits, as `<model>/<case>` or as the case's id; all, where
/// there is no glob.
///
/// # Errors
/// When something is no glob, nothing fits, or a decision would be taken on everything without saying so.
pub(super) fn chosen<'a>(flags: &ReviewFlags, pending: &'a [Pending]) -> Result<Vec<&'a Pending>> {
    let decides = flags.accept || flags.reject;
    if flags.all && !flags.yes {
        return Err(
            Exit::Usage.error("--all decides on everything at once: look at it first, then add --yes")
        );
    }
    if decides && flags.globs.is_empty() && !flags.all {
        return Err(Exit::Usage.error("say which: names, globs such as 'eog/*', or --all --yes"));
    }
    let filter = Filter::new(&flags.globs).or_exit(Exit::Usage)?;
    let fits = |one: &&Pending| filter.lets_through(&one.name()) || filter.lets_through(&one.case);
    let chosen: Vec<&Pending> = pending.iter().filter(fits).collect();
    if chosen.is_empty() && !pending.is_empty() {
        let globs = flags.globs.join(" ");
        return Err(
            Exit::Usage.error(format!("no pending golden fits {globs}; `cargo xtask review` lists them"))
        );
    }
    let is_blanket = |glob: &String| glob.chars().all(|letter| "*?/{}[]!,".contains(letter));
    if decides && !flags.all && chosen.len() > 1 && flags.globs.iter().any(is_blanket) {
        return Err(Exit::Usage.error(format!(
            "this is a decision on all {} pending goldens; look at each, or say --all --yes",
            chosen.len()
        )));
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use judge::golden::Golden;
    use judge::review::changes;

    use super::*;

    fn pending(model: &str, case: &str) -> Pending {
        let text = r#"{"made_by": "x", "observation": {"ending": "completed"}}"#;
        let new: Golden = serde_json::from_str(text).unwrap();
        assert!(!changes(None, &new).is_empty());
        Pending { model: model.into(), case: case.into(), path: "x".into(), old: None, new }
    }

    fn flags(globs: &[&str], accept: bool, all: bool, yes: bool) -> ReviewFlags {
        let globs = globs.iter().map(|glob| (*glob).to_owned()).collect();
        ReviewFlags { globs, accept, reject: false, all, yes, unreferenced: false }
    }

    /// Which are meant, or how it is refused.
    fn check(flags: &ReviewFlags, expected: Result<&[&str], &str>) {
        let pending = [pending("m", "eog/a"), pending("m", "eog/b"), pending("n", "turns/a")];
        let chosen = chosen(flags, &pending).map_err(|error| error.to_string());
        match (chosen, expected) {
            (Ok(chosen), Ok(expected)) => {
                assert_eq!(chosen.iter().map(|one| one.name()).collect::<Vec<_>>(), expected);
            }
            (Err(error), Err(part)) => assert!(error.contains(part), "{error}"),
            other => panic!("{flags:?}: {other:?}"),
        }
    }

    #[test]
    fn by_name_by_glob_and_never_by_accident() {
        let all: &[&str] = &["m/eog/a", "m/eog/b", "n/turns/a"];
        check(&flags(&[], false, false, false), Ok(all));
        check(&flags(&["eog/*"], true, false, false), Ok(&all[..2]));
        check(&flags(&["m/eog/a", "n/*"], true, false, false), Ok(&["m/eog/a", "n/turns/a"]));
        check(&flags(&[], true, true, true), Ok(all));
        check(&flags(&[], true, true, false), Err("add --yes"));
        check(&flags(&[], true, false, false), Err("say which"));
        check(&flags(&["eog/c"], true, false, false), Err("no pending golden fits eog/c"));
        for blanket in ["*", "**", "**/*", "*/*/*"] {
            check(&flags(&[blanket], true, false, false), Err("all 3 pending goldens"));
        }
        check(&flags(&["*"], false, false, false), Ok(all));
    }
}
