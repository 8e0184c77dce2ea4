//! What Apple's tools say. Unknown keys and values are fine: the tools change with every Xcode.

mod devices;
mod outcome;
mod results;
mod signing;
mod xctestrun;

pub use devices::{KnownDevice, devices, pick};
pub use outcome::refused;
pub use results::{Counts, FailedTest, Summary, manifest_files};
pub use signing::{MEMORY_ENTITLEMENTS, missing_entitlements};
pub use xctestrun::{Prepared, prepare};
