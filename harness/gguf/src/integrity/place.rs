//! Where tensors lie in the file, and what a run of zeros means there.

use super::findings::Findings;
use super::problem::ProblemCode;
use super::zeros::Run;
use crate::{GgufFile, TensorInfo};

/// A run may begin or end so many bytes beside a row's edge: the neighbour's own weights may be zero.
const SLACK: u64 = 64;

/// A tensor whose bytes no other has, all from the start of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) tensor: &'a TensorInfo,
    pub(super) start: u64,
    pub(super) end: u64,
}

impl<'a> Placed<'a> {
    /// The tensors of `file` in the order of their bytes, without those that begin inside another or beyond the end.
    pub(super) fn all(file: &'a GgufFile) -> Vec<Self> {
        let mut placed: Vec<Self> = file
            .tensors()
            .iter()
            .map(|tensor| Self {
                tensor,
                start: file.data_start().saturating_add(tensor.offset),
                end: file.data_start().saturating_add(tensor.end()).min(file.file_bytes()),
            })
            .filter(|one| one.start < one.end)
            .collect();
        placed.sort_by_key(|one| (one.start, one.end));
        let mut position = 0;
        placed.retain(|one| {
            let free = one.start >= position;
            if free {
                position = one.end;
            }
            free
        });
        placed
    }

    /// Whether it has more than one row: vectors of zeros are common.
    fn is_matrix(&self) -> bool {
        self.tensor.dims.iter().skip(1).any(|&dim| dim > 1)
    }

    fn row_bytes(&self) -> u64 {
        let kind = self.tensor.kind;
        let row = self.tensor.dims.first().copied().unwrap_or(1);
        (row / kind.block_elements() * kind.block_bytes()).max(1)
    }

    /// What of it `run` takes.
    fn taken(&self, run: Run) -> Taken {
        let (start, end) = (run.start.max(self.start), run.end.min(self.end));
        if (start, end) == (self.start, self.end) {
            return Taken::Whole;
        }
        let (into, row) = ((start - self.start) % self.row_bytes(), self.row_bytes());
        let starts_apart = into != 0 && row - into > SLACK;
        let ends_apart = end != self.end && (end - self.start) % row > SLACK;
        if starts_apart || ends_apart { Taken::Amid } else { Taken::Rows }
    }
}

/// How much of a matrix is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Taken {
    Rows,
    Whole,
    Amid,
}

/// Says of each run what it means. `data_end` is where the last tensor ends, or the file.
pub(super) fn judge(runs: &[Run], placed: &[Placed<'_>], data_end: u64, findings: &mut Findings<'_>) {
    let mut rows: Option<(&str, u64, u64)> = None;
    for &run in runs {
        let first = placed.partition_point(|one| one.end <= run.start);
        let hit: Vec<_> = placed[first..]
            .iter()
            .take_while(|one| one.start < run.end)
            .filter(|one| one.is_matrix())
            .map(|one| (one, one.taken(run)))
            .collect();
        let Some((worst, taken)) = hit.iter().copied().max_by_key(|(_, taken)| *taken) else { continue };
        let (name, bytes) = (worst.tensor.name.as_str(), run.end - run.start);
        let (tail, tensors) = (run.end >= data_end, hit.len());
        if taken == Taken::Rows {
            rows = match rows {
                Some((known, at, total)) if known == name => Some((known, at, total + bytes)),
                other => {
                    tell_rows(other, findings);
                    Some((name, run.start, bytes))
                }
            };
            continue;
        }
        let (code, message) = match taken {
            Taken::Whole | Taken::Amid if tail => (ProblemCode::ZeroedTail, tail_message(bytes, hit[0].0)),
            Taken::Amid => (ProblemCode::ZeroedHole, hole_message(bytes, worst)),
            _ => (ProblemCode::ZeroTensor, whole_message(bytes, worst, tensors)),
        };
        let name = if tail { hit[0].0.tensor.name.as_str() } else { name };
        findings.add(code, Some(name), Some(run.start), message);
    }
    tell_rows(rows, findings);
}

fn tell_rows(rows: Option<(&str, u64, u64)>, findings: &mut Findings<'_>) {
    if let Some((name, at, bytes)) = rows {
        let message = format!(
            "{bytes} bytes of tensor \"{name}\" are whole rows of zeros, the first at byte {at}: usual for tokens that \
             no text has; compare the checksum if in doubt"
        );
        findings.add(ProblemCode::ZeroRows, Some(name), Some(at), message);
    }
}

fn tail_message(bytes: u64, first: &Placed<'_>) -> String {
    format!(
        "the last {bytes} bytes are zeros, beginning in tensor \"{}\": space was reserved and never written; fetch the \
         file again",
        first.tensor.name
    )
}

fn hole_message(bytes: u64, worst: &Placed<'_>) -> String {
    format!(
        "{bytes} bytes are zeros that begin or end in the middle of a row of tensor \"{}\": a piece was never written; \
         fetch the file again",
        worst.tensor.name
    )
}

fn whole_message(bytes: u64, worst: &Placed<'_>, tensors: usize) -> String {
    let others = if tensors > 1 { format!(" and {} more", tensors - 1) } else { String::new() };
    format!(
        "tensor \"{}\"{others} is nothing but zeros, {bytes} bytes: the layer adds nothing; convert the model again, or \
         compare the checksum",
        worst.tensor.name
    )
}
