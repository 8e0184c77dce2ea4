//! What Python iterates over, and the engine, too, but for none.

use minijinja::{Error, ErrorKind, Value};

/// The name under which the engine knows [`iterable`].
pub(crate) const ITERABLE: &str = "__iterable";

/// Gives back what a loop goes over. None is an error, as in Python; the undefined has no items, as in Jinja2.
pub(crate) fn iterable(value: Value) -> Result<Value, Error> {
    if value.is_none() {
        return Err(Error::new(ErrorKind::InvalidOperation, "none is not iterable"));
    }
    Ok(value)
}

/// The test `is iterable`.
#[expect(clippy::needless_pass_by_value, reason = "the engine passes arguments so")]
pub(crate) fn is_iterable(value: Value) -> bool {
    !value.is_none() && value.try_iter().is_ok()
}
