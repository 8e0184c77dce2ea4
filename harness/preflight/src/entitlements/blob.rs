//! The entitlements in a program's code signature.
//!
//! A signature holds them as a blob of its own: a magic number, its length, and an XML property list, whatever the
//! processor. That is all that is looked for; the rest of the program is not read as anything.

/// `CSMAGIC_EMBEDDED_ENTITLEMENTS` of Apple's `cs_blobs.h`, big-endian.
const MAGIC: [u8; 4] = [0xfa, 0xde, 0x71, 0x71];
/// Magic number and length.
const HEADER: usize = 8;
/// Most bytes that entitlements take.
const MOST: usize = 1 << 20;

/// The property list in the first such blob of `program`.
pub(super) fn entitlements(program: &[u8]) -> Option<&[u8]> {
    let starts = program.windows(MAGIC.len()).enumerate().filter(|(_, window)| *window == MAGIC);
    starts.map(|(start, _)| start).find_map(|start| {
        let length: [u8; 4] = program.get(start + 4..start + HEADER)?.try_into().ok()?;
        let length = u32::from_be_bytes(length) as usize;
        let blob = program.get(start + HEADER..start.checked_add(length.min(MOST))?)?;
        // Apple's tools begin with the XML's first line, others without it.
        (blob.starts_with(b"<?xml") || blob.starts_with(b"<!DOCTYPE") || blob.starts_with(b"<plist"))
            .then_some(blob)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blob_is_found_and_nothing_else_taken_for_one() {
        let plist = b"<?xml version=\"1.0\"?><plist/>";
        let mut program = vec![0xfa, 0xde, 0x71, 0x71, 0xff, 0xff, 0xff, 0xff, 1, 2];
        assert_eq!(entitlements(&program), None);
        program.extend(MAGIC);
        program.extend(u32::try_from(plist.len() + HEADER).unwrap().to_be_bytes());
        program.extend(plist);
        program.extend([0, 0, 0]);
        assert_eq!(entitlements(&program), Some(&plist[..]));
        assert_eq!(entitlements(&program[..program.len() - 10]), None);
        assert_eq!(entitlements(b""), None);
    }
}
