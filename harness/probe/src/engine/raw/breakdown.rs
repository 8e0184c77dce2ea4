//! What llama.cpp says that it has allocated, by buffer. Its interface for it is C++: `shims/breakdown.cpp` is
//! compiled where the llama.cpp that is built has it.

use llama_cpp_sys_2 as sys;
use wire::BufferMemory;

/// What a context and its model have allocated; empty where llama.cpp does not tell.
///
/// # Safety
/// The context lives.
#[cfg(not(llama_has_breakdown))]
pub(super) const unsafe fn breakdown(_context: *const sys::llama_context) -> Vec<BufferMemory> {
    Vec::new()
}

/// What a context and its model have allocated.
///
/// # Safety
/// The context lives.
#[cfg(llama_has_breakdown)]
pub(super) unsafe fn breakdown(context: *const sys::llama_context) -> Vec<BufferMemory> {
    let mut buffers = [Buffer { name: [0; 64], model: 0, context: 0, compute: 0 }; MOST];
    // SAFETY: the context lives, and there is room for as many buffers as it says.
    let count = unsafe { conformance_memory_breakdown(context, buffers.as_mut_ptr(), MOST) };
    buffers.iter().take(count).map(Buffer::memory).collect()
}

/// Most kinds of buffers: each device has one or two.
#[cfg(llama_has_breakdown)]
const MOST: usize = 64;

/// `conformance_buffer`.
#[cfg(llama_has_breakdown)]
#[repr(C)]
#[derive(Clone, Copy)]
struct Buffer {
    name: [u8; 64],
    model: usize,
    context: usize,
    compute: usize,
}

#[cfg(llama_has_breakdown)]
impl Buffer {
    fn memory(&self) -> BufferMemory {
        let end = self.name.iter().position(|byte| *byte == 0).unwrap_or(self.name.len());
        BufferMemory {
            buffer: String::from_utf8_lossy(&self.name[..end]).into_owned(),
            model: self.model as u64,
            context: self.context as u64,
            compute: self.compute as u64,
        }
    }
}

#[cfg(llama_has_breakdown)]
unsafe extern "C" {
    fn conformance_memory_breakdown(
        context: *const sys::llama_context,
        out: *mut Buffer,
        most: usize,
    ) -> usize;
}
