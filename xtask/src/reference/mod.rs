//! Hugging Face transformers, asked what it makes of chat templates. For tests of this program and for its tables, never
//! when a user's prompt is rendered.

mod python;

pub(crate) use python::Reference;
