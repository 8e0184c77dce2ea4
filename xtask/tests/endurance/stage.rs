//! A project with a probe in place.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::alive::{Alive, await_input};
use crate::fake;
use crate::running::Running;
use crate::support::{Answer, Project};

/// A project, the programs that building needs, and a cargo that "builds" a probe.
pub(crate) struct Stage {
    pub(crate) project: Project,
    pub(crate) alive: Alive,
}

impl Stage {
    /// With this test binary as the probe of every backend, and one case for each name and deed.
    pub(crate) fn new(deeds: &[(&str, &str)]) -> Self {
        let program = std::env::current_exe().expect("a test knows its binary");
        let stage = Self::with_probe(&format!("{}=$backend exec '{}'", fake::ROLE, program.display()));
        fs::remove_dir_all(stage.project.root().join("cases/eog")).expect("a folder");
        deeds.iter().for_each(|(name, deed)| stage.case(name, deed, &json!({})));
        stage
    }

    /// With a probe that is started by the last of `lines` of a shell script, in which `$backend` is its backend and
    /// `$here` the folder around the project.
    pub(crate) fn with_probe(lines: &str) -> Self {
        let project = Project::new();
        let alive = Alive::new(project.folder().join("alive"));
        for name in ["c++", "cc", "cmake", "make", "sysctl"] {
            project.program(name, "echo 1");
        }
        let script = project.folder().join("probe");
        let join = alive.join();
        let text = format!(
            "#!/bin/sh\nhere='{}'\nbackend=${{0%/release/probe}}\nbackend=${{backend##*/}}\n\
             if [ \"$1\" = serve ]; then {join}; fi\n{lines} \"$@\"\n",
            project.folder().display()
        );
        fs::write(&script, text).expect("a file");
        project.program(
            "cargo",
            &format!(
                "while [ \"$1\" != --target-dir ]; do shift; done\nfolder=$2/release\nmkdir -p \"$folder\"\n\
                 [ -e \"$folder/probe\" ] || {{ cp '{}' \"$folder/$$\" && chmod 755 \"$folder/$$\" && \
                 mv \"$folder/$$\" \"$folder/probe\"; }}",
                script.display()
            ),
        );
        for name in ["libclang.so", "libclang.dylib"] {
            fs::write(project.folder().join(name), "").expect("a file");
        }
        Self { project, alive }
    }

    /// Writes the case `eog/<name>`, which asks the fake for a deed; `more` replaces fields.
    pub(crate) fn case(&self, name: &str, deed: &str, more: &Value) {
        let mut case = json!({
            "id": format!("eog/{name}"), "why": "the fake obeys", "stimulus": {"tokenize": {"text": deed}},
            "checks": [{"refusal": {"absent": true}}],
        });
        let more = more.as_object().expect("fields").clone();
        case.as_object_mut().expect("an object").extend(more);
        self.project.write(&format!("cases/eog/{name}.json"), &case.to_string());
    }

    /// A model that is listed, fetched and empty.
    pub(crate) fn model(&self) {
        let models =
            r#"[{"name": "tiny", "kind": "pypi", "role": "chat", "source": "x==1", "file": "x.gguf"}]"#;
        self.project.write("cases/models.json", models);
        let empty = [&b"GGUF\x03\0\0\0"[..], &[0; 16]].concat();
        fs::create_dir_all(self.project.folder().join("cache/models")).expect("a folder");
        fs::write(self.project.folder().join("cache/models/tiny.gguf"), empty).expect("a file");
    }

    /// Runs xtask with `args`; no file may become larger than some tens of KiB: what a full disk does to a writer.
    pub(crate) fn run_on_full_disk(&self, args: &[&str]) -> Answer {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_xtask")]);
        self.project.in_environment(shell, args).output().expect("a shell").into()
    }

    /// Runs xtask with `args`.
    pub(crate) fn run(&self, args: &[&str]) -> Answer {
        self.project.run(args)
    }

    /// Starts xtask with `args`.
    pub(crate) fn start(&self, args: &[&str]) -> Running {
        Running::start(self.project.command(args))
    }

    /// A path in the repository.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.project.root().join(name)
    }

    /// The report at `name`.
    pub(crate) fn report(&self, name: &str) -> Value {
        read_json(&self.path(name))
    }
}

/// A JSON file that is whole.
#[track_caller]
pub(crate) fn read_json(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Case and outcome of each result of a report, sorted by case.
pub(crate) fn outcomes(report: &Value) -> Vec<(&str, &str)> {
    let results = report["results"].as_array().expect("results");
    results
        .iter()
        .map(|result| {
            (result["case"].as_str().expect("a case"), result["outcome"].as_str().expect("an outcome"))
        })
        .collect()
}

/// A place where a probe meets the test.
pub(crate) struct Meeting(TcpListener);

impl Meeting {
    pub(crate) fn new() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").expect("a port"))
    }

    /// The deed that leads here.
    pub(crate) fn deed(&self) -> String {
        format!("meet {}", self.0.local_addr().expect("an address"))
    }

    /// Waits for a probe. A byte written to it lets the probe answer.
    pub(crate) fn join(&self) -> TcpStream {
        await_input(&self.0, "no probe has come");
        self.0.accept().expect("a probe").0
    }
}
