//! Where results go.

use std::io::{Stdout, stdout};
use std::path::PathBuf;

use anyhow::Result;
use judge::report::{Document, FileReport, Format, Github};
use judge::session::Listener;
use judge::setup::Folders;

use super::keep_inputs;
use crate::exit::{Exit, OrExit as _};
use crate::flags::ReportFlags;

/// The file that GitHub's runner reads a step's summary from.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The reports that are written at the end of a run.
#[derive(Default)]
pub(in crate::commands) struct Outputs {
    files: Vec<FileReport>,
    github: Option<Github<Stdout>>,
}

impl Outputs {
    /// The reports that `flags` ask for, which are known to be possible, of a run that reads the suite in `folders` and
    /// what is at the other places.
    ///
    /// # Errors
    /// When one cannot be written where it is to be, would take the place of what is read, or two would be written to
    /// the same place. Nothing has run by then.
    pub(in crate::commands) fn prepare(
        flags: &ReportFlags,
        folders: &Folders,
        read: &[PathBuf],
    ) -> Result<Self> {
        let wanted =
            [(Format::Json, &flags.json), (Format::Junit, &flags.junit), (Format::Html, &flags.html)];
        let mut files: Vec<FileReport> = Vec::new();
        for (format, path) in wanted {
            let Some(path) = path else { continue };
            keep_inputs(Some(path), folders, read.iter().cloned())?;
            let file = FileReport::create(format, path).or_exit(Exit::Input)?;
            if files.iter().any(|other| other.shares_a_file_with(&file)) {
                let path = path.display();
                return Err(
                    Exit::Usage.error(format!("two reports would be written to {path}; name two files"))
                );
            }
            files.push(file);
        }
        Ok(Self { files, github: flags.github.then(github).transpose()? })
    }

    /// All of them.
    pub(super) fn listeners(&mut self) -> impl Iterator<Item = &mut dyn Listener> {
        let files = self.files.iter_mut().map(|file| file as &mut dyn Listener);
        files.chain(self.github.as_mut().map(|github| github as &mut dyn Listener))
    }

    /// Writes what is no run of this process.
    ///
    /// # Errors
    /// At the first report that cannot be written.
    pub(in crate::commands) fn write(&mut self, document: &Document) -> Result<()> {
        self.files.iter().try_for_each(|file| file.write(document))?;
        self.github.as_mut().map_or(Ok(()), |github| github.write(document))?;
        Ok(())
    }
}

fn github() -> Result<Github<Stdout>> {
    let Some(path) = std::env::var_os(SUMMARY).filter(|path| !path.is_empty()).map(PathBuf::from) else {
        return Err(Exit::Usage.error(format!(
            "--github is for GitHub Actions, which sets {SUMMARY}; to see here what it would show, set it to a file"
        )));
    };
    Github::new(stdout(), &path).map_err(|error| {
        let path = path.display();
        Exit::Input.error(format!("{path}, which {SUMMARY} names, cannot be written to: {error}"))
    })
}

/// Whether new goldens are staged for review: on CI, where nobody could review them, never.
pub(in crate::commands) fn stages_goldens(no_stage: bool) -> bool {
    !no_stage && std::env::var_os("CI").is_none()
}
