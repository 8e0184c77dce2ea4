//! What every subject can do.

use std::time::Duration;

use wire::{Card, Observation, Request};

use super::SubjectError;

/// A place where the model can run, or what it once said.
pub trait Subject: Send {
    /// What it says of itself.
    fn card(&self) -> &Card;

    /// Asks, and waits for the answer until `deadline` has passed.
    ///
    /// # Errors
    /// When the harness could not ask. A crash, a hang, a refusal is an observation.
    fn observe(&mut self, request: &Request, deadline: Duration) -> Result<Observation, SubjectError>;
}
