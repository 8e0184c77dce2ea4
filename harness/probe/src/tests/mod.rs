//! The wrapper and the residence of models, on a scripted engine.

#![expect(clippy::needless_pass_by_value, reason = "requests are written where they are asked")]

mod converse;
mod desk;
mod fault;
mod generate;
mod prompt;
mod residence;
mod score;
mod serve;
mod sizes;
