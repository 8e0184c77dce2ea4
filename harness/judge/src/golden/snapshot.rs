//! What is kept of an observation.

use serde::{Deserialize, Serialize};
use wire::{Card, Observation, Turn};

use super::format::to_text;

/// A kept observation and who made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// Which llama.cpp it was seen on.
    pub made_by: String,
    /// What was seen, less what differs from run to run.
    pub observation: Observation,
}

impl Golden {
    /// Keeps what is the same in every sound run: prompt, tokens, numbers, stop, text.
    pub fn of(card: &Card, observation: &Observation) -> Self {
        let mut kept = Observation::ended(observation.ending.clone());
        kept.turns = observation.turns.iter().map(kept_turn).collect();
        Self { made_by: format!("{} on {} ({})", card.bindings, card.backend, card.arch), observation: kept }
    }

    /// The tokens that were generated, turn after turn: what other subjects are forced to follow.
    pub fn generated(&self) -> Vec<i32> {
        self.observation.turns.iter().flat_map(|turn| &turn.generated).map(|token| token.id).collect()
    }

    /// As the text of a snapshot: JSON, laid out to be read and compared line by line.
    pub fn to_text(&self) -> String {
        // By way of text: a `Value` made directly would show each f32 with the digits of an f64.
        let text = serde_json::to_string(self).expect("a golden is plain data");
        to_text(&serde_json::from_str(&text).expect("what was just written is JSON"))
    }
}

fn kept_turn(turn: &Turn) -> Turn {
    Turn { decode_calls: Vec::new(), chunks: Vec::new(), chosen: Vec::new(), memory: None, ..turn.clone() }
}
