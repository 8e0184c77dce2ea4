//! What a suite refuses, with its exit code.

use judge::models::ModelError;
use judge::setup::SetupError;

use crate::exit::{Exit, OrExit as _};

/// What was typed wrongly is a usage error; everything else lies in a file.
pub(in crate::commands) fn refused(error: SetupError) -> anyhow::Error {
    let exit = match &error {
        SetupError::Filter(_)
        | SetupError::Model(
            ModelError::Unknown { .. }
            | ModelError::NoFile { .. }
            | ModelError::SameName { .. }
            | ModelError::Hub(_),
        ) => Exit::Usage,
        _ => Exit::Input,
    };
    Err::<(), _>(error).or_exit(exit).unwrap_err()
}
