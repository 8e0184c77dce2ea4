//! Where things of a subject lie: its sheet, the answers, what was built.

use std::path::PathBuf;

use crate::context::Context;
use crate::exit::Exit;

/// The folder of a subject below target/device.
#[derive(Clone, Debug)]
pub(super) struct Place(PathBuf);

impl Place {
    /// The folder of `subject`.
    ///
    /// # Errors
    /// When it is no name for a folder.
    pub(super) fn of(subject: &str, context: &Context) -> anyhow::Result<Self> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if subject.is_empty() || subject.starts_with('.') || !subject.chars().all(plain) {
            let message =
                format!("a subject cannot be called {subject:?}; letters, digits, - _ and . make a name");
            return Err(Exit::Usage.error(message));
        }
        Ok(Self(context.workspace.target().join("device").join(subject)))
    }

    /// Its questions.
    pub(super) fn sheet(&self) -> PathBuf {
        self.0.join("sheet.json")
    }

    /// Its answers.
    pub(super) fn answers(&self) -> PathBuf {
        self.0.join("answers")
    }
}
