//! Bytes to text, a piece at a time.

/// Puts the bytes of tokens together to whole characters.
///
/// Over any split of any bytes, the text of all [`push`](Self::push) calls and of [`finish`](Self::finish) joined
/// is what [`String::from_utf8_lossy`] makes of all the bytes.
#[derive(Debug, Default)]
pub(crate) struct Utf8Assembler {
    held: Vec<u8>,
}

impl Utf8Assembler {
    /// Takes bytes, and appends to `text` what has become certain.
    pub(crate) fn push(&mut self, bytes: &[u8], text: &mut String) {
        self.held.extend_from_slice(bytes);
        let mut done = 0;
        loop {
            let rest = &self.held[done..];
            let error = match std::str::from_utf8(rest) {
                Ok(valid) => {
                    text.push_str(valid);
                    done = self.held.len();
                    break;
                }
                Err(error) => error,
            };
            let (valid, _) = rest.split_at(error.valid_up_to());
            text.push_str(&String::from_utf8_lossy(valid));
            done += valid.len();
            // No length: the character is not complete yet.
            let Some(length) = error.error_len() else { break };
            text.push(char::REPLACEMENT_CHARACTER);
            done += length;
        }
        self.held.drain(..done);
    }

    /// Whether the bytes so far end inside a character.
    pub(crate) fn is_inside_character(&self) -> bool {
        !self.held.is_empty()
    }

    /// Ends: what is left of a character becomes U+FFFD.
    pub(crate) fn finish(&mut self, text: &mut String) {
        if !std::mem::take(&mut self.held).is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
}
