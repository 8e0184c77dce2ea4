//! Pushing a sheet, running the tests, fetching what they wrote.

use std::fs;
use std::path::{Path, PathBuf};

use super::phone::Connection;
use crate::argv::{TestRun, export_attachments, summary, test_without_building};
use crate::said::{Prepared, Summary, prepare};
use crate::sheet::{Collected, Sheet, collect};
use crate::swift::test_name;
use crate::trouble::{Trouble, TroubleKind};

/// How often the tests are begun: after a crash XCTest goes on with the next test, and what the crashed one had not asked
/// yet is asked in the next round. A round without a new answer is the last.
const ROUNDS: usize = 8;

/// What the tests are run with.
#[derive(Clone, Copy, Debug)]
pub struct Ran<'a> {
    /// The .xctestrun that was built.
    pub xctestrun: &'a Path,
    /// The test bundle.
    pub tests: &'a str,
    /// `CONFORMANCE_OPTIONS`.
    pub options: &'a str,
    /// For at most so many minutes a round.
    pub minutes: u64,
}

/// Copies the sheet and its models there. `find` says where a model's file lies here.
///
/// # Errors
/// When one cannot be copied.
pub fn push(
    connection: &Connection<'_>,
    sheet: &Sheet,
    find: impl Fn(&str) -> Option<PathBuf>,
) -> Result<(), Trouble> {
    for model in &sheet.models {
        let absent = || {
            Trouble::new(
                TroubleKind::Down,
                format!("{} is not on this Mac; make the sheet again", model.file),
            )
        };
        connection.put(&find(&model.file).ok_or_else(absent)?, &format!("models/{}", model.file))?;
    }
    let file = connection.scratch.join("sheet.json");
    fs::write(&file, sheet.to_text()).map_err(|error| broken(&file, &error.to_string()))?;
    connection.put(&file, "sheet.json")
}

/// Runs the tests until nothing new is answered, and fetches the answers into `answers`.
///
/// # Errors
/// When the tests cannot be run at all, or nothing came back.
pub fn ask(
    connection: &Connection<'_>,
    sheet: &Sheet,
    ran: &Ran<'_>,
    answers: &Path,
) -> Result<Collected, Trouble> {
    let mut collected = collect(sheet, &[answers]);
    let mut only = Vec::new();
    for round in 0..ROUNDS {
        let results = connection.scratch.join(format!("round-{round}.xcresult"));
        let _ = fs::remove_dir_all(&results);
        let file = prepared(connection, ran, &only)?;
        let run = TestRun {
            xctestrun: &file.to_string_lossy(),
            udid: connection.target.udid(),
            results: &results.to_string_lossy(),
            minutes: ran.minutes,
        };
        // Failed tests are no trouble: what is in the files counts. But without a result bundle nothing was run.
        let done = connection.tools.run(&test_without_building(&run))?;
        if !results.exists() {
            let words = format!("{}\n{}", done.stdout, done.stderr);
            return Err(Trouble::of_words(
                &format!("xcodebuild ran no test ({})", done.status),
                words.trim(),
            ));
        }
        pull(connection, Some(&results), answers)?;
        let before = (collected.asked.len(), collected.open.len());
        collected = collect(sheet, &[answers]);
        only = open_tests(sheet, &collected);
        if only.is_empty() || before == (collected.asked.len(), collected.open.len()) {
            break;
        }
    }
    Ok(collected)
}

/// The tests with questions that are open.
fn open_tests(sheet: &Sheet, collected: &Collected) -> Vec<String> {
    let open = sheet.questions.iter().filter(|question| collected.open.contains(&question.key));
    let mut tests: Vec<String> =
        open.map(|question| format!("Cases/{}", test_name(&question.case))).collect();
    tests.sort();
    tests.dedup();
    tests
}

/// The .xctestrun as this round needs it, beside the one that was built: its paths are relative to that.
fn prepared(connection: &Connection<'_>, ran: &Ran<'_>, only: &[String]) -> Result<PathBuf, Trouble> {
    let mut value =
        plist::Value::from_file(ran.xctestrun).map_err(|error| broken(ran.xctestrun, &error.to_string()))?;
    let how = Prepared { targets: &[ran.tests], env: &[("CONFORMANCE_OPTIONS", ran.options)], only };
    if prepare(&mut value, &how) == 0 {
        let message = format!("{} holds no tests {}; build again", ran.xctestrun.display(), ran.tests);
        return Err(Trouble::new(TroubleKind::Down, message));
    }
    let folder = ran.xctestrun.parent().unwrap_or(connection.scratch);
    let file = folder.join(format!("conformance-{}.xctestrun", connection.target.udid()));
    value.to_file_xml(&file).map_err(|error| broken(&file, &error.to_string()))?;
    Ok(file)
}

/// Fetches answers into `answers`: the attachments in `results` first, then what lies in the app's container. One of them
/// is enough.
///
/// # Errors
/// When neither way leads to anything.
pub fn pull(connection: &Connection<'_>, results: Option<&Path>, answers: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(answers).map_err(|error| broken(answers, &error.to_string()))?;
    let attached = results.map(|results| {
        let folder = fresh(&answers.join("attachments"));
        let export = export_attachments(&results.to_string_lossy(), &folder.to_string_lossy());
        connection.tools.demand(&export).map(drop)
    });
    let copied = connection.answers(&fresh(&answers.join("container")));
    match (attached, copied) {
        (_, Ok(())) | (Some(Ok(())), _) => Ok(()),
        (None, Err(copied)) => Err(copied),
        (Some(Err(attached)), Err(copied)) => {
            let said = results.and_then(|results| said_of(connection, results)).unwrap_or_default();
            let message = format!("no answer came back: {}; and: {}{said}", attached.message, copied.message);
            Err(Trouble::new(copied.kind, message))
        }
    }
}

/// What the run itself says of why nothing is there.
fn said_of(connection: &Connection<'_>, results: &Path) -> Option<String> {
    let printed = connection.tools.demand(&summary(&results.to_string_lossy())).ok()?;
    let first = Summary::of(&printed)?.test_failures.into_iter().next()?;
    Some(format!("; {} failed: {}", first.test_name, first.failure_text))
}

/// A name beside `folder` where nothing is: what an earlier round fetched stays.
fn fresh(folder: &Path) -> PathBuf {
    let name = |number: u32| folder.with_extension(number.to_string());
    (0..).map(name).find(|candidate| !candidate.exists()).unwrap_or_else(|| folder.to_owned())
}

fn broken(file: &Path, why: &str) -> Trouble {
    Trouble::new(TroubleKind::Down, format!("{}: {why}", file.display()))
}
