//! The same question under another condition.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use wire::{Capability, Config, Isolation, Stimulus};

use super::Case;
use super::schema::parts_of;

/// What stands between a case's id and a variant's name in the id of what is asked: `numbers/prefill@kv-q8_0`.
const AT: char = '@';

/// The same question under another condition: the answer must be the case's own, within the tolerance for this
/// condition. What is left out is as in the case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// What it is called.
    #[schemars(regex(pattern = "^[^/@]+$"))]
    pub name: String,
    /// What goes wrong for whom if the answer is another.
    #[schemars(length(min = 1))]
    pub why: String,
    /// Public reports or documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(regex(pattern = "^https://")))]
    pub links: Vec<String>,
    /// Which of the case's models it is for; empty: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// Ask this model instead of the case's, which must be one: another file that must answer the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Apply this adapter to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// What a subject must be able to do besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<Capability>,
    /// Laid over the case's `config`; null takes a field out.
    #[schemars(schema_with = "parts_of::<Config>")]
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub config: Map<String, Value>,
    /// Laid over the case's `stimulus`; null takes a field out.
    #[schemars(schema_with = "parts_of::<Stimulus>")]
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub stimulus: Map<String, Value>,
    /// Instead of the case's `isolation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
}

/// That a case is a variant of another one.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantOf {
    /// The variant's name.
    pub name: String,
    /// The case whose answer must come.
    pub base: Arc<Case>,
    /// Whether another model is asked than the base's only one.
    pub other_model: bool,
}

impl Variant {
    /// The case that asks `base` under this condition.
    ///
    /// # Errors
    /// When the variant contradicts itself or its case, in words.
    pub(super) fn of(&self, base: &Arc<Case>) -> Result<Case, String> {
        if !base.has_golden() {
            return Err(
                "a variant is compared with the case's answer; give the case the check `golden`".into()
            );
        }
        if self.name.is_empty() || self.name.contains([AT, '/']) {
            return Err(format!("its name must not be empty, nor hold {AT} or /"));
        }
        if self.why.trim().is_empty() {
            return Err("`why` must say what goes wrong for whom if its answer is another".into());
        }
        if self.model.is_some() && (base.models.len() != 1 || !self.models.is_empty()) {
            return Err("`model` needs a case of exactly one model, and no `models`".into());
        }
        let models = match (&self.model, &self.models) {
            (Some(model), _) => vec![model.clone()],
            (None, chosen) if chosen.is_empty() => base.models.clone(),
            (None, chosen) => chosen.clone(),
        };
        let is_variant =
            VariantOf { name: self.name.clone(), base: base.clone(), other_model: self.model.is_some() };
        Ok(Case {
            id: format!("{}{AT}{}", base.id, self.name),
            why: self.why.clone(),
            links: self.links.clone(),
            models,
            adapter: self.adapter.clone().or_else(|| base.adapter.clone()),
            needs: base.needs.iter().chain(&self.needs).copied().collect(),
            config: laid_over(&base.config, &self.config)
                .map_err(|problem| format!("`config`: {problem}"))?,
            stimulus: laid_over(&base.stimulus, &self.stimulus)
                .map_err(|problem| format!("`stimulus`: {problem}"))?,
            isolation: self.isolation.unwrap_or(base.isolation),
            variants: Vec::new(),
            variant_of: Some(is_variant),
            ..(**base).clone()
        })
    }
}

/// `over` laid over `value`, object by object, as RFC 7396 has it.
fn laid_over<T: Serialize + for<'a> Deserialize<'a>>(
    value: &T,
    over: &Map<String, Value>,
) -> Result<T, serde_json::Error> {
    let mut whole = serde_json::to_value(value)?;
    merge(&mut whole, &Value::Object(over.clone()));
    serde_json::from_value(whole)
}

fn merge(value: &mut Value, over: &Value) {
    let Value::Object(over) = over else {
        *value = over.clone();
        return;
    };
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    let Value::Object(map) = value else { return };
    for (key, over) in over {
        if over.is_null() {
            map.remove(key);
        } else {
            merge(map.entry(key.clone()).or_insert(Value::Null), over);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn base(models: &[&str], checks: &Value) -> Arc<Case> {
        Arc::new(
            serde_json::from_value(json!({
                "id": "numbers/a", "why": "w", "models": models, "checks": checks,
                "config": {"context": {"n_batch": 64}},
                "stimulus": {"score": {"prompt": {"text": "Hi"}}}
            }))
            .unwrap(),
        )
    }

    fn variant(rest: &Value) -> Variant {
        let mut whole = json!({"name": "v", "why": "because"});
        merge(&mut whole, rest);
        serde_json::from_value(whole).unwrap()
    }

    #[test]
    fn what_is_laid_over_counts_and_the_rest_stays() {
        let base = base(&["role:random"], &json!([{"golden": {}}]));
        let rest = json!({
            "config": {"context": {"type_k": "q8_0"}}, "stimulus": {"score": {"path": "token-by-token"}},
            "isolation": "fresh", "models": ["m"]
        });
        let case = variant(&rest).of(&base).unwrap();
        assert_eq!((case.id.as_str(), case.why.as_str()), ("numbers/a@v", "because"));
        assert_eq!((case.config.context.n_batch, case.config.context.type_k), (64, wire::KvType::Q8_0));
        assert_eq!(
            serde_json::to_value(&case.stimulus).unwrap(),
            json!({"score": {"prompt": {"text": "Hi"}, "path": "token-by-token"}})
        );
        assert_eq!((case.isolation, case.models), (Isolation::Fresh, vec!["m".to_owned()]));
        assert_eq!(case.variant_of.map(|of| (of.name, of.base)), Some(("v".to_owned(), base)));
    }

    #[test]
    fn a_variant_that_contradicts_itself_is_refused() {
        let golden = json!([{"golden": {}}]);
        let check = |base: &Arc<Case>, rest: Value, problem: &str| {
            let seen = variant(&rest).of(base).unwrap_err();
            assert!(seen.contains(problem), "{seen}");
        };
        let (one, many) = (base(&["m"], &golden), base(&["role:random"], &golden));
        check(&base(&["m"], &json!([{"bos": {"equals": 1}}])), json!({}), "check `golden`");
        check(&one, json!({"name": "a@b"}), "hold @ or /");
        check(&one, json!({"why": " "}), "`why` must say");
        check(&base(&["m", "n"], &golden), json!({"model": "other"}), "exactly one model");
        check(&one, json!({"model": "other", "models": ["m"]}), "no `models`");
        check(&many, json!({"config": {"context": {"n_bach": 1}}}), "`config`: unknown field `n_bach`");
        check(&many, json!({"stimulus": {"score": {"path": "x"}}}), "`stimulus`: unknown variant `x`");
        check(&many, json!({"stimulus": {"load": {}}}), "`stimulus`: ");
    }
}
