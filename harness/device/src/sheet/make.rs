//! A plan becomes a sheet.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use judge::models::Model;
use judge::plan::{Item, Plan, needed};
use judge::session::Session;
use sha2::{Digest as _, Sha256};
use wire::{Capability, ModelSpec};

use super::sheet::{Question, SHEET_VERSION, Sheet, SheetError, SheetModel, file_of, hex, id_of};

/// What a sheet is made of.
pub struct ToAsk<'a> {
    /// What the subject is called.
    pub subject: &'a str,
    /// A plan in which it is one of the subjects.
    pub plan: &'a Plan,
    /// Knows the tokens that answers have to follow.
    pub session: &'a Session,
    /// The models that are asked.
    pub models: &'a [Arc<Model>],
    /// Whether cases that need no model are asked too.
    pub without_model: bool,
}

impl ToAsk<'_> {
    /// The sheet. Model files are read, for their hashes.
    ///
    /// # Errors
    /// When a model's file cannot be read.
    pub fn sheet(&self) -> Result<Sheet, SheetError> {
        let items: Vec<&Item> =
            self.plan.items.iter().filter(|item| item.target.name == self.subject).collect();
        let mut files = BTreeMap::new();
        for item in &items {
            for model in item.model.iter().chain(&item.adapter) {
                files.entry(model.name.clone()).or_insert_with(|| model.clone());
            }
        }
        let models = files.values().map(|model| self.model(model)).collect::<Result<_, _>>()?;
        let questions: Vec<Question> = (1..).zip(items).map(|(id, item)| self.question(id, item)).collect();
        Ok(Sheet {
            version: SHEET_VERSION,
            id: id_of(&questions),
            subject: self.subject.to_owned(),
            models,
            without_model: self.without_model,
            complete: self.plan.complete,
            questions,
        })
    }

    fn question(&self, id: u64, item: &Item) -> Question {
        let mut request = self.session.question(item);
        request.id = id;
        for spec in request.model.iter_mut().chain(&mut request.adapter) {
            *spec = ModelSpec { path: model_file(Path::new(&spec.path)), name: spec.name.clone() };
        }
        let key = item.to_string();
        let mut needs: Vec<Capability> = needed(&item.case);
        needs.sort_unstable();
        needs.dedup();
        Question { file: file_of(&key), key, case: item.case.id.clone(), needs, request }
    }

    fn model(&self, model: &Arc<Model>) -> Result<SheetModel, SheetError> {
        let (bytes, sha256) = measure(&model.path).map_err(|source| SheetError::Read {
            file: model.path.clone(),
            source,
            cure: "`cargo xtask fixtures` writes the fixtures, `cargo xtask models fetch NAME` fetches a model",
        })?;
        let asked = self.models.iter().any(|asked| asked.name == model.name);
        Ok(SheetModel {
            file: model_file(&model.path),
            bytes,
            sha256,
            model: asked.then(|| (**model).clone()),
        })
    }
}

/// The name of a model's file on the phone.
fn model_file(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Length and SHA-256.
fn measure(path: &Path) -> io::Result<(u64, String)> {
    let (mut file, mut hash, mut buffer, mut bytes) = (File::open(path)?, Sha256::new(), vec![0; 1 << 20], 0);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((bytes, hex(&hash.finalize()))),
            count => {
                hash.update(&buffer[..count]);
                bytes += count as u64;
            }
        }
    }
}
