//! Asks a person about one golden after the other.

use std::io::{self, BufRead, Write};

use judge::golden::Pending;
use judge::report::plural;

/// What a person said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// It is right now.
    Accept,
    /// It is wrong.
    Reject,
    /// Later.
    Skip,
}

/// Shows each of `chosen` with what changed, asks, and does with it what was said, at once: whoever stops in the
/// middle loses nothing. Returns what was said of how many.
///
/// # Errors
/// When the terminal is gone, or `act` fails.
pub(super) fn ask(
    chosen: &[&Pending],
    show: impl Fn(&Pending) -> String,
    mut act: impl FnMut(&Pending, Decision) -> anyhow::Result<()>,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<[usize; 3]> {
    let mut counts = [0; 3];
    for (index, pending) in chosen.iter().enumerate() {
        writeln!(out, "\n{} of {}", index + 1, plural(chosen.len(), "golden"))?;
        write!(out, "{}", show(pending))?;
        let Some(decision) = answer(input, out)? else { break };
        act(pending, decision)?;
        counts[decision as usize] += 1;
    }
    let [accepted, rejected, _] = counts;
    let left = chosen.len() - accepted - rejected;
    writeln!(out, "\n{accepted} accepted, {rejected} rejected, {left} left")?;
    Ok(counts)
}

/// One answer; `None` to stop.
fn answer(input: &mut impl BufRead, out: &mut impl Write) -> io::Result<Option<Decision>> {
    loop {
        write!(out, "  [a]ccept, [r]eject, [s]kip, [q]uit? ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim() {
            "a" | "accept" => return Ok(Some(Decision::Accept)),
            "r" | "reject" => return Ok(Some(Decision::Reject)),
            "s" | "skip" | "" => return Ok(Some(Decision::Skip)),
            "q" | "quit" => return Ok(None),
            _ => writeln!(out, "  a, r, s or q")?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(case: &str) -> Pending {
        let new =
            serde_json::from_str(r#"{"made_by": "x", "observation": {"ending": "completed"}}"#).unwrap();
        Pending { model: "m".into(), case: case.into(), path: "x".into(), old: None, new }
    }

    /// What is done when a person types `typed`, and the last line that they read.
    fn check(typed: &str, expected: &[(&str, Decision)], last: &str) {
        let all = [pending("a/1"), pending("a/2"), pending("a/3")];
        let mut done = Vec::new();
        let mut out = Vec::new();
        let act = |pending: &Pending, decision| {
            done.push((pending.case.clone(), decision));
            Ok(())
        };
        let chosen: Vec<&Pending> = all.iter().collect();
        ask(&chosen, |_| String::new(), act, &mut typed.as_bytes(), &mut out).unwrap();
        let done: Vec<(&str, Decision)> =
            done.iter().map(|(case, decision)| (case.as_str(), *decision)).collect();
        assert_eq!(done, expected);
        assert_eq!(String::from_utf8(out).unwrap().lines().last(), Some(last));
    }

    #[test]
    fn each_is_asked_for_and_one_may_stop() {
        use Decision::{Accept, Reject, Skip};
        check(
            "a\nr\ns\n",
            &[("a/1", Accept), ("a/2", Reject), ("a/3", Skip)],
            "1 accepted, 1 rejected, 1 left",
        );
        check("what?\naccept\nq\n", &[("a/1", Accept)], "1 accepted, 0 rejected, 2 left");
        check("", &[], "0 accepted, 0 rejected, 3 left");
    }
}
