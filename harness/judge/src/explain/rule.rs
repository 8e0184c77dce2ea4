//! Rules: what a pattern over one line cannot say.

use serde::Deserialize;

/// A comparison over the facts of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// A reply holds a thought and no answer, and ended for want of tokens.
    AnswerSpentThinking,
    /// A sequence holds more tokens than the model was trained for.
    ContextBeyondTraining,
    /// A sequence holds exactly the training context, and that is long.
    ContextIsTraining,
    /// `</s>` ends generation beside another end of sequence.
    FalseEndOfGeneration,
    /// Layers were offloaded in the iOS simulator.
    GpuInSimulator,
    /// The weights are larger than Metal's recommended working set.
    ModelBeyondWorkingSet,
    /// A family's own end of turn is not among the tokens that end generation.
    NoEndOfTurn,
    /// No layer was offloaded by a build with a GPU backend, outside the simulator.
    NoLayerOffloaded,
    /// Some layers were offloaded and some were not.
    SomeLayersOffloaded,
}

impl Rule {
    /// Every rule, in alphabetical order.
    pub const ALL: &[Self] = &[
        Self::AnswerSpentThinking,
        Self::ContextBeyondTraining,
        Self::ContextIsTraining,
        Self::FalseEndOfGeneration,
        Self::GpuInSimulator,
        Self::ModelBeyondWorkingSet,
        Self::NoEndOfTurn,
        Self::NoLayerOffloaded,
        Self::SomeLayersOffloaded,
    ];
}
