//! The command line that traces an item.

use wire::Stimulus;

use crate::golden::MAKER;
use crate::plan::{Item, Origin};

/// `cargo xtask trace …` for `item`, whose subject runs with `fault`; `None` where the item computes no logits.
pub fn command(item: &Item, fault: Option<&str>) -> Option<String> {
    let computes =
        matches!(item.case.stimulus, Stimulus::Generate(_) | Stimulus::Converse(_) | Stimulus::Score(_));
    let model = item.model.as_ref().filter(|_| computes)?;
    let subject = &item.target.name;
    let reference = match &item.reference {
        Some(reference) => reference.name.as_str(),
        // A golden shows no graph: its maker does, and for the maker's own sake the other CPU build.
        None if subject == MAKER => "cpu",
        None => MAKER,
    };
    let ours = match &item.target.origin {
        Origin::Carried(program) if program.contains('/') => quoted(program),
        Origin::Carried(program) => quoted(&format!("./{program}")),
        _ => subject.clone(),
    };
    let mut line = format!("cargo xtask trace {} --backend {ours} --reference {reference}", item.case.id);
    let name = if model.listed { model.name.clone() } else { model.path.display().to_string() };
    line += &format!(" --model {}", quoted(&name));
    fault.iter().for_each(|fault| line += &format!(" --fault {fault}"));
    Some(line)
}

fn quoted(word: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./:@".contains(character);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_path_with_a_space_is_one_word() {
        assert_eq!(quoted("a/b-1.gguf"), "a/b-1.gguf");
        assert_eq!(quoted("my model's.gguf"), r"'my model'\''s.gguf'");
    }
}
