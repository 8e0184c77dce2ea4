//! What docs/ says of files is what the code reads and writes.

mod cases;
mod page;
mod report;
mod schema;
