//! What happens to a context under a fault.

use super::{Fault, logits::LogitsFault, memory::MemoryFault};
use crate::{
    engine::{Context, Outputs},
    os,
};

/// What happens to a context.
#[derive(Debug)]
pub(super) enum Disturbance {
    /// Nothing of its own: it was made wrong already.
    None,
    /// Its logits are changed.
    Logits(LogitsFault),
    /// It is not cleared, or its positions are not.
    Memory(MemoryFault),
    /// It loses its adapter.
    AdapterIgnored,
    /// Its sequences change places.
    SequencesSwapped,
    /// llama.cpp is made to abort.
    Abort,
    /// The process reads what is not its own.
    SegmentationFault,
    /// It never returns.
    EndlessLoop,
}

impl Disturbance {
    /// What `fault` does to a context; `None` where it has nothing to do with one. `eog`: the model's
    /// end-of-generation tokens.
    pub(super) fn of(fault: Fault, eog: &[i32]) -> Option<Self> {
        match fault {
            Fault::KvQ4 | Fault::TensorTailZeroed | Fault::ExpertZeroed | Fault::RopeBaseWrong => {
                Some(Self::None)
            }
            Fault::AdapterIgnored => Some(Self::AdapterIgnored),
            Fault::SequencesSwapped => Some(Self::SequencesSwapped),
            Fault::Abort => Some(Self::Abort),
            Fault::SegmentationFault => Some(Self::SegmentationFault),
            Fault::EndlessLoop => Some(Self::EndlessLoop),
            _ => LogitsFault::of(fault, eog)
                .map(Self::Logits)
                .or_else(|| MemoryFault::of(fault).map(Self::Memory)),
        }
    }

    /// Ends or holds up the process, where that is the fault.
    pub(super) fn strike(&self, context: &mut dyn Context, tokens: &[i32]) {
        match self {
            Self::Abort => {
                let token = tokens.first().copied().unwrap_or_default();
                let batch = vec![token; context.n_batch() as usize + 1];
                // llama.cpp asserts that a batch is no larger than n_batch: this does not return.
                let _ = context.decode(&batch, 0, Outputs::Last);
            }
            Self::SegmentationFault => os::read_forbidden_page(),
            Self::EndlessLoop => loop {
                std::hint::spin_loop();
            },
            Self::None
            | Self::AdapterIgnored
            | Self::SequencesSwapped
            | Self::Logits(_)
            | Self::Memory(_) => {}
        }
    }
}
