//! Globs over case ids.

use globset::{Glob, GlobSet, GlobSetBuilder};

/// Which cases to ask: all, or those that a glob matches.
#[derive(Clone, Debug)]
pub struct Filter {
    globs: Option<GlobSet>,
}

/// A filter that is no glob.
#[derive(Debug, thiserror::Error)]
#[error("\"{glob}\" is no filter: {problem}; write a glob such as 'template/*' or '*bos*'")]
pub struct FilterError {
    glob: String,
    problem: String,
}

impl Filter {
    /// A filter that lets through what any of `globs` matches; all, where there are none.
    ///
    /// # Errors
    /// At the first that is no glob.
    pub fn new(globs: &[String]) -> Result<Self, FilterError> {
        if globs.is_empty() {
            return Ok(Self { globs: None });
        }
        let mut builder = GlobSetBuilder::new();
        for glob in globs {
            let error =
                |error: globset::Error| FilterError { glob: glob.clone(), problem: error.kind().to_string() };
            builder.add(Glob::new(glob).map_err(error)?);
        }
        let error = |error: globset::Error| FilterError { glob: globs.join(" "), problem: error.to_string() };
        Ok(Self { globs: Some(builder.build().map_err(error)?) })
    }

    /// Whether nothing is filtered out.
    pub fn is_all(&self) -> bool {
        self.globs.is_none()
    }

    /// Whether `case` is asked.
    pub fn lets_through(&self, case: &str) -> bool {
        self.globs.as_ref().is_none_or(|globs| globs.is_match(case))
    }
}
