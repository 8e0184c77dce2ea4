//! A list of problems that a hostile file cannot make endless.

use std::path::Path;

use super::{Problem, ProblemCode};

/// Most problems that are kept for one file.
pub(super) const MOST: usize = 1_000;

/// The problems of one file.
#[derive(Debug)]
pub(super) struct Findings<'a> {
    file: &'a Path,
    kept: Vec<Problem>,
    left_out: u64,
}

impl<'a> Findings<'a> {
    pub(super) const fn new(file: &'a Path) -> Self {
        Self { file, kept: Vec::new(), left_out: 0 }
    }

    /// Adds a problem, of the tensor `tensor` and at `byte` where these are known.
    pub(super) fn add(
        &mut self,
        code: ProblemCode,
        tensor: Option<&str>,
        byte: Option<u64>,
        message: impl Into<String>,
    ) {
        if self.kept.len() == MOST {
            self.left_out += 1;
            return;
        }
        self.kept.push(Problem {
            code,
            severity: code.severity(),
            file: self.file.to_owned(),
            tensor: tensor.map(str::to_owned),
            byte,
            message: message.into(),
        });
    }

    /// The problems, the worst first, and how many more there are.
    pub(super) fn finish(mut self) -> (Vec<Problem>, u64) {
        self.kept.sort_by_key(|problem| (std::cmp::Reverse(problem.severity), problem.byte));
        (self.kept, self.left_out)
    }
}
