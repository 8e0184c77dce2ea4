//! The one model and the one context that stay loaded between requests.

use std::{fs, path::Path, rc::Rc, time::SystemTime};

use wire::{
    ContextConfig, EngineKind, Graph, Isolation, Layer, Limits, LoadConfig, LoadEvidence, ModelSpec, Node,
    Refusal, Request, Stimulus, Timing,
};

use super::limits::Limited;
use crate::{
    engine::{Context, Engine},
    refuse::bad_request,
    stopwatch::Stopwatch,
    wrapper::Loaded,
};

/// The one model, and the one context on it. A request for another one drops the old one first: two big models
/// need not fit at once. After a load that failed there is none.
#[derive(Default)]
pub(super) struct Residence {
    /// The context; dropped before its model.
    context: Option<(ContextKey, Box<dyn Context>)>,
    model: Option<(Key, Rc<Loaded>)>,
    /// Model loads so far, those that failed included.
    pub(super) loads: u32,
    /// Time spent loading since it was last taken.
    loading: Stopwatch,
}

/// Two requests with equal keys can share a loaded model. A file that was written anew is another model.
#[derive(PartialEq, Eq)]
struct Key {
    path: String,
    engine: EngineKind,
    load: LoadConfig,
    file: Option<(u64, SystemTime)>,
}

/// Two requests with equal keys can share a context.
#[derive(PartialEq, Eq)]
struct ContextKey {
    config: ContextConfig,
    adapter: Option<ModelSpec>,
}

impl Key {
    fn new(model: &ModelSpec, request: &Request) -> Self {
        let file = fs::metadata(&model.path).and_then(|file| Ok((file.len(), file.modified()?))).ok();
        Self {
            path: model.path.clone(),
            engine: request.config.engine,
            load: request.config.load.clone(),
            file,
        }
    }
}

impl Residence {
    /// Makes the request's model resident and, where `context` is given, a context with an empty memory. The
    /// request's limits hold meanwhile and are lifted after; under limits everything is loaded anew.
    pub(super) fn prepare(
        &mut self,
        engine: &dyn Engine,
        request: &Request,
        context: Option<&ContextConfig>,
    ) -> Result<Rc<Loaded>, Refusal> {
        let spec = request.model.as_ref().ok_or_else(|| {
            bad_request(Layer::Load, format!("`{}` needs a model; name one", request.stimulus.name()))
        })?;
        context.map_or(Ok(()), check)?;
        check_no_alloc(request)?;
        if context.is_some() && request.config.load.vocab_only {
            return Err(bad_request(
                Layer::Load,
                "vocab_only reads no weights, so no context can be made of them",
            ));
        }
        if request.limits != Limits::default() {
            self.drop_model();
        }
        let _limited = Limited::begin(&request.limits)?;
        let loaded = self.model(engine, spec, request)?;
        if let Some(config) = context {
            let key = ContextKey { config: config.clone(), adapter: request.adapter.clone() };
            self.context(&loaded, key, request.isolation)?;
            self.context_mut()?.watch(request.watch.clone())?;
        }
        Ok(loaded)
    }

    fn model(
        &mut self,
        engine: &dyn Engine,
        spec: &ModelSpec,
        request: &Request,
    ) -> Result<Rc<Loaded>, Refusal> {
        let key = Key::new(spec, request);
        if let Some((resident, loaded)) = &self.model
            && *resident == key
        {
            return Ok(Rc::clone(loaded));
        }
        self.drop_model();
        self.loads += 1;
        let model = self.loading.time(|| engine.load(Path::new(&spec.path), &request.config.load))?;
        let loaded = Rc::new(Loaded::new(model));
        self.model = Some((key, Rc::clone(&loaded)));
        Ok(loaded)
    }

    fn context(&mut self, loaded: &Loaded, key: ContextKey, isolation: Isolation) -> Result<(), Refusal> {
        if let Some((resident, context)) = &mut self.context
            && *resident == key
            && isolation == Isolation::Shared
        {
            return loaded.clock.time(|| context.clear(true));
        }
        self.context = None;
        let context = self.loading.time(|| {
            let mut context = Rc::clone(&loaded.model).context(&key.config)?;
            if let Some(adapter) = &key.adapter {
                context.adapt(Path::new(&adapter.path))?;
            }
            Ok(context)
        })?;
        self.context = Some((key, context));
        Ok(())
    }

    /// The context that [`Residence::prepare`] made.
    pub(super) fn context_mut(&mut self) -> Result<&mut dyn Context, Refusal> {
        match &mut self.context {
            Some((_, context)) => Ok(context.as_mut()),
            None => Err(bad_request(Layer::Load, "no context was made for this request")),
        }
    }

    /// A model's facts, with the context's where one was made for this request.
    pub(super) fn evidence(&self, loaded: &Loaded, with_context: bool) -> LoadEvidence {
        let context = self.context.as_ref().filter(|_| with_context);
        LoadEvidence {
            n_ctx: context.map(|(_, context)| context.n_ctx()),
            can_shift: context.and_then(|(_, context)| context.can_shift()),
            ..loaded.facts.clone()
        }
    }

    /// Time spent inside llama.cpp since it was last taken.
    pub(super) fn take_timing(&self) -> Timing {
        Timing {
            load_us: self.loading.take_us(),
            compute_us: self.model.as_ref().map_or(0, |(_, loaded)| loaded.clock.take_us()),
        }
    }

    /// Where the graph's nodes ran since they were last taken.
    pub(super) fn take_nodes(&mut self) -> Vec<Node> {
        self.context.as_mut().map(|(_, context)| context.take_nodes()).unwrap_or_default()
    }

    /// What the watched call computed.
    pub(super) fn take_graph(&mut self) -> Option<Graph> {
        self.context.as_mut().and_then(|(_, context)| context.take_graph())
    }

    fn drop_model(&mut self) {
        self.context = None;
        self.model = None;
    }
}

/// Refuses to compute with what was never allocated.
fn check_no_alloc(request: &Request) -> Result<(), Refusal> {
    if request.config.load.no_alloc && !matches!(request.stimulus, Stimulus::Load(_)) {
        let message = "`no_alloc` allocates nothing to compute with; ask `load` alone";
        return Err(bad_request(Layer::Load, message));
    }
    Ok(())
}

/// Refuses what llama.cpp would take for "whatever the model was trained for": a context of 262,144 tokens has
/// killed whole phones.
fn check(config: &ContextConfig) -> Result<(), Refusal> {
    let zero = [
        ("n_ctx", config.n_ctx),
        ("n_batch", config.n_batch),
        ("n_ubatch", config.n_ubatch),
        ("n_threads", config.n_threads),
        ("n_seq_max", config.n_seq_max),
    ]
    .into_iter()
    .find(|(_, value)| *value == 0);
    match zero {
        None => Ok(()),
        Some((name, _)) => {
            Err(bad_request(Layer::Load, format!("{name} is 0; give the number that you need")))
        }
    }
}
