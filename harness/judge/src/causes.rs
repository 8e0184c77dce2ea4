//! An error and its causes in words. Nothing else belongs here.

use std::error::Error;

/// What `error` says and what is behind it, in one line. A cause that is told already is not told again.
pub fn in_one_line(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    enum Failed {
        #[error("cannot read it: {source}; look at its permissions")]
        Telling { source: io::Error },
        #[error("cannot read it")]
        Silent { source: io::Error },
    }

    #[test]
    fn every_cause_is_told_once() {
        let source = || io::Error::other("disk on fire");
        let telling = Failed::Telling { source: source() };
        assert_eq!(in_one_line(&telling), "cannot read it: disk on fire; look at its permissions");
        assert_eq!(in_one_line(&Failed::Silent { source: source() }), "cannot read it: disk on fire");
    }
}
