//! What a namespace may hold.
//!
//! The engine prints, compares and drops values recursively and does not look for cycles. A namespace is its only
//! value that changes, so a bound on what is assigned to one bounds every value.

use minijinja::{Error, ErrorKind, State, Value, value::ValueKind};

/// The name under which the engine knows [`shallow`].
pub(crate) const SHALLOW: &str = "__shallow";

/// Lists and maps in each other.
const MAX_DEPTH: usize = 32;

/// Gives `value` back if it is nested no deeper than [`MAX_DEPTH`] and holds no namespace.
pub(crate) fn shallow(state: &State<'_, '_>, value: Value) -> Result<Value, Error> {
    check(state, &value, 0)?;
    Ok(value)
}

fn check(state: &State<'_, '_>, value: &Value, depth: usize) -> Result<(), Error> {
    let refuse = |what: String| Err(Error::new(ErrorKind::InvalidOperation, what));
    let is_map = match value.kind() {
        ValueKind::Map => true,
        ValueKind::Seq => false,
        _ => return Ok(()),
    };
    if value.as_object().is_some_and(|object| object.type_name().ends_with("Namespace")) {
        return refuse("a namespace cannot be assigned to a namespace".into());
    }
    if depth == MAX_DEPTH {
        return refuse(format!("a value nested deeper than {MAX_DEPTH} cannot be assigned to a namespace"));
    }
    // Also bounds how long a value can be that holds another one many times.
    state.consume_fuel(1 + value.len().unwrap_or(0) as u64 / 8)?;
    for item in value.try_iter()? {
        let item = if is_map { value.get_item(&item)? } else { item };
        check(state, &item, depth + 1)?;
    }
    Ok(())
}
