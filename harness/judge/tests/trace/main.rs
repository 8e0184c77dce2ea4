//! The trace on graphs made by hand: the walk alone, then all questions to two subjects that are not there.

mod graphs;
mod questions;
mod steps;
