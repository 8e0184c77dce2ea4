//! A browser on a leash: opens a file, clicks, types, looks.
//!
//! For tests of the HTML report alone. It speaks the DevTools protocol over a pipe to the Chromium of this machine,
//! shown to nobody, with an empty profile. It knows nothing of reports.
#![forbid(unsafe_code)]

mod browser;
mod error;
mod find;
mod page;
mod wire;

pub use browser::Browser;
pub use error::BrowserError;
pub use find::find;
