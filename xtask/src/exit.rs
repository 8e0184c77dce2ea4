//! Exit codes: the only place that knows their numbers.

use std::fmt;
use std::process::ExitCode;

/// How a command ends. One table for all commands, so that scripts can rely on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything is fine.
    Fine,
    /// Some verdict is not fine.
    Verdicts,
    /// The command line makes no sense.
    Usage,
    /// An input file is missing, unreadable or wrong.
    Input,
    /// A program or a probe is missing, or cannot be had on this machine.
    Missing,
    /// The harness itself failed.
    Broken,
    /// Nothing ran, or less than the floor.
    NothingRan,
    /// A template gives no prompt for these messages: it refuses, fails, or the engine does not know it.
    NoPrompt,
    /// A template is endless, explodes, or is too deep.
    Limit,
    /// A device let us down; 10 to 12.
    Device(DeviceTrouble),
    /// A phone, or what leads to it; 10 to 19.
    Phone(device::TroubleKind),
    /// Somebody pressed Ctrl-C.
    Interrupted,
    /// A tool that we ran failed with this code, and its code is passed on.
    Passed(u8),
}

/// What is wrong with a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceTrouble {
    /// There is none that fits.
    Absent,
    /// It did not start.
    Down,
    /// The probe runs, but does not see the device that its backend stands for.
    Unseen,
}

impl Exit {
    /// The process exit code.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Verdicts => 1,
            Self::Usage => 2,
            Self::Input => 3,
            Self::Missing => 4,
            Self::Broken => 5,
            Self::NothingRan => 6,
            Self::NoPrompt => 7,
            Self::Limit => 8,
            Self::Device(DeviceTrouble::Absent) => 10,
            Self::Device(DeviceTrouble::Down) => 11,
            Self::Device(DeviceTrouble::Unseen) => 12,
            Self::Phone(kind) => kind.code(),
            Self::Interrupted => 130,
            Self::Passed(code) => code,
        }
    }

    /// The exit that `error` carries; an error without one means that the harness is broken.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        error
            .chain()
            .find_map(|cause| cause.downcast_ref::<Failure>())
            .map_or(Self::Broken, |failure| failure.exit)
    }

    /// An error that says `message` and ends the process with this code.
    pub(crate) fn error(self, message: impl Into<String>) -> anyhow::Error {
        Failure { exit: self, cause: anyhow::Error::msg(message.into()) }.into()
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// An error with an exit code. It shows as its cause does.
#[derive(Debug)]
struct Failure {
    exit: Exit,
    cause: anyhow::Error,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.cause, f)
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.source()
    }
}

/// Gives an error its exit code.
pub(crate) trait OrExit<T> {
    /// The same result; its error ends the process with `exit`.
    fn or_exit(self, exit: Exit) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> OrExit<T> for Result<T, E> {
    fn or_exit(self, exit: Exit) -> anyhow::Result<T> {
        self.map_err(|error| Failure { exit, cause: error.into() }.into())
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn codes_are_the_documented_ones() {
        let table = [
            (Exit::Fine, 0),
            (Exit::Verdicts, 1),
            (Exit::Usage, 2),
            (Exit::Input, 3),
            (Exit::Missing, 4),
            (Exit::Broken, 5),
            (Exit::NothingRan, 6),
            (Exit::NoPrompt, 7),
            (Exit::Limit, 8),
            (Exit::Device(DeviceTrouble::Absent), 10),
            (Exit::Device(DeviceTrouble::Down), 11),
            (Exit::Device(DeviceTrouble::Unseen), 12),
            (Exit::Phone(device::TroubleKind::Locked), 13),
            (Exit::Phone(device::TroubleKind::TimedOut), 19),
            (Exit::Interrupted, 130),
            (Exit::Passed(101), 101),
        ];
        for (exit, code) in table {
            assert_eq!(exit.code(), code, "{exit:?}");
        }
    }

    #[test]
    fn the_code_survives_context_and_the_message_is_said_once() {
        let error = Exit::Input.error("no such file");
        let error = Err::<(), _>(error).context("reading models.json").unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Input);
        assert_eq!(format!("{error:#}"), "reading models.json: no such file");
    }

    #[test]
    fn an_error_keeps_its_causes() {
        let io = std::io::Error::other("disk on fire");
        let error = Err::<(), _>(io).context("writing").or_exit(Exit::Missing).unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Missing);
        assert_eq!(format!("{error:#}"), "writing: disk on fire");
    }

    #[test]
    fn an_error_without_a_code_is_a_broken_harness() {
        assert_eq!(Exit::of(&anyhow::anyhow!("oops")), Exit::Broken);
    }
}
