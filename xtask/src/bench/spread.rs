//! Least, median and greatest of a figure over several runs.

use serde::Serialize;

/// Least, median and greatest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Spread {
    /// Least.
    pub(crate) min: f64,
    /// Median.
    pub(crate) median: f64,
    /// Greatest.
    pub(crate) max: f64,
}

impl Spread {
    /// Of `values`; all zero where there are none.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let at = |index: usize| values.get(index).copied().unwrap_or(0.0);
        let (half, last) = (values.len() / 2, values.len().saturating_sub(1));
        let median = if values.len() % 2 == 1 {
            at(half)
        } else {
            f64::midpoint(at(half.saturating_sub(1)), at(half))
        };
        Self { min: at(0), median, max: at(last) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_an_even_number_lies_between_two() {
        assert_eq!(Spread::of([3.0, 1.0, 2.0]), Spread { min: 1.0, median: 2.0, max: 3.0 });
        assert_eq!(Spread::of([4.0, 1.0]), Spread { min: 1.0, median: 2.5, max: 4.0 });
        assert_eq!(Spread::of([]), Spread { min: 0.0, median: 0.0, max: 0.0 });
    }
}
