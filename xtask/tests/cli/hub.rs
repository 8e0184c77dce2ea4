//! Files of a Hugging Face hub: once, whole, or not at all.

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc;

use crate::loopback::Loopback;
use crate::sample::{bytes, project_with, sha256};
use crate::support::{Answer, Project};

const FILE: &str = "hf:own-er/re.po/q4/m.gguf";

/// A project, a hub that serves the sample, and what is asked of it.
struct Setting {
    project: Project,
    hub: Loopback,
    name: &'static str,
}

fn setting() -> Setting {
    Setting { project: Project::new(), hub: Loopback::new(bytes()), name: FILE }
}

fn listed() -> Setting {
    let project = project_with("hugging-face", r#""own-er/re.po@v1""#, r#""q4/m.gguf""#);
    Setting { project, hub: Loopback::new(bytes()), name: "tiny" }
}

impl Setting {
    fn fetch(&self) -> Answer {
        self.hub.asked_by(self.project.command(&["models", "fetch", self.name])).output().unwrap().into()
    }

    fn models(&self) -> PathBuf {
        self.project.folder().join("cache/models")
    }

    fn place(&self) -> PathBuf {
        self.models().join(if self.name == "tiny" { "tiny.gguf" } else { "hf/own-er/re.po/main/q4/m.gguf" })
    }

    /// Every file below the folder of models but locks and stamps.
    fn files(&self) -> Vec<PathBuf> {
        let files = self.project.files().into_keys();
        let extra = |path: &PathBuf| path.extension().is_some_and(|end| end == "lock" || end == "verified");
        files.filter(|path| path.starts_with(self.models()) && path.is_file() && !extra(path)).collect()
    }

    /// The unfinished file of an interrupted download.
    fn part(&self) -> PathBuf {
        let parts: Vec<_> = self
            .files()
            .into_iter()
            .filter(|path| path.extension().is_some_and(|end| end == "part"))
            .collect();
        assert_eq!(parts.len(), 1, "{parts:?}");
        parts[0].clone()
    }

    /// The sample is in place, and nothing else is left.
    #[track_caller]
    fn assert_whole(&self) {
        assert_eq!(self.files(), [self.place()]);
        assert!(fs::read(self.place()).unwrap() == bytes());
        assert!(
            !self
                .models()
                .read_dir()
                .unwrap()
                .flatten()
                .any(|entry| { entry.file_name().to_string_lossy().starts_with(".fetch-") })
        );
    }

    /// A download that the hub broke off in the middle.
    #[track_caller]
    fn interrupted(self) -> Self {
        self.hub.change(|manners| manners.breaks = true);
        self.fetch()
            .assert_error(4, &["stopped: ", "what has come is kept: fetch it again to go on from there"]);
        assert!(!self.place().exists());
        assert_eq!(self.hub.downloads(), ["bytes=0-"]);
        self.hub.change(|manners| manners.breaks = false);
        self
    }
}

#[test]
fn a_file_comes_once_and_can_be_listed_verified_and_asked() {
    for setting in [setting(), listed()] {
        let Answer { code, stdout, stderr } = setting.fetch();
        assert_eq!(code, 0, "{stderr}");
        assert!(stdout.starts_with(&format!("{} fetched and verified: ", setting.name)), "{stdout}");
        setting.assert_whole();
        assert_eq!(setting.hub.downloads(), ["bytes=0-"]);
        setting.hub.change(|manners| manners.status = Some(503));
        assert!(setting.fetch().stdout.contains(" is there and verified: "));
        let list = setting.project.run(&["models", "list"]).stdout;
        assert!(list.lines().any(|line| line.starts_with(setting.name) && line.contains("262.")), "{list}");
        let Answer { code, stdout, .. } = setting.project.run(&["models", "verify", setting.name]);
        assert_eq!((code, stdout), (0, format!("{}: right: {}\n", setting.name, setting.place().display())));
    }
}

#[test]
fn an_interrupted_download_goes_on_where_it_stopped() {
    let setting = setting().interrupted();
    let here = setting.part().metadata().unwrap().len();
    assert!(here > 0);
    assert_eq!(setting.fetch().code, 0);
    assert_eq!(setting.hub.downloads(), [format!("bytes={here}-")]);
    setting.assert_whole();
}

#[test]
fn a_download_that_cannot_go_on_begins_anew() {
    let spoil: [fn(&Setting); 4] = [
        |setting| setting.hub.change(|manners| manners.resumes = false),
        |setting| fs::write(setting.part(), bytes()).unwrap(),
        |setting| fs::write(setting.part(), vec![0; bytes().len() + 1]).unwrap(),
        |setting| fs::write(setting.part(), vec![0; bytes().len() / 2]).unwrap(),
    ];
    for spoil in spoil {
        let setting = setting().interrupted();
        spoil(&setting);
        let Answer { code, stderr, .. } = setting.fetch();
        assert_eq!(code, 0, "{stderr}");
        assert_eq!(setting.hub.downloads().last().unwrap(), "bytes=0-");
        setting.assert_whole();
    }
}

#[test]
fn a_wrong_file_is_never_put_in_place() {
    for (setting, says) in [(setting(), "the hub says"), (listed(), "models.json says")] {
        let wrong = vec![1; bytes().len()];
        setting.hub.change(|manners| manners.contents = wrong.clone());
        let seen = sha256(&wrong);
        setting.fetch().assert_error(3, &[says, &format!("sha256 {seen}"), &sha256(&bytes())]);
        assert!(setting.files().is_empty(), "{:?}", setting.files());
        fs::create_dir_all(setting.place().parent().unwrap()).unwrap();
        fs::write(setting.place(), "old").unwrap();
        assert_eq!(setting.fetch().code, 3);
        assert_eq!(fs::read(setting.place()).unwrap(), b"old");
    }
}

#[test]
fn refusals_say_what_to_do() {
    let table: &[(u16, i32, &[&str])] = &[
        (404, 3, &["there is no q4/m.gguf in own-er/re.po at main", "lists its files"]),
        (401, 3, &["own-er/re.po is not there or not open to everyone", "HF_TOKEN"]),
        (403, 3, &["own-er/re.po is not there or not open to everyone", "HF_TOKEN"]),
        (503, 4, &["the hub answers with status 503", "try again later"]),
        (204, 4, &["does not answer as a Hugging Face hub does", "HF_ENDPOINT"]),
    ];
    for (status, code, parts) in table {
        let setting = setting();
        setting.hub.change(|manners| manners.status = Some(*status));
        setting.fetch().assert_error(*code, parts);
        assert!(setting.files().is_empty());
    }
}

#[test]
fn without_a_network_the_way_out_is_named() {
    let project = Project::new();
    // Nothing listens at port 1.
    let answer: Answer = project
        .command(&["models", "fetch", FILE])
        .env("HF_ENDPOINT", "http://127.0.0.1:1")
        .output()
        .unwrap()
        .into();
    answer.assert_error(4, &["cannot reach the hub: ", "is the network up? HF_ENDPOINT names"]);
}

#[test]
fn two_fetches_at_once_download_once() {
    let setting = setting();
    let said: Vec<String> = std::thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(|| setting.fetch().stdout));
        threads.map(|thread| thread.join().unwrap()).to_vec()
    });
    let count = |words: &str| said.iter().filter(|text| text.contains(words)).count();
    assert_eq!((count("fetched and"), count("is there and")), (1, 1), "{said:?}");
    assert_eq!(setting.hub.downloads(), ["bytes=0-"]);
    setting.assert_whole();
}

