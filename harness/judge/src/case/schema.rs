//! What a case file may hold, as JSON Schema: for editors, and for whoever writes cases with a program.
//!
//! It is made of the same types that read case files, so it cannot promise what they refuse. What a type cannot say
//! (that `id` is the file's path, that a model is listed) only [`super::Case::read`] checks.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::Case;

/// The schema of a case file, in draft 2020-12.
pub fn schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Case>();
    schema.insert("title".into(), "A case of llama-conformance".into());
    RecursiveTransform(plain_words).transform(&mut schema);
    schema.to_value()
}

/// The schema of an object that is laid over a `T`: any of its fields, none of them needed, each perhaps null.
pub(super) fn parts_of<T: JsonSchema>(_: &mut SchemaGenerator) -> Schema {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    RecursiveTransform(optional).transform(&mut schema);
    schema
}

/// Takes what an object must have away, and lets each of its fields be null.
fn optional(schema: &mut Schema) {
    schema.remove("required");
    schema.remove("default");
    // Of variants that all fit an empty object more than one may fit.
    if let Some(variants) = schema.remove("oneOf") {
        schema.insert("anyOf".into(), variants);
    }
    if let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for field in fields.values_mut() {
            let description = field.get("description").cloned();
            *field = json!({"anyOf": [field.take(), {"type": "null"}]});
            if let (Some(object), Some(description)) = (field.as_object_mut(), description) {
                object.insert("description".into(), description);
            }
        }
    }
}

/// Descriptions are the code's own words; a link to other code means nothing in an editor.
fn plain_words(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace("[`crate::", "`").replace("[`", "`").replace("`]", "`").replace('\n', " ");
    }
}
