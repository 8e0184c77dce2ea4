//! One question: a case, a model, a subject.

use std::fmt;
use std::sync::Arc;

use wire::{Card, ModelSpec, Request, Stimulus};

use super::Origin;
use crate::case::Case;
use crate::models::Model;
use crate::subject::Launch;

/// A subject that can be asked: a built probe and what it says of itself.
#[derive(Clone, Debug)]
pub struct Target {
    /// The backend row's name.
    pub name: String,
    /// How to start it.
    pub launch: Launch,
    /// Its card.
    pub card: Card,
    /// Where it comes from.
    pub origin: Origin,
}

impl Target {
    /// A subject whose answers were recorded: nobody starts it.
    pub fn recorded(name: String, card: Card) -> Self {
        let launch = Launch { program: "recorded".into(), args: Vec::new(), env: Vec::new() };
        Self { name, launch, card, origin: Origin::default() }
    }
}

/// One question.
#[derive(Clone, Debug)]
pub struct Item {
    /// What is asked.
    pub case: Arc<Case>,
    /// Of which model; `None` where the case needs none.
    pub model: Option<Arc<Model>>,
    /// The adapter that is applied to it.
    pub adapter: Option<Arc<Model>>,
    /// Of which subject.
    pub target: Arc<Target>,
    /// The subject with whose live answer this one is compared. A variant is compared with the case's own answer.
    pub reference: Option<Arc<Target>>,
    /// For a variant that asks another model than its case: the case's.
    pub base_model: Option<Arc<Model>>,
}

impl Item {
    /// The name of the model, or `-`.
    pub fn model_name(&self) -> &str {
        self.model.as_ref().map_or("-", |model| &model.name)
    }

    /// The request that puts this question, with `forced` tokens where a reference has chosen them.
    pub fn request(&self, id: u64, forced: Option<Vec<i32>>) -> Request {
        Request {
            id,
            model: self.model.as_deref().map(spec),
            adapter: self.adapter.as_deref().map(spec),
            config: self.case.config.clone(),
            stimulus: self.case.stimulus.clone(),
            limits: self.case.limits.clone(),
            forced_tokens: forced,
            isolation: self.case.isolation,
            watch: None,
        }
    }

    /// The same question to the reference; for a variant, the question of which it is one.
    pub fn reference_item(&self) -> Option<Self> {
        let target = self.reference.clone()?;
        let (adapter, base_model) = (self.adapter.clone(), None);
        Some(match &self.case.variant_of {
            None => Self { target, reference: None, ..self.clone() },
            Some(of) => Self {
                case: of.base.clone(),
                model: self.golden_model().cloned(),
                adapter: adapter.filter(|_| of.base.adapter.is_some()),
                target,
                reference: None,
                base_model,
            },
        })
    }

    /// The model whose golden counts.
    pub fn golden_model(&self) -> Option<&Arc<Model>> {
        self.base_model.as_ref().or(self.model.as_ref())
    }

    /// What the reference is called: the subject, and for a variant the case too.
    pub fn reference_name(&self) -> String {
        let target = self.reference.as_ref().map_or("-", |target| &target.name);
        match &self.case.variant_of {
            Some(of) => format!("{} on {target}", of.base.id),
            None => target.to_owned(),
        }
    }

    /// Whether a reference's tokens can be forced on this question.
    pub fn can_force(&self) -> bool {
        matches!(self.case.stimulus, Stimulus::Generate(_))
    }
}

fn spec(model: &Model) -> ModelSpec {
    ModelSpec { name: model.name.clone(), path: model.path.to_string_lossy().into_owned() }
}

impl fmt::Display for Item {
    /// `cpu/compiled-gemma/template/one-bos`: subject, model, case.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.target.name, self.model_name(), self.case.id)
    }
}
