//! The file format: values, tensors, reading, writing and checking. It must never read weights to answer a
//! question about them, and never allocate more than the file's own size can justify.

mod encode;
mod save;
mod tensor_type;
mod value;
mod value_type;
mod write_error;
mod writer;

pub(crate) use save::replace;
pub use tensor_type::TensorType;
pub use value::{Array, Value};
pub use value_type::ValueType;
pub use write_error::WriteError;
pub use writer::{Data, Writer};
