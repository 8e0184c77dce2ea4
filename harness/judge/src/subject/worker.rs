//! A child that speaks frames over its standard streams.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use wire::{Card, Ending, FromHost, FromProbe, Observation, PROTOCOL, Request};

use super::conversation::{Break, Conversation};
use super::process::Process;
use super::{Launch, Subject, SubjectError};

/// A running probe. It answers until it breaks off: an observation that no probe makes of itself
/// ([`Ending::Died`], [`Ending::Hung`], [`Ending::Garbled`]) is its last one, and the process is gone by then.
/// Dropping a worker kills its whole process group.
pub struct Worker {
    launch: Launch,
    conversation: Conversation,
    card: Card,
    /// Whether it was asked before: an ending that is found later is no fault of the next request.
    asked: bool,
    ended: bool,
}

impl Worker {
    /// Starts `launch` and waits for its ready frame.
    ///
    /// # Errors
    /// When there is no such program, it cannot be started, it ends, babbles or keeps silent instead of getting
    /// ready, or it speaks another version of the protocol.
    pub fn spawn(launch: &Launch, ready_deadline: Duration) -> Result<Self, SubjectError> {
        Self::spawn_seen(launch, ready_deadline, |_| ())
    }

    /// As [`Self::spawn`], and shows the process while it is not ready yet.
    pub(super) fn spawn_seen(
        launch: &Launch,
        ready_deadline: Duration,
        see: impl FnOnce(&Arc<Process>),
    ) -> Result<Self, SubjectError> {
        let mut conversation = Conversation::start(launch)?;
        see(&conversation.process);
        let seen = match conversation.hear(ready_deadline) {
            Ok(FromProbe::Ready { card, .. }) => {
                return Ok(Self {
                    launch: launch.clone(),
                    conversation,
                    card: *card,
                    asked: false,
                    ended: false,
                });
            }
            Ok(FromProbe::Reply { id, .. }) => format!("it began with a reply to request {id}"),
            Err(Break::Silent) => {
                format!("no ready frame came within {} ms", ready_deadline.as_millis())
            }
            Err(Break::Garbled { problem, excerpt }) => format!("{problem}: {excerpt:?}"),
            Err(Break::Foreign(theirs)) => {
                conversation.process.end();
                return Err(SubjectError::Protocol { program: launch.to_string(), theirs, ours: PROTOCOL });
            }
            Err(Break::Exited { .. }) => match conversation.process.end() {
                Some(status) => format!("it ended with {status}"),
                None => "it ended".to_owned(),
            },
        };
        conversation.process.end();
        Err(SubjectError::NotReady { program: launch.to_string(), seen, log_tail: conversation.log.tail() })
    }

    /// Whether it can be asked.
    pub fn is_alive(&self) -> bool {
        !self.ended && self.conversation.process.is_alive()
    }

    /// The process id of the child, which is its process group's too; under a launcher it is the launcher's.
    pub fn pid(&self) -> u32 {
        self.conversation.process.id()
    }

    pub(super) fn process(&self) -> &Arc<Process> {
        &self.conversation.process
    }

    pub(super) fn launch(&self) -> &Launch {
        &self.launch
    }

    fn end(&mut self) -> Option<ExitStatus> {
        self.ended = true;
        self.conversation.process.end()
    }

    fn last_words(&mut self, ending: Ending) -> Observation {
        self.end();
        Observation { log_tail: self.conversation.log.tail(), ..Observation::ended(ending) }
    }

    fn broken_off(&mut self, why: Break, deadline: Duration) -> Observation {
        match why {
            Break::Silent => self.last_words(Ending::Hung {
                deadline_ms: u64::try_from(deadline.as_millis()).unwrap_or(u64::MAX),
            }),
            Break::Garbled { problem, excerpt } => self.last_words(Ending::Garbled { problem, excerpt }),
            Break::Foreign(protocol) => self.last_words(Ending::Garbled {
                problem: format!("a ready frame of protocol {protocol}"),
                excerpt: String::new(),
            }),
            Break::Exited { half } => self.died(half),
        }
    }

    /// An exit in good order inside a frame is a garbled reply; otherwise what killed it says more.
    fn died(&mut self, half: Option<String>) -> Observation {
        let status = self.end();
        if let (Some(excerpt), Some(0)) = (&half, status.and_then(|status| status.code())) {
            let problem = "the process exited inside a frame".to_owned();
            return self.last_words(Ending::Garbled { problem, excerpt: excerpt.clone() });
        }
        let mut observation = self.last_words(Ending::Died {
            signal: status.and_then(|status| status.signal()),
            exit_code: status.and_then(|status| status.code()),
        });
        observation.log_tail.extend(half.map(|half| format!("standard output ended inside a frame: {half}")));
        observation
    }

    fn misplaced(&mut self, frame: &FromProbe, awaited: &str) -> Observation {
        let problem = match frame {
            FromProbe::Ready { .. } => format!("a second ready frame, while {awaited}"),
            FromProbe::Reply { id, .. } => format!("a reply to request {id}, while {awaited}"),
        };
        self.last_words(Ending::Garbled { problem, excerpt: String::new() })
    }
}

impl Subject for Worker {
    fn card(&self) -> &Card {
        &self.card
    }

    /// # Errors
    /// [`SubjectError::NotRunning`] when it had ended after an earlier request; then spawn another.
    fn observe(&mut self, request: &Request, deadline: Duration) -> Result<Observation, SubjectError> {
        let gone = || SubjectError::NotRunning { program: self.launch.to_string() };
        if self.ended {
            return Err(gone());
        }
        match self.conversation.unasked() {
            Some(Err(Break::Exited { .. })) if self.asked => {
                let gone = gone();
                self.end();
                return Err(gone);
            }
            Some(Err(why)) => return Ok(self.broken_off(why, deadline)),
            Some(Ok(frame)) => return Ok(self.misplaced(&frame, "none was awaited")),
            None => self.conversation.log.clear(),
        }
        self.asked = true;
        self.conversation
            .say(&FromHost::Observe(request.clone()))
            .map_err(|source| SubjectError::Unsendable { id: request.id, source })?;
        Ok(match self.conversation.hear(deadline) {
            Ok(FromProbe::Reply { id, observation }) if id == request.id => *observation,
            Ok(frame) => self.misplaced(&frame, &format!("request {} was asked", request.id)),
            Err(why) => self.broken_off(why, deadline),
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}
