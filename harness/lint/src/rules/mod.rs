//! The rules, one subject a file. Each adds what it finds.

mod bos;
mod control;
mod ends;
mod run;
mod template;
mod thinking;

pub use run::lint;
