//! From a log to a cure: the known lines, whole logs, and any bytes at all.

mod bytes;
mod codes;
mod lines;
mod logs;
