//! Reads the corpus.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::exit::{Exit, OrExit as _};

/// What stands between two texts of a file of inputs.
const BETWEEN: &str = "\n__ggml_vocab_test__\n";

/// Templates and vocabularies, each list sorted by name.
#[derive(Clone, Debug)]
pub(crate) struct Corpus {
    /// Names, and Jinja texts.
    pub(crate) templates: Vec<(String, String)>,
    /// Vocabularies that come with token vectors.
    pub(crate) vocabularies: Vec<Vocabulary>,
}

/// A vocabulary with what its own implementation makes of some texts.
#[derive(Clone, Debug)]
pub(crate) struct Vocabulary {
    /// Its name.
    pub(crate) name: String,
    /// The GGUF file, which has no tensors.
    pub(crate) path: PathBuf,
    /// Texts and their tokens.
    pub(crate) vectors: Vec<(String, Vec<i32>)>,
}

impl Corpus {
    /// Reads what fetching has left in `folder`, of which the names have `only` in them.
    ///
    /// # Errors
    /// When it is not there, or not as it should be.
    pub(crate) fn read(folder: &Path, only: Option<&str>) -> Result<Self> {
        if !folder.is_dir() {
            return Err(Exit::Input.error("the corpus is not here yet; run `cargo xtask corpus fetch`"));
        }
        let wanted = |name: &str| only.is_none_or(|only| name.contains(only));
        let mut corpus = Self { templates: Vec::new(), vocabularies: Vec::new() };
        for path in files(&folder.join("templates"))? {
            let name = stem(&path);
            if path.extension().is_some_and(|end| end == "jinja") && wanted(&name) {
                corpus.templates.push((name, text(&path)?));
            }
        }
        for path in files(folder)? {
            let name = stem(&path).trim_start_matches("ggml-vocab-").to_owned();
            let inputs = beside(&path, "inp");
            if path.extension().is_some_and(|end| end == "gguf") && inputs.is_file() && wanted(&name) {
                let vectors = vectors(&text(&inputs)?, &text(&beside(&path, "out"))?)
                    .with_context(|| format!("{} and its .out", inputs.display()))
                    .or_exit(Exit::Input)?;
                corpus.vocabularies.push(Vocabulary { name, path, vectors });
            }
        }
        if corpus.templates.is_empty() && corpus.vocabularies.is_empty() {
            let what = only.map_or_else(|| folder.display().to_string(), |only| format!("called *{only}*"));
            return Err(Exit::Usage.error(format!("no template and no vocabulary {what}")));
        }
        Ok(corpus)
    }
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{}: cannot be read", folder.display()));
    let mut files: Vec<PathBuf> = entries.or_exit(Exit::Input)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    Ok(files)
}

fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path)
        .with_context(|| format!("{}: cannot be read", path.display()))
        .or_exit(Exit::Input)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// `x.gguf` to `x.gguf.end`.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{end}"));
    name.into()
}

/// The texts, each with its line of ids.
fn vectors(inputs: &str, outputs: &str) -> Result<Vec<(String, Vec<i32>)>> {
    let texts: Vec<&str> = inputs.strip_suffix(BETWEEN).unwrap_or(inputs).split(BETWEEN).collect();
    let lines: Vec<&str> = outputs.lines().collect();
    anyhow::ensure!(texts.len() == lines.len(), "{} texts, and {} lines of tokens", texts.len(), lines.len());
    let ids = |line: &str| line.split_whitespace().map(|id| Ok(id.parse()?)).collect::<Result<Vec<i32>>>();
    texts.into_iter().zip(lines).map(|(text, line)| Ok((text.to_owned(), ids(line)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_ids_go_together() {
        let read = vectors("a\n__ggml_vocab_test__\n\n\n__ggml_vocab_test__\n", " 1 22\n\n").unwrap();
        assert_eq!(read, [("a".to_owned(), vec![1, 22]), ("\n".to_owned(), vec![])]);
        assert!(vectors("a", "1\n2\n").unwrap_err().to_string().contains("1 texts, and 2 lines"));
        assert!(vectors("a", "x\n").is_err());
    }

    #[test]
    fn a_folder_is_read_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put("templates/b.jinja", "B");
        put("templates/a.jinja", "A");
        put("templates/README.md", "");
        put("ggml-vocab-x.gguf", "");
        put("ggml-vocab-x.gguf.inp", "hi");
        put("ggml-vocab-x.gguf.out", " 7\n");
        put("ggml-vocab-bare.gguf", "");
        let corpus = Corpus::read(folder.path(), None).unwrap();
        assert_eq!(corpus.templates, [("a".into(), "A".into()), ("b".into(), "B".into())]);
        assert_eq!(corpus.vocabularies.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["x"]);
        assert_eq!(Exit::of(&Corpus::read(folder.path(), Some("z")).unwrap_err()), Exit::Usage);
        let error = Corpus::read(&folder.path().join("no"), None).unwrap_err();
        assert!(error.to_string().ends_with("run `cargo xtask corpus fetch`"));
    }
}
