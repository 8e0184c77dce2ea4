//! One stimulus: what it needs loaded, and where in the observation it is written.

use std::rc::Rc;

use serde_json::Map;
use wire::{
    Chat, ContextConfig, Converse, Generate, Layer, Load, Observation, Refusal, Request, Score, Stream,
    Tokenize,
};

use super::{limits::Limited, resident::Residence};
use crate::{
    engine::Engine,
    refuse::bad_request,
    wrapper::{self, Forced, Loaded, TemplateSource},
};

/// One request on its way.
pub(super) struct Job<'a> {
    pub(super) engine: &'a dyn Engine,
    pub(super) residence: &'a mut Residence,
    pub(super) request: &'a Request,
    pub(super) seen: &'a mut Observation,
}

impl Job<'_> {
    /// Messages to prompt, and to tokens where the request names a model; once more for each variant.
    pub(super) fn render(&mut self, chat: &Chat) -> Result<(), Refusal> {
        let loaded = self.request.model.as_ref().map(|_| self.loaded(None)).transpose()?;
        let source = TemplateSource { engine: self.engine, loaded: loaded.as_deref() };
        // Without a model there is no load that the limits could be for: they are for the template.
        let _limited = loaded.is_none().then(|| Limited::begin(&self.request.limits)).transpose()?;
        for variables in std::iter::once(&Map::new()).chain(&chat.variants) {
            let mut chat = chat.clone();
            chat.variables.extend(variables.clone());
            wrapper::record(&mut self.seen.turns, |turn| {
                let rendered = wrapper::render(&source, &chat, &chat.messages)?;
                turn.prompt = Some(rendered.prompt.clone());
                if let Some(loaded) = &loaded {
                    turn.prompt_tokens = loaded.tokens(&wrapper::tokenize(loaded, &rendered)?);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Text to tokens.
    pub(super) fn tokenize(&mut self, spec: &Tokenize) -> Result<(), Refusal> {
        let loaded = self.loaded(None)?;
        wrapper::record(&mut self.seen.turns, |turn| {
            let ids = loaded.tokenize(&spec.text, spec.add_special, spec.parse_special)?;
            turn.prompt_tokens = loaded.tokens(&ids);
            Ok(())
        })
    }

    /// One answer to one prompt.
    pub(super) fn generate(&mut self, spec: &Generate) -> Result<(), Refusal> {
        let loaded = self.loaded(Some(&self.request.config.context))?;
        let mut forced = self.forced(&loaded)?;
        let source = TemplateSource { engine: self.engine, loaded: Some(&loaded) };
        let context = self.residence.context_mut()?;
        wrapper::record(&mut self.seen.turns, |turn| {
            wrapper::generate(&source, &loaded, context, spec, &mut forced, turn)
        })
    }

    /// A conversation.
    pub(super) fn converse(&mut self, spec: &Converse) -> Result<(), Refusal> {
        let loaded = self.loaded(Some(&self.request.config.context))?;
        let mut forced = self.forced(&loaded)?;
        let source = TemplateSource { engine: self.engine, loaded: Some(&loaded) };
        let context = self.residence.context_mut()?;
        wrapper::converse(&source, &loaded, context, spec, &mut forced, &mut self.seen.turns)
    }

    /// Teacher-forced scoring.
    pub(super) fn score(&mut self, spec: &Score) -> Result<(), Refusal> {
        if spec.ways.is_empty() {
            return self.score_once(spec, self.request);
        }
        for &weights in &spec.ways {
            let mut request = self.request.clone();
            request.config.load.weights = weights;
            self.score_once(spec, &request)?;
        }
        Ok(())
    }

    fn score_once(&mut self, spec: &Score, request: &Request) -> Result<(), Refusal> {
        let config = &request.config.context;
        let loaded = self.residence.prepare(self.engine, request, Some(config))?;
        self.seen.load = Some(self.residence.evidence(&loaded, true));
        let forced = request.forced_tokens.as_deref().unwrap_or_default();
        loaded.check_ids(forced)?;
        let source = TemplateSource { engine: self.engine, loaded: Some(&loaded) };
        let context = self.residence.context_mut()?;
        wrapper::record(&mut self.seen.turns, |turn| {
            wrapper::score(&source, &loaded, context, spec, forced, turn)
        })
    }

    /// Loading, and no more.
    pub(super) fn load(&mut self, spec: &Load) -> Result<(), Refusal> {
        let config = spec.context_config.as_ref().unwrap_or(&self.request.config.context);
        self.loaded(spec.context.then_some(config))?;
        if spec.memory && spec.context {
            let allocated = self.residence.context_mut()?.allocated();
            if let Some(evidence) = &mut self.seen.load {
                evidence.memory = allocated;
            }
        }
        Ok(())
    }

    /// What the file and its vocabulary hold.
    pub(super) fn inspect(&mut self) -> Result<(), Refusal> {
        let loaded = self.loaded(None)?;
        if let Some(evidence) = &mut self.seen.load {
            evidence.special = loaded.special_tokens();
            evidence.metadata = loaded.model.metadata();
        }
        Ok(())
    }

    /// A scripted stream.
    pub(super) fn stream(&mut self, script: &Stream) -> Result<(), Refusal> {
        if self.request.forced_tokens.is_some() {
            return Err(bad_request(
                Layer::Stop,
                "a scripted stream is forced already; drop `forced_tokens`",
            ));
        }
        wrapper::record(&mut self.seen.turns, |turn| wrapper::stream(script, turn))
    }

    /// Makes the model, and where asked a context, resident, and notes what loading showed.
    fn loaded(&mut self, context: Option<&ContextConfig>) -> Result<Rc<Loaded>, Refusal> {
        let loaded = self.residence.prepare(self.engine, self.request, context)?;
        self.seen.load = Some(self.residence.evidence(&loaded, context.is_some()));
        Ok(loaded)
    }

    fn forced(&self, loaded: &Loaded) -> Result<Forced, Refusal> {
        let tokens = self.request.forced_tokens.as_deref();
        loaded.check_ids(tokens.unwrap_or_default())?;
        Ok(Forced::new(tokens))
    }
}
