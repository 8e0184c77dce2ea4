//! Asks a person at the terminal for what no flag said.

use std::io::{self, BufRead, Write};

use super::DEFAULT_MODEL;
use crate::flags::{Kind, NewCaseFlags};

/// Fills in what is missing in `flags`. Nothing is asked where enough was said to write a case.
///
/// # Errors
/// When the terminal is gone.
pub(crate) fn ask(
    flags: &mut NewCaseFlags,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<()> {
    if flags.why.is_some() && !flags.ask.is_empty() {
        return Ok(());
    }
    writeln!(out, "a new case, cases/{}.json; an empty answer takes what stands in brackets", flags.id)?;
    if flags.why.is_none() {
        flags.why = Some(answer("what goes wrong for whom if it fails?", input, out)?);
    }
    if flags.link.is_empty() {
        flags.link.extend(some(answer("a public report of it? (https://…) [none]", input, out)?));
    }
    if flags.model.is_empty() {
        let question = format!("which model, glob or role:NAME? [{DEFAULT_MODEL}]");
        flags.model.extend(some(answer(&question, input, out)?));
    }
    if flags.ask.is_empty() {
        let question = match flags.stimulus {
            Some(Kind::Tokenize | Kind::Score) => "which text?",
            _ => "what does the user say?",
        };
        flags.ask.extend(some(answer(question, input, out)?));
    }
    if flags.expect.is_empty() {
        flags.expect.extend(expected(flags.stimulus, input, out)?);
    }
    Ok(())
}

fn expected(kind: Option<Kind>, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<Vec<String>> {
    let mut one = |question| answer(question, input, out);
    match kind {
        Some(Kind::Score) => Ok(Vec::new()),
        Some(Kind::Render) => Ok(some(one("what must the prompt contain?")?).into_iter().collect()),
        Some(Kind::Tokenize) => {
            let mut tokens = Vec::new();
            while let Some(token) = some(one("the text of the next token? [that was the last]")?) {
                tokens.push(token);
            }
            Ok(tokens)
        }
        _ => Ok(some(one("what must the answer be? [that it ends by itself]")?).into_iter().collect()),
    }
}

fn some(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

/// One line, without its end; only that is taken off, since blanks may matter. Nothing where the input has ended.
fn answer(question: &str, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<String> {
    write!(out, "{question} ")?;
    out.flush()?;
    let mut line = String::new();
    input.read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(kind: Option<Kind>) -> NewCaseFlags {
        NewCaseFlags {
            id: "eog/a".into(),
            why: None,
            link: vec![],
            model: vec![],
            stimulus: kind,
            ask: vec![],
            expect: vec![],
            max_tokens: 64,
            golden: false,
        }
    }

    fn asked(flags: &mut NewCaseFlags, input: &str) -> String {
        let mut out = Vec::new();
        ask(flags, &mut input.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn answers_become_flags() {
        let mut one = flags(None);
        let out = asked(&mut one, "because\n\n\nSay goodbye\r\nBye.\n");
        assert!(out.starts_with("a new case, cases/eog/a.json; "), "{out}");
        assert_eq!(
            (one.why.as_deref(), one.ask, one.expect),
            (Some("because"), vec!["Say goodbye".to_owned()], vec!["Bye.".to_owned()])
        );
        assert!(one.link.is_empty() && one.model.is_empty());
        let mut tokens = flags(Some(Kind::Tokenize));
        asked(&mut tokens, "w\nhttps://x\nm\nHi you\nHi\n you\n\n");
        assert_eq!(tokens.expect, ["Hi", " you"]);
        assert_eq!((tokens.link, tokens.model), (vec!["https://x".to_owned()], vec!["m".to_owned()]));
    }

    #[test]
    fn where_enough_was_said_nothing_is_asked_and_an_end_is_no_loop() {
        let mut said = NewCaseFlags { why: Some("w".into()), ask: vec!["a".into()], ..flags(None) };
        assert_eq!(asked(&mut said, ""), "");
        let mut ended = flags(Some(Kind::Tokenize));
        asked(&mut ended, "");
        assert!(ended.ask.is_empty() && ended.expect.is_empty());
    }
}
