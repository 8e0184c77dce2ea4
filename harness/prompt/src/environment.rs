//! The Jinja engine, set up as Hugging Face transformers sets up Jinja2 for chat templates
//! (`transformers/utils/chat_template_utils.py`): `trim_blocks`, `lstrip_blocks`, loop controls,
//! `raise_exception`, `strftime_now`, a `tojson` that is Python's `json.dumps`, and no automatic escaping.

use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, syntax::SyntaxConfig};
use minijinja_contrib::pycompat::unknown_method_callback;

use crate::{
    FUEL,
    clock::strftime_now,
    error::Raised,
    iterable::{ITERABLE, is_iterable, iterable},
    shallow::{SHALLOW, shallow},
    tojson::tojson,
};

/// Frames that a template may nest; a macro call counts several.
const MAX_RECURSION: usize = 200;

/// A new engine without any template in it.
pub(crate) fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    // `keep_trailing_newline` stays off, as it is in Jinja2: one newline at the template's end is dropped.
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_undefined_behavior(UndefinedBehavior::Lenient);
    environment.set_unknown_method_callback(unknown_method_callback);
    environment.set_recursion_limit(MAX_RECURSION);
    environment.set_fuel(Some(FUEL));
    // Errors then name the undefined variable.
    environment.set_debug(true);
    environment.add_filter("tojson", tojson);
    environment.add_test("iterable", is_iterable);
    environment.add_function(ITERABLE, iterable);
    environment.add_function(SHALLOW, shallow);
    environment.add_function("raise_exception", raise_exception);
    environment.add_function("strftime_now", |format: &str| strftime_now(format));
    Ok(environment)
}

fn raise_exception(message: String) -> Result<String, Error> {
    Err(Error::new(ErrorKind::InvalidOperation, "raise_exception").with_source(Raised(message)))
}
