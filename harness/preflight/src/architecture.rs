//! The architectures that llama.cpp b11434 names: `LLM_ARCH_NAMES` of its llama-arch.cpp.

/// One a line, sorted; `uncompared` where no fixture of ours builds it.
const LIST: &str = include_str!("architectures.txt");

/// What is known of an architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Its arithmetic is equal to llama.cpp's.
    Compared,
    /// llama.cpp names it; its arithmetic was never compared.
    Uncompared,
    /// llama.cpp does not load it.
    Unknown,
}

/// What is known of the architecture `name`.
pub(crate) fn known(name: &str) -> Known {
    let line = LIST.lines().find(|line| line.split(' ').next() == Some(name));
    match line.map(|line| line.ends_with(" uncompared")) {
        None => Known::Unknown,
        Some(true) => Known::Uncompared,
        Some(false) => Known::Compared,
    }
}

/// The name that is most like `name`, where one is.
pub(crate) fn closest(name: &str) -> Option<&'static str> {
    let names = LIST.lines().filter_map(|line| line.split(' ').next());
    let likeness = names.map(|known| (strsim::jaro_winkler(known, name), known));
    likeness
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(likeness, _)| *likeness > 0.8)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fixtures' recipes cover every name, and what cases ask is what is compared.
    #[test]
    fn the_list_is_that_of_the_fixtures() {
        assert!(LIST.lines().is_sorted());
        let recipes = include_str!("../../gguf/src/fixtures/architectures.json");
        let models = include_str!("../../../cases/models.json");
        let recipes: serde_json::Value = serde_json::from_str(recipes).unwrap();
        let models: serde_json::Value = serde_json::from_str(models).unwrap();
        let cannot = |name: &serde_json::Value| {
            let entry = models.as_array().unwrap().iter().find(|model| model["name"] == *name).unwrap();
            entry.get("cannot").is_some()
        };
        for recipe in recipes["architectures"].as_array().unwrap() {
            let name = recipe["architecture"].as_str().unwrap();
            let expected = if cannot(&recipe["name"]) { Known::Uncompared } else { Known::Compared };
            assert_eq!(known(name), expected, "{name}");
        }
        assert_eq!(known("lama"), Known::Unknown);
        assert_eq!(closest("lama"), Some("llama"));
    }
}
