//! The limits of one request.

use wire::{Layer, Limits, Refusal};

use crate::{
    os::{AddressSpace, Balloon, OsError},
    refuse::unsupported,
};

/// Limits that hold until this is dropped.
pub(super) struct Limited {
    _balloon: Option<Balloon>,
    _address_space: Option<AddressSpace>,
}

impl Limited {
    /// Sets the limits of a request.
    pub(super) fn begin(limits: &Limits) -> Result<Self, Refusal> {
        Ok(Self {
            _address_space: limits.address_space.map(AddressSpace::limit).transpose().map_err(refusal)?,
            _balloon: limits.balloon.map(Balloon::leave).transpose().map_err(refusal)?,
        })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is the argument of map_err")]
fn refusal(error: OsError) -> Refusal {
    unsupported(Layer::Load, error.to_string())
}
