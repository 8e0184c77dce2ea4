//! What devices allow: data with sources, and what somebody measured instead.

mod catalogue;
mod device_error;
mod limits;
mod measured;

pub use catalogue::{Device, all, find, of_ram};
pub use device_error::DeviceError;
pub use limits::{Certainty, Limit, Limits, MapReport, Pair};
pub use measured::Measured;
