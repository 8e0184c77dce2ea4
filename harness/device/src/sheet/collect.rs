//! Files that came back become answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use judge::causes::in_one_line;
use wire::{Card, Ending, Observation, Request};

use super::answer::Answer;
use super::sheet::{Question, SHEET_VERSION, Sheet};

/// What came back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Collected {
    /// Whoever answered, by its own words; `None` where nobody did.
    pub card: Option<Card>,
    /// What was asked and how it ended, in the sheet's order.
    pub asked: Vec<Asked>,
    /// Questions that were not begun, by key: the subject cannot be asked, or the app died before.
    pub open: Vec<String>,
    /// Files that are no answers to this sheet, each with the reason.
    pub aside: Vec<String>,
}

/// One question and its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The item's name.
    pub key: String,
    /// What was asked.
    pub request: Request,
    /// What was seen; the app's death is seen, too.
    pub observation: Observation,
}

/// Reads the answers to `sheet` in `folders`, subfolders included. Of two answers to one question the first folder's
/// counts.
pub fn collect(sheet: &Sheet, folders: &[&Path]) -> Collected {
    let mut found = Found::default();
    for folder in folders {
        found.look(sheet, folder);
    }
    let mut collected = Collected { aside: found.aside, ..Collected::default() };
    for question in &sheet.questions {
        if let Some(answer) = found.answers.remove(&question.key) {
            collected.card.get_or_insert(answer.card);
            let device = answer.device.or(answer.observation.device);
            let observation = Observation { device, ..answer.observation };
            collected.asked.push(asked(question, answer.followed, observation));
        } else if found.started.contains(&question.file) {
            collected.asked.push(asked(question, true, died()));
        } else {
            collected.open.push(question.key.clone());
        }
    }
    collected
}

fn asked(question: &Question, followed: bool, observation: Observation) -> Asked {
    let mut request = question.request.clone();
    request.forced_tokens = request.forced_tokens.filter(|_| followed);
    Asked { key: question.key.clone(), request, observation }
}

/// Nobody can say of what: the crash log is on the phone, and in Xcode under Devices.
fn died() -> Observation {
    let mut observation = Observation::ended(Ending::Died { signal: None, exit_code: None });
    observation
        .log_tail
        .push("the app ended before it answered; its crash report is in the result bundle".into());
    observation
}

#[derive(Default)]
struct Found {
    answers: BTreeMap<String, Answer>,
    /// Names of answers whose questions were begun.
    started: BTreeSet<String>,
    aside: Vec<String>,
}

impl Found {
    fn look(&mut self, sheet: &Sheet, folder: &Path) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.look(sheet, &path);
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if let Some(file) = name.strip_suffix(".started") {
                self.started.insert(file.to_owned());
            } else if name.ends_with(".json") && name != "sheet.json" && name != "manifest.json" {
                match answer(sheet, &path) {
                    Ok(answer) => {
                        self.answers.entry(answer.key.clone()).or_insert(answer);
                    }
                    Err(why) => self.aside.push(format!("{name}: {why}")),
                }
            }
        }
    }
}

fn answer(sheet: &Sheet, path: &Path) -> Result<Answer, String> {
    let text = fs::read(path).map_err(|error| in_one_line(&error))?;
    let answer: Answer = serde_json::from_slice(&text).map_err(|error| format!("no answer: {error}"))?;
    if answer.version != SHEET_VERSION || answer.sheet != sheet.id {
        return Err("it answers another sheet; push this one, and run again".to_owned());
    }
    match sheet.question(&answer.key) {
        Some(_) => Ok(answer),
        None => Err(format!("nobody asked {}", answer.key)),
    }
}
