//! How to start a probe.

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The variables of the harness's own environment that a subject gets to see; everything else is left out.
///
/// Without this a `GGML_…`, `LLAMA_…` or `OMP_…` variable of whoever runs the suite, or a locale that writes
/// `0,5`, would change what is observed. What a backend needs besides stands in [`Launch::env`].
pub const KEPT_ENVIRONMENT: [&str; 14] = [
    "CUDA_VISIBLE_DEVICES",
    "DEVELOPER_DIR",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "HOME",
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "PATH",
    "TMPDIR",
    "USER",
    "VK_DRIVER_FILES",
    "VK_ICD_FILENAMES",
    "XDG_CACHE_HOME",
    "XDG_DATA_DIRS",
    "XDG_RUNTIME_DIR",
];

/// How to start a probe: a program, or a launcher with the program among its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Launch {
    /// The program, as a path or as a name on PATH.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables to set beyond [`KEPT_ENVIRONMENT`].
    pub env: Vec<(String, String)>,
}

impl Launch {
    /// The command, with all three standard streams piped.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).env_clear();
        command.envs(KEPT_ENVIRONMENT.iter().filter_map(|name| Some((name, env::var_os(name)?))));
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

impl fmt::Display for Launch {
    /// The command line, for a message.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.program.display())?;
        self.args.iter().try_for_each(|arg| write!(out, " {arg}"))
    }
}
