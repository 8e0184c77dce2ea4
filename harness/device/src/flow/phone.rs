//! Where the app runs, and how files get there and back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Tools;
use crate::argv;
use crate::trouble::{Trouble, TroubleKind};

/// The folder in the app's container: `Host.folder` in Swift.
const FOLDER: &str = "Documents/conformance";

/// A device or a simulator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A device.
    Device(String),
    /// A simulator that is booted.
    Simulator(String),
}

impl Target {
    /// What every tool calls it.
    pub fn udid(&self) -> &str {
        match self {
            Self::Device(udid) | Self::Simulator(udid) => udid,
        }
    }
}

/// An app on a target.
#[derive(Clone, Copy, Debug)]
pub struct Connection<'a> {
    /// The tools.
    pub tools: &'a Tools,
    /// Where it runs.
    pub target: &'a Target,
    /// The app's bundle id.
    pub bundle: &'a str,
    /// A folder for what tools write.
    pub scratch: &'a Path,
}

impl Connection<'_> {
    /// Installs the app: its container is there only then.
    ///
    /// # Errors
    /// When the tool fails.
    pub fn install(&self, app: &Path) -> Result<(), Trouble> {
        let (app, json) = (text(app), self.json());
        match self.target {
            Target::Device(udid) => {
                self.tools.devicectl(&argv::install(udid, &app, &text(&json)), &json).map(drop)
            }
            Target::Simulator(udid) => self.tools.demand(&argv::install_in_simulator(udid, &app)).map(drop),
        }
    }

    /// Copies `source` to `name` in the app's folder.
    ///
    /// # Errors
    /// When it cannot be read, or the tool fails.
    pub fn put(&self, source: &Path, name: &str) -> Result<(), Trouble> {
        match self.target {
            Target::Device(udid) => {
                let (json, to) = (self.json(), format!("{FOLDER}/{name}"));
                let copy = argv::copy_to(udid, self.bundle, &text(source), &to, &text(&json));
                self.tools.devicectl(&copy, &json).map(drop)
            }
            Target::Simulator(_) => {
                let to = self.container()?.join(name);
                let copied =
                    fs::create_dir_all(to.parent().unwrap_or(&to)).and_then(|()| fs::copy(source, &to));
                copied.map(drop).map_err(|error| {
                    of_io(&format!("copying {} into the simulator", source.display()), &error)
                })
            }
        }
    }

    /// Copies the app's answers into `folder`, which is not there yet.
    ///
    /// # Errors
    /// When there are none, or the tool fails.
    pub fn answers(&self, folder: &Path) -> Result<(), Trouble> {
        match self.target {
            Target::Device(udid) => {
                let json = self.json();
                let from = format!("{FOLDER}/answers");
                let copy = argv::copy_from(udid, self.bundle, &from, &text(folder), &text(&json));
                self.tools.devicectl(&copy, &json).map(drop)
            }
            Target::Simulator(_) => {
                let from = self.container()?.join("answers");
                copy_files(&from, folder)
                    .map_err(|error| of_io(&format!("copying {}", from.display()), &error))
            }
        }
    }

    fn container(&self) -> Result<PathBuf, Trouble> {
        let printed = self.tools.demand(&argv::app_container(self.target.udid(), self.bundle))?;
        Ok(Path::new(printed.trim()).join(FOLDER))
    }

    fn json(&self) -> PathBuf {
        self.scratch.join("devicectl.json")
    }
}

fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

fn of_io(what: &str, error: &io::Error) -> Trouble {
    let kind =
        if error.kind() == io::ErrorKind::StorageFull { TroubleKind::NoSpace } else { TroubleKind::Down };
    Trouble::new(kind, format!("{what}: {error}"))
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
