//! Sizes in words: memory in GiB and MiB, as llama.cpp's log has them.

/// Bytes of a GiB.
pub(crate) const GIB: u64 = 1 << 30;
/// Bytes of a MiB.
pub(crate) const MIB: u64 = 1 << 20;

/// `4.95 GiB`, `350 MiB`, `12 KiB`.
pub(crate) fn size(bytes: u64) -> String {
    let bytes_f = bytes as f64;
    match bytes {
        GIB.. => format!("{:.2} GiB", bytes_f / GIB as f64),
        MIB.. => format!("{:.0} MiB", bytes_f / MIB as f64),
        1024.. => format!("{:.0} KiB", bytes_f / 1024.0),
        _ => format!("{bytes} B"),
    }
}

/// A number with its thousands apart: `262,144`.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_numbers_in_words() {
        assert_eq!(size(5_315_022_080), "4.95 GiB");
        assert_eq!(size(350 * MIB), "350 MiB");
        assert_eq!(size(60_928), "60 KiB");
        assert_eq!(size(7), "7 B");
        assert_eq!(thousands(262_144), "262,144");
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1_000), "1,000");
    }
}
