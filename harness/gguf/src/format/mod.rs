//! The file format: values, tensors, reading, writing and checking. It must never read weights to answer a
//! question about them, and never allocate more than the file's own size can justify.

mod encode;
mod gguf_file;
mod parse;
mod read_error;
mod save;
mod source;
mod tensor_info;
mod tensor_type;
mod value;
mod value_type;
mod verify;
mod write_error;
mod writer;

pub use gguf_file::GgufFile;
pub use read_error::{Fault, Place, ReadError};
pub(crate) use save::replace;
pub use tensor_info::TensorInfo;
pub use tensor_type::TensorType;
pub use value::{Array, Value};
pub use value_type::ValueType;
pub use verify::Defect;
pub use write_error::WriteError;
pub use writer::{Data, Writer};
