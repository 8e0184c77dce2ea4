//! The programs that builds need: which, whether they are there, and how they get there.
//!
//! Needs are data. Without `--setup` this room only looks and names what is missing, with the line that installs
//! it; with it, it runs exactly these lines.

mod ensure;
mod find;
mod libclang;
mod manager;
mod need;
mod swift;
mod tool;
mod transformers;
mod vulkan;

pub(crate) use ensure::{Mode, ensure};
pub(crate) use find::{find, other_rustc};
pub(crate) use manager::cure;
pub(crate) use need::Need;
pub(crate) use swift::Swift;
pub(crate) use tool::{Tool, with_tools};
pub(crate) use transformers::folder as transformers_folder;
pub(crate) use vulkan::headers as vulkan_headers;
