//! Everything but llama.cpp: cases, plan, subjects, checks, goldens, triage, verdicts, reports.
//!
//! Data flows one way: cases → plan → request → subject → observation → check → triage → verdict → report.
//! Only [`subject`] spawns, only [`golden`] writes goldens, only [`report`] formats, only [`plan`] skips.
//! This crate must never link llama.cpp.
#![forbid(unsafe_code)]

pub mod built;
pub mod calibrate;
pub mod case;
pub mod causes;
pub mod check;
pub mod closest;
pub mod evidence;
pub mod explain;
pub mod faults;
pub mod finding;
mod globs;
pub mod golden;
pub mod input;
pub mod known;
pub mod models;
pub mod numbers;
pub mod plan;
pub mod report;
pub mod review;
pub mod session;
pub mod setup;
pub mod subject;
pub mod trace;
pub mod triage;
pub mod verdict;
pub mod whole;
