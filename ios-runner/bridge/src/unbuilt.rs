//! A library that was built without llama.cpp: it opens, and says so.

use crate::options::Options;
use crate::subject::Make;

/// Makes nothing, and says how to get a library that does.
pub(crate) fn maker(options: &Options) -> Make {
    let backend = options.backend.clone();
    Box::new(move || {
        Err(format!(
            "this library was built without llama.cpp, so nobody can stand for {backend}; build it with --features llama"
        ))
    })
}
