//! One part of a plan, for one of several machines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Item;

/// The part `index` of `count`.
///
/// Which part a question belongs to is a hash of its model and case, so it stays there whatever is added or taken out
/// elsewhere. All subjects' answers to it are in one part, and so are a case and its variants: what is compared with each
/// other is asked once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Partition {
    index: u32,
    count: u32,
}

/// What is no partition.
#[derive(Debug, thiserror::Error)]
#[error("\"{text}\" is no partition: {problem}; write K/N, such as 1/3 for the first of three parts")]
pub struct PartitionError {
    text: String,
    problem: String,
}

impl FromStr for Partition {
    type Err = PartitionError;

    fn from_str(text: &str) -> Result<Self, PartitionError> {
        let error = |problem: String| PartitionError { text: text.to_owned(), problem };
        let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        let Some((index, count)) = numbers else {
            return Err(error("it is not two numbers with a slash between".into()));
        };
        match (index, count) {
            (_, 0) => Err(error("there are no 0 parts".into())),
            (0, _) => Err(error("parts count from 1".into())),
            _ if index > count => Err(error(format!("there is no part {index} of {count}"))),
            _ => Ok(Self { index, count }),
        }
    }
}

impl TryFrom<String> for Partition {
    type Error = PartitionError;

    fn try_from(text: String) -> Result<Self, PartitionError> {
        text.parse()
    }
}

impl From<Partition> for String {
    fn from(partition: Partition) -> Self {
        partition.to_string()
    }
}

impl Partition {
    /// Whether `item` belongs to this part.
    pub fn holds(self, item: &Item) -> bool {
        let model = item.golden_model().map_or("-", |model| &model.name);
        let digest = Sha256::digest(format!("{model}/{}", item.case.golden_id()));
        let hash = digest[..8].iter().fold(0_u64, |hash, byte| hash << 8 | u64::from(*byte));
        hash % u64::from(self.count) == u64::from(self.index - 1)
    }
}

impl fmt::Display for Partition {
    /// As it is written on the command line: `1/3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_part_is_refused() {
        let problem = |text: &str| text.parse::<Partition>().unwrap_err().to_string();
        for (text, expected) in [
            ("3", "it is not two numbers with a slash between"),
            ("1/", "it is not two numbers with a slash between"),
            ("-1/3", "it is not two numbers with a slash between"),
            ("0/3", "parts count from 1"),
            ("1/0", "there are no 0 parts"),
            ("4/3", "there is no part 4 of 3"),
        ] {
            let whole = format!(
                "\"{text}\" is no partition: {expected}; write K/N, such as 1/3 for the first of three parts"
            );
            assert_eq!(problem(text), whole);
        }
        assert_eq!("2/3".parse::<Partition>().unwrap().to_string(), "2/3");
    }
}
