//! Where the graph's nodes ran.

use std::cell::RefCell;

use llama_cpp_sys_2 as sys;
use wire::Node;

use super::{tensor, text::owned};

/// Counts nodes by operator and buffer type.
#[derive(Debug, Default)]
pub(super) struct NodeCounter(RefCell<Vec<Entry>>);

#[derive(Debug)]
struct Entry {
    op: sys::ggml_op,
    buffer_type: sys::ggml_backend_buffer_type_t,
    count: u32,
}

/// A node's operator and where its result lies; `None` where it computes nothing.
///
/// # Safety
/// `node` is a node of a graph that has its buffers.
unsafe fn place(node: *mut sys::ggml_tensor) -> Option<(sys::ggml_op, sys::ggml_backend_buffer_type_t)> {
    // SAFETY: the caller says that the node lives.
    unsafe {
        let buffer_type = tensor::buffer_type(node)?;
        tensor::computes(node).then(|| ((*node).op, buffer_type))
    }
}

impl NodeCounter {
    /// Counts a node; what computes nothing is not counted.
    ///
    /// # Safety
    /// `node` is a node of a graph that has its buffers.
    pub(super) unsafe fn count(&self, node: *mut sys::ggml_tensor) {
        // SAFETY: as the caller says.
        if let Some((op, buffer_type)) = unsafe { place(node) } {
            self.add(op, buffer_type);
        }
    }

    fn add(&self, op: sys::ggml_op, buffer_type: sys::ggml_backend_buffer_type_t) {
        let Ok(mut entries) = self.0.try_borrow_mut() else { return };
        match entries.iter_mut().find(|entry| entry.op == op && entry.buffer_type == buffer_type) {
            Some(entry) => entry.count += 1,
            None => entries.push(Entry { op, buffer_type, count: 1 }),
        }
    }

    /// What was counted since the last call, by name.
    pub(super) fn take(&self) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        for entry in self.0.take() {
            // SAFETY: operator names are static; buffer types live as long as their backend's registry.
            let (op, backend) = unsafe { (owned(sys::ggml_op_name(entry.op)), backend(entry.buffer_type)) };
            match nodes.iter_mut().find(|node| node.op == op && node.backend == backend) {
                Some(node) => node.count += entry.count,
                None => nodes.push(Node { op, backend, count: entry.count }),
            }
        }
        nodes.sort_by(|a, b| (&a.op, &a.backend).cmp(&(&b.op, &b.backend)));
        nodes
    }
}

/// The backend that computes in a buffer type. A GPU's host buffers name the GPU as their device although the CPU
/// uses them, so whatever is host memory is the CPU's.
///
/// # Safety
/// `buffer_type` is a registered buffer type.
pub(super) unsafe fn backend(buffer_type: sys::ggml_backend_buffer_type_t) -> String {
    // SAFETY: the caller says that the type is registered; names live as long.
    unsafe {
        let device = sys::ggml_backend_buft_get_device(buffer_type);
        if sys::ggml_backend_buft_is_host(buffer_type) {
            "CPU".to_owned()
        } else if device.is_null() {
            owned(sys::ggml_backend_buft_name(buffer_type))
        } else {
            owned(sys::ggml_backend_dev_name(device))
        }
    }
}
