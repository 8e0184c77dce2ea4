//! Completions of commands and flags, as scripts for shells.
//!
//! clap_complete writes them for a program called `xtask`. Since people type `cargo xtask`, a few lines more hand the
//! rest of the line over, and leave cargo's own completions as they are.

use clap::CommandFactory as _;
use clap_complete::{Shell, generate};

use crate::flags::{Flags, ShellName};

/// Cargo's own completions may come later, by bash-completion, unless they are fetched now.
const BASH: &str = r#"
_cargo_xtask() {
    if [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} == xtask ]]; then
        local words=("${COMP_WORDS[@]:1}") last=$((COMP_CWORD - 1))
        local COMP_WORDS=("${words[@]}") COMP_CWORD=$last
        _xtask xtask "$2" "$3"
    elif [[ -n ${_cargo_without_xtask:-} ]]; then
        "$_cargo_without_xtask" "$@"
    fi
}
if ! complete -p cargo &> /dev/null; then
    if declare -F _comp_load > /dev/null; then
        _comp_load cargo &> /dev/null
    elif declare -F _completion_loader > /dev/null; then
        _completion_loader cargo &> /dev/null
    fi
fi
if [[ $(complete -p cargo 2> /dev/null) =~ \ -F\ ([^ ]+)\  && ${BASH_REMATCH[1]} != _cargo_xtask ]]; then
    _cargo_without_xtask=${BASH_REMATCH[1]}
fi
complete -F _cargo_xtask -o bashdefault -o default cargo
"#;

const FISH: &str = r#"
function __fish_cargo_xtask
    set -l words (commandline -opc) (commandline -ct)
    complete -C (string join ' ' -- $words[2..-1])
end
complete -c cargo -n '__fish_seen_subcommand_from xtask' -f -a '(__fish_cargo_xtask)'
"#;

/// The script for `shell`.
pub(crate) fn script(shell: ShellName) -> String {
    // Cargo's completions for zsh call `_cargo-NAME` for a command that they do not know.
    let (generator, name, more) = match shell {
        ShellName::Bash => (Shell::Bash, "xtask", BASH),
        ShellName::Fish => (Shell::Fish, "xtask", FISH),
        ShellName::Zsh => (Shell::Zsh, "cargo-xtask", ""),
    };
    let mut script = Vec::new();
    generate(generator, &mut Flags::command().bin_name(name), name, &mut script);
    String::from_utf8_lossy(&script).into_owned() + more
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Output};

    use super::*;

    /// What bash says to `script`: from a file, since the script is longer than one argument may be.
    fn bash(script: &str) -> Output {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), script).unwrap();
        Command::new("bash").arg("--norc").arg(file.path()).output().unwrap()
    }

    /// What bash offers where the words before the cursor are `words`.
    fn offered(words: &[&str]) -> Vec<String> {
        let last = words.last().unwrap();
        let ask = format!(
            "{}\nCOMP_WORDS=({}) COMP_CWORD={}\n_cargo_xtask cargo '{last}' xtask\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
            script(ShellName::Bash),
            words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
            words.len() - 1
        );
        let answer = bash(&ask);
        assert!(answer.status.success(), "{answer:?}");
        String::from_utf8(answer.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn bash_completes_behind_cargo() {
        assert_eq!(offered(&["cargo", "xtask", "doc"]), ["doctor"]);
        assert_eq!(offered(&["cargo", "xtask", "test", "--partit"]), ["--partition"]);
        assert_eq!(offered(&["cargo", "xtask", "report", "me"]), ["merge"]);
    }

    #[test]
    fn bash_leaves_cargos_own_completions_alone() {
        let ask = format!(
            "_old() {{ COMPREPLY=(old \"$1\"); }}\ncomplete -F _old cargo\n{}\n{}\nCOMP_WORDS=(cargo bu) COMP_CWORD=1\n\
             _cargo_xtask cargo bu cargo\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
            // Twice, as somebody may.
            script(ShellName::Bash),
            script(ShellName::Bash)
        );
        let answer = bash(&ask);
        assert_eq!(String::from_utf8_lossy(&answer.stdout), "old\ncargo\n", "{answer:?}");
    }

    #[test]
    fn each_script_is_for_what_people_type() {
        assert!(script(ShellName::Zsh).starts_with("#compdef cargo-xtask\n"));
        assert!(script(ShellName::Fish).contains("complete -c cargo"));
    }
}
