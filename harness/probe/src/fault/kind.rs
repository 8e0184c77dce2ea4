//! The list of faults.

use clap::ValueEnum;

/// One way to be broken. The name on the command line is the variant's in kebab-case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Fault {
    /// Every logit is NaN
    LogitsNan,
    /// One logit is NaN
    LogitsOneNan,
    /// From the second llama_decode on the logits are those of the call before
    LogitsStale,
    /// Noise on every logit, NMSE 1e-3
    #[value(name = "noise-1e-3")]
    NoiseThousandth,
    /// Noise on every logit, NMSE 1e-2
    #[value(name = "noise-1e-2")]
    NoiseHundredth,
    /// Noise on every logit, NMSE 1
    #[value(name = "noise-1")]
    NoiseWhole,
    /// Noise on every logit, NMSE 1e-2, which goes when the graph's nodes are computed one by one
    FusionWrong,
    /// The end-of-generation logits are 10 too low, all others are right
    EogLowered,
    /// The two highest logits are swapped at the third position that is read
    TopTwoSwapped,
    /// No token is known to end generation
    EogForgotten,
    /// Generation ends one token after the end-of-generation token
    StopLate,
    /// The memory is not cleared, and positions go on
    MemoryNotCleared,
    /// The memory is cleared, and positions go on all the same
    PositionNotReset,
    /// The memory is not cleared, and positions begin at 0 again
    TurnFromZero,
    /// Earlier messages are not sent
    HistoryDropped,
    /// The system message is not sent
    SystemDropped,
    /// The model's chat template is not found
    TemplateMissing,
    /// Another family's chat template is used
    TemplateForeign,
    /// The tokenizer adds BOS to a prompt that has one
    DoubleBos,
    /// BOS is left out
    NoBos,
    /// The prompt does not open the assistant's turn
    GenerationPromptMissing,
    /// Control tokens of the template are tokenised as plain text
    SpecialAsText,
    /// Thinking is on, whatever the request says
    ThinkingLeftOn,
    /// The thought is left in the answer
    ThoughtNotSplit,
    /// One token more than the budget is generated
    BudgetMiscounted,
    /// Stop strings are looked for in each token alone
    StopStringMissed,
    /// Each token's bytes are made text alone
    Utf8Cut,
    /// The KV cache is q4_0, whatever the request says
    #[value(name = "kv-q4-0")]
    KvQ4,
    /// An adapter is loaded and not applied
    AdapterIgnored,
    /// Of several sequences in one batch, another one's logits are read
    SequencesSwapped,
    /// The last 4096 bytes of the file's last tensor are zero
    TensorTailZeroed,
    /// One expert's matrix is zero
    ExpertZeroed,
    /// The file says another RoPE base
    RopeBaseWrong,
    /// No layer goes to the GPU, whatever the request says
    CpuInsteadOfGpu,
    /// The process may not map the model file
    AddressSpaceLimit,
    /// The weights cannot be allocated
    OutOfMemory,
    /// llama.cpp aborts: the batch is larger than n_batch
    Abort,
    /// The process reads memory that is not its own
    SegmentationFault,
    /// llama_decode never returns
    EndlessLoop,
    /// A line that is no frame comes before each reply
    StdoutGarbage,
    /// Half a reply, then the process dies
    HalfFrame,
    /// Replies come too late
    SlowReply,
    /// Each reply comes twice
    DuplicateReply,
    /// Replies carry another request's id
    WrongId,
    /// The first frame names another version of the protocol
    WrongProtocol,
}

impl Fault {
    /// Its name on the command line and on the card.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// What it does, in a few words.
    pub fn about(self) -> String {
        let help = self.to_possible_value().and_then(|value| value.get_help().map(ToString::to_string));
        help.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_fault_has_a_name_of_its_own_and_says_what_it_does() {
        let names: BTreeSet<String> = Fault::value_variants().iter().map(|fault| fault.name()).collect();
        assert_eq!(names.len(), Fault::value_variants().len());
        for fault in Fault::value_variants() {
            assert!(!fault.about().is_empty(), "{fault:?}");
            assert_eq!(Fault::from_str(&fault.name(), false), Ok(*fault));
        }
    }

    /// The expectations of `cargo xtask faults` must name every fault once, and none that is not there.
    #[test]
    fn every_fault_is_expected_in_the_cases() {
        #[derive(serde::Deserialize)]
        struct Expected {
            fault: String,
        }
        let expected: Vec<Expected> =
            serde_json::from_str(include_str!("../../../../cases/faults.json")).expect("cases/faults.json");
        let expected: Vec<String> = expected.into_iter().map(|entry| entry.fault).collect();
        let mut names: Vec<String> = Fault::value_variants().iter().map(|fault| fault.name()).collect();
        names.sort();
        assert_eq!(expected, names);
    }
}
