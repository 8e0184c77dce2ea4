//! The evaluation callback: what ggml lets us see while it computes.

use std::{
    cell::{Cell, RefCell},
    ffi::c_void,
};

use llama_cpp_sys_2 as sys;
use wire::{Graph, Node, Watch};

use super::{nodes::NodeCounter, watcher::Watcher};

/// Sees every node of a context's graphs.
#[derive(Debug, Default)]
pub(super) struct Observer {
    counter: NodeCounter,
    watch: RefCell<Option<Watch>>,
    /// Calls of `llama_decode` since somebody said what to watch.
    calls: Cell<u32>,
    /// Looks at the current call, where that is the one to watch.
    watcher: RefCell<Option<Watcher>>,
    graph: RefCell<Option<Graph>>,
}

impl Observer {
    /// Counts calls from 0 again, and looks at the one that `watch` names.
    pub(super) fn watch(&self, watch: Option<Watch>) {
        self.watch.replace(watch);
        self.calls.set(0);
        self.watcher.replace(None);
        self.graph.replace(None);
    }

    /// `llama_decode` is about to be called.
    pub(super) fn begin_call(&self) {
        let call = self.calls.replace(self.calls.get() + 1);
        let watch = self.watch.borrow();
        let watched = watch.as_ref().filter(|watch| watch.call == call);
        let ended = self.watcher.replace(watched.map(|watch| Watcher::new(&watch.data)));
        self.keep(ended);
    }

    /// What the watched call computed.
    pub(super) fn take_graph(&self) -> Option<Graph> {
        self.keep(self.watcher.take());
        self.graph.take()
    }

    /// What was counted since the last call.
    pub(super) fn take_nodes(&self) -> Vec<Node> {
        self.counter.take()
    }

    fn keep(&self, watcher: Option<Watcher>) {
        if let Some(watcher) = watcher {
            self.graph.replace(Some(watcher.finish()));
        }
    }
}

/// The evaluation callback. ggml asks before a node whether anybody wants to see its data, and shows it after. A node
/// whose data is asked for is computed alone, without fusion, and that can hide a bug: so the answer is no, but in the
/// call that a request watches.
pub(super) unsafe extern "C" fn see(node: *mut sys::ggml_tensor, ask: bool, observer: *mut c_void) -> bool {
    // SAFETY: the pointer was made from an observer that the context owns and drops after llama.cpp's part of it;
    // ggml calls back on the thread that called it.
    let observer = unsafe { &*observer.cast::<Observer>() };
    if ask {
        // SAFETY: ggml passes a node of the graph that it is computing.
        unsafe { observer.counter.count(node) };
    }
    let Ok(mut watcher) = observer.watcher.try_borrow_mut() else { return !ask };
    if let Some(watcher) = watcher.as_mut() {
        // SAFETY: as above; what comes before the node is computed, and after the question so is the node.
        unsafe { if ask { watcher.before(node) } else { watcher.after(node) } };
    }
    watcher.is_some() || !ask
}
