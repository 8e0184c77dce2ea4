//! Which integers weights are made of.

use super::codebook::IQ4_NL;

/// The integers that a weight can be, before a power of two scales it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Levels {
    /// −8 to 7: everything that four bits and more can hold.
    FourBits,
    /// −1, 0 and 1: what the narrow types can hold too.
    Ternary,
    /// −1 and 1.
    Signs,
    /// The sixteen values of `iq4_nl`.
    Codebook,
}

impl Levels {
    /// All of them.
    pub(crate) const fn values(self) -> &'static [i8] {
        match self {
            Self::FourBits => &[-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7],
            Self::Ternary => &[-1, 0, 1],
            Self::Signs => &[-1, 1],
            Self::Codebook => &IQ4_NL,
        }
    }

    /// How many neighbours share a power of two: a whole number of blocks of the types that hold these.
    pub(crate) const fn shared(self) -> usize {
        match self {
            Self::FourBits | Self::Codebook => 32,
            Self::Ternary | Self::Signs => 256,
        }
    }

    /// The power of two that brings their standard deviation near 147, that of other random weights.
    pub(crate) const fn exponent(self) -> i8 {
        match self {
            Self::FourBits => 4,
            Self::Ternary | Self::Signs => 7,
            Self::Codebook => 0,
        }
    }
}
