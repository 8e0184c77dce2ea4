//! Which name somebody may have meant. It knows nothing of what the names are for.

/// How alike two names must be, from 0 to 1, before one is taken for a slip of the other.
const ALIKE: f64 = 0.8;

/// The one of `names` that is most like `name`, if any is; case, and `_` or a blank for `-`, make no difference.
pub fn closest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = plain(name);
    let likeness = names.into_iter().map(|known| (strsim::jaro_winkler(&plain(known), &name), known));
    let closest = likeness.max_by(|a, b| a.0.total_cmp(&b.0));
    closest.filter(|(likeness, _)| *likeness > ALIKE).map(|(_, known)| known)
}

/// ` (did you mean "NAME"?)`, or nothing where no name is alike.
pub fn did_you_mean<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    closest(name, names).map_or_else(String::new, |name| format!(" (did you mean \"{name}\"?)"))
}

fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name_and_nonsense_none() {
        let names = ["address-space", "context-full", "eog/stops"];
        for (name, expected) in [
            ("ADDRESS_SPACE", Some("address-space")),
            ("adress space", Some("address-space")),
            ("eog/stop", Some("eog/stops")),
            ("zzz", None),
        ] {
            assert_eq!(closest(name, names), expected, "{name}");
        }
        assert_eq!(did_you_mean("eog/stop", names), " (did you mean \"eog/stops\"?)");
        assert_eq!(did_you_mean("zzz", names), "");
    }
}
