//! Lines of a stream of any size: one is held at a time, and no more of it than is worth reading.

use std::io::{self, BufRead};

/// Bytes of a line that are read; the rest is passed over.
pub const LINE_BYTES: usize = 64 * 1024;

/// Reads line by line.
pub(super) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    /// Lines so far.
    pub(super) count: u64,
    /// Bytes so far.
    pub(super) bytes: u64,
    /// Lines of which the end was passed over.
    pub(super) cut: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, line: Vec::new(), count: 0, bytes: 0, cut: 0 }
    }

    /// The next line without its end, or `None` at the end of the stream.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        let mut length = 0_usize;
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok(if length == 0 { None } else { Some(self.ended(length)) });
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let text = &chunk[..end.unwrap_or(chunk.len())];
            let room = LINE_BYTES.saturating_sub(self.line.len());
            self.line.extend_from_slice(&text[..text.len().min(room)]);
            length += text.len();
            let used = text.len() + usize::from(end.is_some());
            self.reader.consume(used);
            self.bytes += used as u64;
            if end.is_some() {
                return Ok(Some(self.ended(length)));
            }
        }
    }

    fn ended(&mut self, length: usize) -> &[u8] {
        self.count += 1;
        self.cut += u64::from(length > LINE_BYTES);
        &self.line
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[track_caller]
    fn check(stream: &[u8], expect: &[&[u8]]) {
        for capacity in [1, 3, 8192] {
            let mut lines = Lines::new(BufReader::with_capacity(capacity, stream));
            let mut seen = Vec::new();
            while let Some(line) = lines.next().unwrap() {
                seen.push(line.to_vec());
            }
            assert_eq!(seen, expect);
            assert_eq!((lines.count, lines.bytes), (expect.len() as u64, stream.len() as u64));
        }
    }

    #[test]
    fn lines_are_the_same_however_they_arrive() {
        check(b"", &[]);
        check(b"\n", &[b""]);
        check(b"one\ntwo", &[b"one", b"two"]);
        check(b"one\r\n\n", &[b"one\r", b""]);
    }

    #[test]
    fn a_line_without_end_does_not_fill_the_memory() {
        let stream = [vec![b'x'; 3 * LINE_BYTES], b"\nnext".to_vec()].concat();
        let mut lines = Lines::new(stream.as_slice());
        assert_eq!(lines.next().unwrap().unwrap().len(), LINE_BYTES);
        assert_eq!(lines.next().unwrap().unwrap(), b"next");
        assert_eq!((lines.cut, lines.count), (1, 2));
    }
}
