//! What the tests of the program share: a project of its own for each, and the program's answers.

mod program;
mod project;

pub(crate) use program::Answer;
pub(crate) use project::Project;
