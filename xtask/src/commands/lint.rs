//! `cargo xtask lint`: what is wrong with a chat template and its vocabulary.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use gguf::GgufFile;
use judge::built::SubjectFile;
use judge::causes::visible;
use judge::subject::{READY_DEADLINE, Subject as _, Worker};
use lint::{BuiltinAnswer, LintReport, Severity, Subject, builtin_questions, lint, sarif};
use wire::{Chat, Config, Ending, Isolation, Limits, Request, Stimulus, TemplateEngine};

use crate::context::Context;
use crate::exit::{Exit, OrExit as _};
use crate::flags::LintFlags;
use crate::json_file::JsonFile;
use crate::models;
use crate::wrap::{columns, wrapped};

/// Whose built-in matcher is asked.
const BACKEND: &str = "cpu";
/// How long it may take for one prompt.
const DEADLINE: Duration = Duration::from_secs(20);

/// Looks at the file that the flags name. Only errors make it a bad verdict.
pub(super) fn run(flags: &LintFlags, context: Option<&Context>) -> Result<Exit> {
    let log = JsonFile::create(flags.sarif.as_deref())?;
    let path = models::chosen(&flags.subject, context)?.path;
    let subject = read(&path)?;
    let builtin =
        match (flags.builtin, &subject.template) {
            (true, Some(template)) => Ok(ask(template, context)?),
            _ => Err("llama_chat_apply_template was not asked; --builtin asks that of the built CPU probe"
                .to_owned()),
        };
    let report = lint(&path.display().to_string(), &subject, &builtin);
    if let Some(log) = log {
        log.write(&sarif(&report, &uri(&path, context), env!("CARGO_PKG_VERSION")))?;
    }
    if flags.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", wrapped(&visible(&text(&report)), columns()));
    }
    Ok(if report.count(Severity::Error) == 0 { Exit::Fine } else { Exit::Verdicts })
}

/// A GGUF file, or else a template.
fn read(path: &Path) -> Result<Subject> {
    let failed = || format!("{}: cannot read it; check its permissions", path.display());
    let file = File::open(path).with_context(failed).or_exit(Exit::Input)?;
    let mut start = Vec::new();
    (&file).take(4).read_to_end(&mut start).with_context(failed).or_exit(Exit::Input)?;
    if start == b"GGUF" || path.extension().is_some_and(|extension| extension == "gguf") {
        return GgufFile::open(path).or_exit(Exit::Input).map(|file| Subject::of_model(&file));
    }
    let most = prompt::MAX_TEMPLATE_BYTES as u64;
    let mut text = start;
    file.take(most + 1).read_to_end(&mut text).with_context(failed).or_exit(Exit::Input)?;
    let wrong = |problem: &str| {
        let path = path.display();
        Exit::Input.error(format!(
            "{path}: {problem}; name a GGUF file, a Jinja template or a tokenizer_config.json"
        ))
    };
    if text.len() as u64 > most {
        return Err(wrong(&format!("no template is longer than {most} bytes")));
    }
    String::from_utf8(text)
        .map(|text| Subject::of_template(&text))
        .map_err(|_| wrong("it is no text in UTF-8"))
}

/// What the probe's built-in matcher makes of the template.
fn ask(template: &str, context: Option<&Context>) -> Result<Vec<BuiltinAnswer>> {
    let missing = || {
        Exit::Missing
            .error("--builtin needs a checkout with a built probe: `cargo xtask build --backend cpu`")
    };
    let context = context.ok_or_else(missing)?;
    let folder = context.workspace.probe_folder(BACKEND);
    let probe = SubjectFile::read_fresh(&folder, BACKEND, None).or_exit(Exit::Missing)?;
    let mut worker = Worker::spawn(&probe.target(&[]).launch, READY_DEADLINE)?;
    let mut answers = Vec::new();
    for (id, messages) in (1..).zip(builtin_questions()) {
        let chat = Chat {
            messages,
            template: Some(template.to_owned()),
            engine: TemplateEngine::Builtin,
            ..Chat::default()
        };
        let request = Request {
            id,
            model: None,
            adapter: None,
            config: Config::default(),
            stimulus: Stimulus::Render(chat),
            limits: Limits::default(),
            forced_tokens: None,
            isolation: Isolation::default(),
            watch: None,
        };
        let seen = worker.observe(&request, DEADLINE)?;
        answers.push(match (seen.ending, seen.turns.into_iter().next().and_then(|turn| turn.prompt)) {
            (Ending::Completed, Some(prompt)) => BuiltinAnswer::Prompt(prompt),
            (Ending::Refused(_), _) => BuiltinAnswer::Refused,
            (ending, _) => return Err(Exit::Broken.error(format!("the probe gave no prompt: {ending:?}"))),
        });
    }
    Ok(answers)
}

/// The file's address in a log: from the root of the checkout where it lies in one.
fn uri(path: &Path, context: Option<&Context>) -> String {
    let absolute = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let root = context.and_then(|context| context.workspace.root().canonicalize().ok());
    let inside = root.and_then(|root| absolute.strip_prefix(root).ok().map(Path::to_owned));
    let text =
        inside.map_or_else(|| format!("file://{}", absolute.display()), |path| path.display().to_string());
    text.replace('%', "%25").replace(' ', "%20").replace('#', "%23").replace('?', "%3F")
}

fn text(report: &LintReport) -> String {
    let mut text = format!("{}\n", report.subject);
    for finding in &report.findings {
        let entry = finding.entry();
        let _ = write!(
            text,
            "{} ({}): {}\n  {}\n",
            entry.severity.name(),
            entry.code,
            entry.title,
            finding.message
        );
        let _ = writeln!(text, "  cure: {}\n  see {}", entry.cure, entry.links.join("\n      "));
    }
    for left in &report.not_asked {
        let codes: Vec<_> = left.codes.iter().map(|code| code.name()).collect();
        let _ = writeln!(text, "not asked: {}: {}", codes.join(", "), left.why);
    }
    let count = |severity, one: &str, many: &str| match report.count(severity) {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    let counts = [
        count(Severity::Error, "error", "errors"),
        count(Severity::Warning, "warning", "warnings"),
        count(Severity::Note, "note", "notes"),
    ];
    let _ = writeln!(
        text,
        "{}",
        if report.findings.is_empty() { "nothing found".to_owned() } else { counts.join(", ") }
    );
    text
}
