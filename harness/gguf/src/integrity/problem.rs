//! What can be wrong with a model file: stable words for it.

use std::fmt;
use std::path::PathBuf;

use serde::{Serialize, Serializer};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing; nothing has to be done.
    Note,
    /// Probably wrong; somebody should look.
    Warning,
    /// The file cannot be right.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $severity:ident;)*) => {
        /// Kinds of [`Problem`]. Their names are stable, and stand in docs/verify.md.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ProblemCode { $($(#[$doc])* $variant,)* }

        impl ProblemCode {
            /// All of them, sorted.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in reports.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How bad it is, unless something says otherwise.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// The bytes are not those that were published.
    Checksum = "checksum", Error;
    /// Bytes between two tensors that belong to nothing.
    Gap = "gap", Error;
    /// The header cannot be read.
    Header = "header", Error;
    /// Infinity in a tensor.
    Infinity = "infinity", Error;
    /// A tensor's name that ggml cannot hold.
    LongName = "long-name", Error;
    /// A metadata number that is NaN or infinite.
    MetadataNotFinite = "metadata-not-finite", Error;
    /// A tensor that starts between two alignment steps.
    Misaligned = "misaligned", Error;
    /// NaN in a tensor.
    Nan = "nan", Error;
    /// Two tensors that share bytes.
    Overlap = "overlap", Error;
    /// Parts of a split model that contradict each other or their names.
    PartMismatch = "part-mismatch", Error;
    /// A part of a split model that is not there.
    PartMissing = "part-missing", Error;
    /// The parts of a split model hold other tensors than they say.
    PartTensors = "part-tensors", Error;
    /// Bytes after the last tensor.
    TrailingBytes = "trailing-bytes", Warning;
    /// The file ends too early.
    Truncated = "truncated", Error;
    /// Rows of a matrix that are zero, as those of unused tokens may be.
    ZeroRows = "zero-rows", Note;
    /// A whole matrix of zeros.
    ZeroTensor = "zero-tensor", Warning;
    /// Zeros that begin or end in the middle of a row.
    ZeroedHole = "zeroed-hole", Error;
    /// Zeros up to the end: a download that reserved its space and stopped.
    ZeroedTail = "zeroed-tail", Error;
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for ProblemCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Something that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// What it is.
    pub code: ProblemCode,
    /// How bad it is.
    pub severity: Severity,
    /// The file.
    pub file: PathBuf,
    /// The tensor, where it is one's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tensor: Option<String>,
    /// Where it begins, from the start of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
    /// What was seen, and what to do.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_stand_on_the_page() {
        let names: Vec<_> = ProblemCode::ALL.iter().map(|code| code.name()).collect();
        assert!(names.is_sorted(), "{names:?}");
        let page = include_str!("../../../../docs/verify.md");
        for code in ProblemCode::ALL {
            let row = format!("| `{code}` | {} |", code.severity());
            assert!(page.contains(&row), "docs/verify.md lacks the row {row}");
        }
    }
}
