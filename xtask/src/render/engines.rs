//! Every engine that renders: one here, in a sandbox, and llama.cpp's two in the probe.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use judge::plan::Target;
use judge::subject::{READY_DEADLINE, Subject as _, Worker};
use rendering::{Conversation, ErrorClass, Rendering};
use serde_json::Value;
use wire::{
    Capability, Chat, Config, Ending, Isolation, Limits, LoadConfig, Message, ModelSpec, Observation,
    Refusal, RefusalCode, Request, Stimulus, TemplateEngine,
};

use super::child::MEMORY;
use super::{Sandbox, Source, Tokens};

/// What one engine made of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Made {
    /// The prompt, or why there is none.
    pub(crate) rendering: Rendering,
    /// Its tokens, where there is a model to ask.
    pub(crate) tokens: Option<Tokens>,
}

/// The engines. The probe is started when it is needed, and anew when a template took it down.
pub(crate) struct Engines {
    sandbox: Sandbox,
    target: Option<Target>,
    worker: Option<Worker>,
    deadline: Duration,
    asked: u64,
}

impl Engines {
    /// All engines that `target`'s probe has, and minijinja; without a target that one alone.
    pub(crate) const fn new(sandbox: Sandbox, target: Option<Target>, deadline: Duration) -> Self {
        Self { sandbox, target, worker: None, deadline, asked: 0 }
    }

    /// Renders, and tokenises where the template comes from a model and there is a probe.
    ///
    /// # Errors
    /// When a process cannot be started. Whatever a template does to it is the rendering.
    pub(crate) fn make(
        &mut self,
        engine: TemplateEngine,
        source: &Source,
        conversation: &Conversation,
    ) -> Result<Made> {
        let conversation = &conversation.or(&source.defaults());
        let rendering = self.render(engine, &source.template, conversation)?;
        let tokens = match &source.model {
            // It has rendered once without harm.
            Some(model) if rendering.prompt().is_some() && self.target.is_some() => {
                let request = self.request(engine, &source.template, conversation, Some(model));
                Tokens::of(&self.observe(&request)?)
            }
            _ => None,
        };
        Ok(Made { rendering, tokens })
    }

    /// Renders `template`.
    ///
    /// # Errors
    /// When a process cannot be started.
    pub(crate) fn render(
        &mut self,
        engine: TemplateEngine,
        template: &str,
        conversation: &Conversation,
    ) -> Result<Rendering> {
        if engine == TemplateEngine::Minijinja {
            return self.sandbox.render(Some(template), conversation);
        }
        let request = self.request(engine, template, conversation, None);
        self.observe(&request).map(|seen| rendering(&seen))
    }

    /// Asks about the vocabulary in a GGUF file, which need not have weights.
    ///
    /// # Errors
    /// When the probe cannot be started.
    pub(crate) fn ask_vocabulary(&mut self, path: &Path, stimulus: Stimulus) -> Result<Observation> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let load = LoadConfig { vocab_only: true, ..LoadConfig::default() };
        let request = Request {
            model: Some(ModelSpec { name, path: path.display().to_string() }),
            config: Config { load, ..Config::default() },
            ..asked(self.asked + 1, stimulus)
        };
        self.observe(&request)
    }

    fn request(
        &self,
        engine: TemplateEngine,
        template: &str,
        conversation: &Conversation,
        model: Option<&ModelSpec>,
    ) -> Request {
        let limited = self
            .target
            .as_ref()
            .is_some_and(|one| one.card.capabilities.contains(&Capability::AddressSpaceLimit));
        Request {
            model: model.cloned(),
            // A model's own pages would count, too, and its template has rendered without one by then.
            limits: Limits { address_space: (limited && model.is_none()).then_some(MEMORY), balloon: None },
            ..asked(self.asked + 1, Stimulus::Render(chat(engine, template, conversation)))
        }
    }

    fn observe(&mut self, request: &Request) -> Result<Observation> {
        let target = self
            .target
            .as_ref()
            .ok_or_else(|| anyhow::anyhow!("no probe was built for llama.cpp's engines"))?;
        self.asked = request.id;
        let worker = match self.worker.take().filter(Worker::is_alive) {
            Some(worker) => worker,
            None => Worker::spawn(&target.launch, READY_DEADLINE)?,
        };
        Ok(self.worker.insert(worker).observe(request, self.deadline)?)
    }
}

/// A request of no model, without limits.
fn asked(id: u64, stimulus: Stimulus) -> Request {
    Request {
        id,
        model: None,
        config: Config::default(),
        stimulus,
        limits: Limits::default(),
        adapter: None,
        forced_tokens: None,
        isolation: Isolation::Shared,
        watch: None,
    }
}

