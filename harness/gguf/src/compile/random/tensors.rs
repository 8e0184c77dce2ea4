//! Tensors of random weights.

use crate::blocks::{Exact, Levels};
use crate::{Data, TensorType, Writer};

use super::super::{CompileError, Matrix, Noise};
use super::lora;

/// Standard deviation 147/128: about 1 an element.
pub(super) const EMBEDDING: f32 = 1.0 / 128.0;
/// Standard deviation 147/16384, which the square root of a width of 256 makes 1/7 an element: where the embedding is
/// the output matrix too, a token must not drown what the blocks add, or the model only says it again.
pub(super) const TIED_EMBEDDING: f32 = 1.0 / 16384.0;
/// What the last norm multiplies by, so that a tied embedding gives logits of about 2.3.
pub(super) const TIED_OUTPUT: f32 = 16.0;
/// Standard deviation 147/2048: about 1 / √256, so that a block adds as much as it finds.
pub(super) const BLOCK: f32 = 1.0 / 2048.0;
/// Standard deviation 147/1024 over 256 inputs: logits of about 2.3.
pub(super) const OUTPUT: f32 = 1.0 / 1024.0;
/// Norms are 1, give or take 147/2048.
const NORM: f32 = 1.0 / 2048.0;

/// What matrices are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weights {
    /// Bell-shaped noise in 16 bits.
    Bell,
    /// The same, and to some matrices the product of the adapter of the same noise is added.
    Fused,
    /// Integers of these levels times powers of two, in an element type that holds them exactly.
    Exact(Levels, TensorType),
}

/// Adds tensors to a file; the noise of each belongs to its name.
#[derive(Debug)]
pub(super) struct Tensors<'a> {
    file: &'a mut Writer,
    /// How many tokens there are.
    pub(super) vocabulary: usize,
    weights: Weights,
}

impl<'a> Tensors<'a> {
    pub(super) fn new(file: &'a mut Writer, vocabulary: usize, weights: Weights) -> Self {
        Self { file, vocabulary, weights }
    }

    /// `<name>.weight`: `rows` outputs of `columns` inputs, a standard deviation of 147 × `unit`, in 16 bits unless the
    /// weights are of another type.
    pub(super) fn matrix(
        &mut self,
        name: &str,
        rows: usize,
        columns: usize,
        unit: f32,
    ) -> Result<(), CompileError> {
        let tensor = format!("{name}.weight");
        match self.weights {
            Weights::Exact(levels, kind) => {
                let bytes = Exact::random(&tensor, rows * columns, levels, unit).bytes(kind);
                self.file.tensor(&tensor, &[columns as u64, rows as u64], kind, Data::Bytes(bytes))?;
                Ok(())
            }
            Weights::Fused => {
                self.shaped(name, rows, columns, unit, |matrix| lora::fuse(&tensor, matrix, unit))
            }
            Weights::Bell => self.shaped(name, rows, columns, unit, |_| {}),
        }
    }

    /// As [`Tensors::matrix`], with a last word on its weights.
    pub(super) fn shaped(
        &mut self,
        name: &str,
        rows: usize,
        columns: usize,
        unit: f32,
        shape: impl FnOnce(&mut Matrix),
    ) -> Result<(), CompileError> {
        let name = format!("{name}.weight");
        let mut matrix = Matrix::random(&name, rows, columns, unit);
        shape(&mut matrix);
        self.file.f16(&name, &matrix.dims(), matrix.values())?;
        Ok(())
    }

    /// `<name>.weight` in 16 bits: a matrix of `rows` × `columns` for each of `experts`.
    pub(super) fn stack(
        &mut self,
        name: &str,
        [experts, rows, columns]: [usize; 3],
        unit: f32,
        shape: impl FnOnce(&mut Matrix),
    ) -> Result<(), CompileError> {
        let name = format!("{name}.weight");
        let mut matrix = Matrix::random(&name, experts * rows, columns, unit);
        shape(&mut matrix);
        self.file.f16(&name, &[columns as u64, rows as u64, experts as u64], matrix.values())?;
        Ok(())
    }

    /// `<name>.weight` in 32 bits: about 1 an element.
    pub(super) fn norm(&mut self, name: &str, width: usize) -> Result<(), CompileError> {
        self.scaled_norm(name, width, 1.0)
    }

    /// As [`Tensors::norm`], but about `scale` an element, a power of two.
    pub(super) fn scaled_norm(&mut self, name: &str, width: usize, scale: f32) -> Result<(), CompileError> {
        let name = format!("{name}.weight");
        self.vector(&name, &[width], scale, NORM * scale)
    }

    /// `name` in 32 bits: `middle`, give or take 147 × `unit`.
    pub(super) fn vector(
        &mut self,
        name: &str,
        dims: &[usize],
        middle: f32,
        unit: f32,
    ) -> Result<(), CompileError> {
        let mut values = vec![0.0; dims.iter().product()];
        Noise::named(name).fill_bell(&mut values, unit);
        values.iter_mut().for_each(|value| *value += middle);
        self.values(name, dims, &values)
    }

    /// `name` in 32 bits: these values.
    pub(super) fn values(&mut self, name: &str, dims: &[usize], values: &[f32]) -> Result<(), CompileError> {
        let dims: Vec<u64> = dims.iter().map(|dim| *dim as u64).collect();
        self.file.f32(name, &dims, values)?;
        Ok(())
    }
}
