//! Weight matrices under construction.

use super::Noise;

/// A weight matrix: `rows` outputs, each a row of `columns` inputs, noise wherever nothing was set.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f32>,
}

impl Matrix {
    /// The matrix of the tensor `name`, filled with that name's noise of at most 127 × `unit`.
    pub(crate) fn noisy(name: &str, rows: usize, columns: usize, unit: f32) -> Self {
        let mut values = vec![0.0; rows * columns];
        Noise::named(name).fill(&mut values, unit);
        Self { rows, columns, values }
    }

    /// The matrix of the tensor `name`, filled with that name's bell-shaped noise: a standard deviation of 147 ×
    /// `unit`.
    pub(crate) fn random(name: &str, rows: usize, columns: usize, unit: f32) -> Self {
        let mut values = vec![0.0; rows * columns];
        Noise::named(name).fill_bell(&mut values, unit);
        Self { rows, columns, values }
    }

    /// Sets the weight from input `column` to output `row`.
    pub(crate) fn set(&mut self, row: usize, column: usize, value: f32) {
        assert!(row < self.rows && column < self.columns, "({row}, {column}) is outside the matrix");
        self.values[row * self.columns + column] = value;
    }

    /// Adds to the weight from input `column` to output `row`.
    pub(crate) fn add(&mut self, row: usize, column: usize, value: f32) {
        assert!(row < self.rows && column < self.columns, "({row}, {column}) is outside the matrix");
        self.values[row * self.columns + column] += value;
    }

    /// Outputs.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Sets all weights of an output to 0.
    pub(crate) fn clear(&mut self, row: usize) {
        self.values[row * self.columns..][..self.columns].fill(0.0);
    }

    /// Dimensions as ggml counts them: the row length first.
    pub(crate) fn dims(&self) -> [u64; 2] {
        [self.columns as u64, self.rows as u64]
    }

    /// The weights, row after row.
    pub(crate) fn values(&self) -> &[f32] {
        &self.values
    }
}
