//! Waits until one of some files is another than it was. It knows nothing of what is in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, SystemTime};

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

/// How long nothing must happen before a file counts as written: editors do it in several steps.
const QUIET: Duration = Duration::from_millis(50);

/// What a file looks like from outside.
type Look = Option<(u64, SystemTime)>;

/// Some files, and those of one name below a folder.
pub(crate) struct Watch {
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    files: BTreeSet<PathBuf>,
    folder: PathBuf,
    name: String,
    seen: BTreeMap<PathBuf, Look>,
}

impl Watch {
    /// Begins to watch `files`, and each file called `name` in a folder of `folder`. None of them need be there.
    ///
    /// # Errors
    /// When the system cannot watch any more.
    pub(crate) fn new(files: Vec<PathBuf>, folder: &Path, name: &str) -> notify::Result<Self> {
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(move |event| {
            // Nobody listens any more where the command is about to end.
            let _ = sender.send(event);
        })?;
        let mut watch = Self {
            watcher,
            events,
            files: BTreeSet::new(),
            folder: folder.to_owned(),
            name: name.to_owned(),
            seen: BTreeMap::new(),
        };
        if folder.is_dir() {
            watch.watcher.watch(folder, RecursiveMode::Recursive)?;
        }
        watch.add(files)?;
        watch.seen = watch.looks();
        Ok(watch)
    }

    /// Watches `files`, too, as they are now.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(crate) fn add(&mut self, files: impl IntoIterator<Item = PathBuf>) -> notify::Result<()> {
        for file in files {
            // The folder: many programs put a new file in the old one's place.
            if let Some(folder) = file.parent().filter(|folder| folder.is_dir()) {
                self.watcher.watch(folder, RecursiveMode::NonRecursive)?;
            }
            self.seen.insert(file.clone(), look(&file));
            self.files.insert(file);
        }
        Ok(())
    }

    /// Waits until a file is another than when this was last asked, and names it. A change in between counts.
    ///
    /// # Errors
    /// When the system stops watching.
    pub(crate) fn changed(&mut self) -> notify::Result<PathBuf> {
        loop {
            while self.events.recv_timeout(QUIET).is_ok() {}
            let looks = self.looks();
            let all = looks.keys().chain(self.seen.keys());
            let changed = all.into_iter().find(|path| looks.get(*path) != self.seen.get(*path)).cloned();
            self.seen = looks;
            if let Some(path) = changed {
                return Ok(path);
            }
            match self.events.recv() {
                Ok(event) => drop(event?),
                Err(_) => return Err(notify::Error::generic("the system watches no more")),
            }
        }
    }

    fn looks(&self) -> BTreeMap<PathBuf, Look> {
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let named = folders.map(|folder| folder.path().join(&self.name)).filter(|path| path.exists());
        self.files.iter().cloned().chain(named).map(|path| (path.clone(), look(&path))).collect()
    }
}

fn look(path: &Path) -> Look {
    let metadata = path.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_is_named_and_what_is_beside_it_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let golden = folder.path().join("golden");
        fs::create_dir_all(golden.join("model")).unwrap();
        let file = |name: &str| folder.path().join(name);
        fs::write(file("case"), "1").unwrap();
        let mut watch = Watch::new(vec![file("case")], &golden, "x.snap").unwrap();
        fs::write(file("probe"), "1").unwrap();
        watch.add([file("probe")]).unwrap();

        fs::write(golden.join("model/x.snap.new"), "staged").unwrap();
        fs::write(file("other"), "1").unwrap();
        fs::write(file("case"), "12").unwrap();
        assert_eq!(watch.changed().unwrap(), file("case"));
        fs::write(golden.join("model/x.snap"), "accepted").unwrap();
        assert_eq!(watch.changed().unwrap(), golden.join("model/x.snap"));
        // As an editor or a compiler does it.
        fs::write(file("new"), "123").unwrap();
        fs::rename(file("new"), file("probe")).unwrap();
        assert_eq!(watch.changed().unwrap(), file("probe"));
        fs::remove_file(file("case")).unwrap();
        assert_eq!(watch.changed().unwrap(), file("case"));
    }
}