#[test]
fn a_killed_download_goes_on() {
    let setting = setting();
    let (sender, stalled) = mpsc::channel();
    setting.hub.change(|manners| manners.stalls = Some(sender));
    let mut child =
        setting.hub.asked_by(setting.project.command(&["models", "fetch", FILE])).spawn().unwrap();
    stalled.recv().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!setting.place().exists());
    let here = setting.part().metadata().unwrap().len();
    setting.hub.downloads();
    setting.hub.change(|manners| manners.stalls = None);
    assert_eq!(setting.fetch().code, 0);
    assert_eq!(setting.hub.downloads(), [format!("bytes={here}-")]);
    setting.assert_whole();
}

#[test]
fn a_run_names_the_fetch_and_finds_damage_before_anything_else() {
    for setting in [setting(), listed()] {
        let test = || setting.project.run(&["test", "--model", setting.name]);
        let cure = format!("run `cargo xtask models fetch {}`", setting.name);
        test().assert_error(3, &[&format!("{} is not here yet; {cure}", setting.name)]);
        assert_eq!(setting.fetch().code, 0);
        let sound = test();
        assert!(!sound.stderr.contains("checksum"), "{sound:#?}");
        let mut damaged = bytes();
        let tail = damaged.len() - 4096;
        damaged[tail..].fill(0);
        for damaged in [&damaged[..], &damaged[..tail]] {
            fs::write(setting.place(), damaged).unwrap();
            let place = setting.place().display().to_string();
            test().assert_error(3, &["wrong checksum", &place, &sha256(damaged), &sha256(&bytes()), &cure]);
        }
    }
}

#[test]
fn what_is_no_reference_is_a_usage_error() {
    let answer = Project::new().run(&["models", "fetch", "hf:owner/m.gguf"]);
    answer
        .assert_error(2, &["\"hf:owner/m.gguf\" names no file", "write hf:OWNER/REPO/FILE.gguf[@REVISION]"]);
}
