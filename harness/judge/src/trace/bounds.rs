//! How far an operator's result may be from another backend's although both were given the same.

use std::sync::LazyLock;

use serde::Deserialize;

/// The bound of one operator.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// ggml's name of the operator; `default` for all that have no entry.
    pub op: String,
    /// Normalised mean squared error.
    pub nmse: f64,
    /// Where the number comes from.
    pub why: String,
}

/// All bounds, sorted by operator.
#[expect(clippy::expect_used, reason = "the table is compiled in, and a test reads it")]
pub fn bounds() -> &'static [Bound] {
    static ALL: LazyLock<Vec<Bound>> =
        LazyLock::new(|| serde_json::from_str(include_str!("bounds.json")).expect("bounds.json"));
    &ALL
}

/// The bound of the operator `op`.
pub(super) fn bound(op: &str) -> f64 {
    let of = |name: &str| bounds().iter().find(|bound| bound.op == name);
    of(op).or_else(|| of("default")).map_or(0.0, |bound| bound.nmse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_says_why() {
        assert!(bounds().is_sorted_by(|a, b| a.op < b.op));
        assert!(bounds().iter().all(|bound| bound.nmse > 0.0 && !bound.why.is_empty()));
        assert_eq!((bound("MUL_MAT"), bound("ROPE")), (5e-4, 1e-7));
    }
}
