//! Questions that go to a phone, and answers that come back.
//!
//! The sheet is one JSON file, `sheet.json`; every answer is one JSON file of the name that the sheet gives it. A
//! marker, `<file>.started`, tells of a question that was begun: without an answer beside it the app died there.

mod answer;
mod collect;
mod make;
mod record;
#[expect(clippy::module_inception, reason = "the room and its central type share the field's word")]
mod sheet;

pub use answer::Answer;
pub use collect::{Asked, Collected, collect};
pub use make::ToAsk;
pub use record::record;
pub use sheet::{Question, SHEET_VERSION, Sheet, SheetError, SheetModel};
