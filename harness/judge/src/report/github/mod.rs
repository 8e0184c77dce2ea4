//! What GitHub Actions shows: annotations beside the case files, and a summary of the job.
//!
//! Formats and limits: docs.github.com, "Workflow commands for GitHub Actions".

mod annotation;
mod listener;
mod summary;

pub use listener::Github;