/// The request's chat. What is plain goes as plain messages: the probe then knows which parts of the prompt came from
/// them.
fn chat(engine: TemplateEngine, template: &str, conversation: &Conversation) -> Chat {
    let mut variables = conversation.variables().clone();
    variables.shift_remove("messages");
    variables.shift_remove("add_generation_prompt");
    let plain: Option<Vec<Message>> = conversation.messages().iter().map(plain).collect();
    Chat {
        openai_messages: if plain.is_none() { conversation.messages().to_vec() } else { Vec::new() },
        messages: plain.unwrap_or_default(),
        template: Some(template.to_owned()),
        engine,
        add_generation_prompt: Some(conversation.add_generation_prompt()),
        variables,
        variants: Vec::new(),
    }
}

/// A message that is role and text and no more.
fn plain(message: &Value) -> Option<Message> {
    let fields = message.as_object().filter(|fields| fields.len() == 2)?;
    Some(Message::new(fields.get("role")?.as_str()?, fields.get("content")?.as_str()?))
}

/// What the probe saw, as a rendering.
fn rendering(seen: &Observation) -> Rendering {
    match &seen.ending {
        Ending::Completed => match seen.turns.first().and_then(|turn| turn.prompt.clone()) {
            Some(prompt) => Rendering::Prompt(prompt),
            None => Rendering::error(ErrorClass::Crashed, "the probe gave no prompt"),
        },
        Ending::Refused(refusal) => Rendering::error(class(refusal), refusal.message.clone()),
        Ending::Hung { deadline_ms } => {
            let message = format!("the template did not end within {} s in llama.cpp", deadline_ms / 1000);
            Rendering::error(ErrorClass::Limit, message)
        }
        Ending::Died { signal, exit_code } => {
            let why = signal.map_or_else(
                || format!("it exited with code {}", exit_code.unwrap_or_default()),
                |signal| format!("signal {signal}"),
            );
            let last = seen.log_tail.last().map(|line| format!(": {line}")).unwrap_or_default();
            Rendering::error(ErrorClass::Crashed, format!("llama.cpp died of this template ({why}){last}"))
        }
        Ending::Garbled { problem, .. } => Rendering::error(ErrorClass::Crashed, problem.clone()),
    }
}

/// The class of a refusal. What became of a template stands in the message, whose beginnings are the probe's.
fn class(refusal: &Refusal) -> ErrorClass {
    let begins = |text: &str| refusal.message.starts_with(text);
    match refusal.code {
        RefusalCode::AllocationFailed => ErrorClass::Limit,
        RefusalCode::TemplateError if begins("the template is no valid Jinja") => ErrorClass::Syntax,
        RefusalCode::TemplateError if begins("the template refuses these messages") => ErrorClass::Raised,
        RefusalCode::TemplateError if begins("the template is too complex") => ErrorClass::Limit,
        RefusalCode::TemplateError if begins("the template did not end after") => ErrorClass::Limit,
        RefusalCode::TemplateError if begins("the prompt is longer than") => ErrorClass::Limit,
        RefusalCode::TemplateError => ErrorClass::Failed,
        _ => ErrorClass::Unsupported,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_messages_stay_plain() {
        let made = |text: &str| chat(TemplateEngine::Jinja, "t", &Conversation::parse(text).unwrap());
        let simple = made(r#"{"messages": [{"role": "user", "content": "Hi"}], "enable_thinking": true}"#);
        assert_eq!((simple.messages.len(), simple.openai_messages.len()), (1, 0));
        assert_eq!(simple.variables.keys().collect::<Vec<_>>(), ["enable_thinking"]);
        let rich = made(r#"[{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]"#);
        assert_eq!((rich.messages.len(), rich.openai_messages.len()), (0, 1));
    }

    #[test]
    fn endings_have_a_class() {
        let refused = |code, message: &str| {
            let layer = wire::Layer::Template;
            rendering(&Observation::ended(Ending::Refused(Refusal {
                layer,
                code,
                message: message.to_owned(),
            })))
        };
        for (made, expected) in [
            (refused(RefusalCode::TemplateUnsupported, "-1"), ErrorClass::Unsupported),
            (refused(RefusalCode::TemplateError, "the template is no valid Jinja: x"), ErrorClass::Syntax),
            (
                refused(RefusalCode::TemplateError, "the template refuses these messages: x"),
                ErrorClass::Raised,
            ),
            (refused(RefusalCode::TemplateError, "the template failed: x"), ErrorClass::Failed),
            (refused(RefusalCode::AllocationFailed, "x"), ErrorClass::Limit),
            (rendering(&Observation::ended(Ending::Hung { deadline_ms: 1000 })), ErrorClass::Limit),
            (
                rendering(&Observation::ended(Ending::Died { signal: Some(6), exit_code: None })),
                ErrorClass::Crashed,
            ),
            (rendering(&Observation::ended(Ending::Completed)), ErrorClass::Crashed),
        ] {
            let Rendering::Error(error) = made else { panic!("{made:?}") };
            assert_eq!(error.class, expected, "{}", error.message);
        }
    }
}
