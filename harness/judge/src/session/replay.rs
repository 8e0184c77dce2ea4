//! Answers out of a recording.

use std::collections::HashMap;

use wire::{ModelSpec, Request};

use super::answer::{Answer, NoAnswer};
use super::source::Source;
use crate::plan::Item;
use crate::subject::{Recorded, key_of_attempt};

/// Gives the answers that were recorded, to the questions that are still the same.
pub(super) struct Replay(HashMap<String, Recorded>);

impl Replay {
    pub(super) fn new(recorded: Vec<Recorded>) -> Self {
        Self(recorded.into_iter().map(|one| (one.key.clone(), one)).collect())
    }
}

impl Source for Replay {
    fn answer(&self, item: &Item, attempt: usize, forced: Option<Vec<i32>>) -> Result<Answer, NoAnswer> {
        let Some(recorded) = self.0.get(&key_of_attempt(&item.to_string(), attempt)) else {
            return Err(NoAnswer::inconclusive(format!("{item} was not recorded; record again")));
        };
        let asked = item.request(recorded.request.id, forced);
        if let Some(what) = difference(&asked, &recorded.request) {
            return Err(NoAnswer::inconclusive(format!(
                "another {what} was asked for when this was recorded; record again"
            )));
        }
        let Recorded { request, observation, card, .. } = recorded.clone();
        Ok(Answer { request, observation, card })
    }

    fn attempts(&self, item: &Item) -> usize {
        let name = item.to_string();
        (1..).take_while(|attempt| self.0.contains_key(&key_of_attempt(&name, *attempt))).count()
    }

    fn interrupt(&self) {}
}

/// What of the question is no longer as it was. Another machine keeps its models elsewhere: their paths don't
/// matter. An answer that followed no tokens says what the subject itself chooses, so it may always be judged; one
/// that followed other tokens than it would have to now may not.
fn difference(now: &Request, then: &Request) -> Option<&'static str> {
    let name = |model: &Option<ModelSpec>| model.as_ref().map(|model| model.name.clone());
    let same = [
        ("model", name(&now.model) == name(&then.model)),
        ("adapter", name(&now.adapter) == name(&then.adapter)),
        ("config", now.config == then.config),
        ("stimulus", now.stimulus == then.stimulus),
        ("set of limits", now.limits == then.limits),
        ("isolation", now.isolation == then.isolation),
        ("golden's tokens", then.forced_tokens.is_none() || now.forced_tokens == then.forced_tokens),
    ];
    same.iter().find(|(_, same)| !same).map(|(what, _)| *what)
}

#[cfg(test)]
mod tests {
    use wire::{Config, Isolation, Limits, Stimulus};

    use super::*;

    fn request() -> Request {
        let stimulus = Stimulus::Inspect {};
        let model = Some(ModelSpec { name: "m".into(), path: "/here/m.gguf".into() });
        let (limits, isolation) = (Limits::default(), Isolation::Shared);
        let forced_tokens = Some(vec![1, 2]);
        let (adapter, config, watch) = (None, Config::default(), None);
        Request { id: 1, model, adapter, config, stimulus, limits, forced_tokens, isolation, watch }
    }

    #[track_caller]
    fn check(change: impl Fn(&mut Request), expect: Option<&str>) {
        let mut then = request();
        change(&mut then);
        assert_eq!(difference(&request(), &then), expect);
    }

    #[test]
    fn a_question_is_the_same_on_another_machine_and_no_other_is() {
        check(|then| then.id = 2, None);
        check(|then| then.model = Some(ModelSpec { name: "m".into(), path: "/there/m.gguf".into() }), None);
        check(|then| then.forced_tokens = None, None);
        check(|then| then.forced_tokens = Some(vec![1, 3]), Some("golden's tokens"));
        check(|then| then.model = None, Some("model"));
        check(|then| then.adapter = then.model.clone(), Some("adapter"));
        check(|then| then.config.context.n_ctx += 1, Some("config"));
        check(|then| then.stimulus = Stimulus::Load(wire::Load::default()), Some("stimulus"));
        check(|then| then.limits.balloon = Some(1), Some("set of limits"));
        check(|then| then.isolation = Isolation::Fresh, Some("isolation"));
    }
}
