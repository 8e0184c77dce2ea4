//! Who answers behind the border.

use wire::{Card, Observation, Request};

/// Something that answers requests, one at a time, on the thread that made it.
pub trait Subject {
    /// Who answers.
    fn card(&self) -> &Card;

    /// Answers one request. A panic costs this one request: the subject is then made anew.
    fn observe(&mut self, request: &Request) -> Observation;
}

/// Makes a subject, at the beginning and after a panic; or says why there can be none.
pub type Make = Box<dyn Fn() -> Result<Box<dyn Subject>, String> + Send>;
