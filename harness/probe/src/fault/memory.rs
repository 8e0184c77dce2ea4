//! A KV cache that is not cleared, or whose positions are not.

use super::Fault;

/// What goes wrong when the memory is cleared. Positions are counted here as a binding does that keeps `n_past`
/// itself.
#[derive(Debug)]
pub(super) struct MemoryFault {
    /// Whether the memory is really cleared.
    pub(super) clears: bool,
    /// Whether positions go on after clearing.
    goes_on: bool,
    /// What is added to the wrapper's positions.
    pub(super) offset: i32,
    /// The wrapper's next position.
    next: i32,
}

impl MemoryFault {
    /// The fault of memory that `fault` stands for, if it is one.
    pub(super) fn of(fault: Fault) -> Option<Self> {
        let (clears, goes_on) = match fault {
            Fault::MemoryNotCleared => (false, true),
            Fault::PositionNotReset => (true, true),
            Fault::TurnFromZero => (false, false),
            _ => return None,
        };
        Some(Self { clears, goes_on, offset: 0, next: 0 })
    }

    /// The wrapper cleared its memory.
    pub(super) fn cleared(&mut self) {
        if self.goes_on {
            self.offset += self.next;
        }
        self.next = 0;
    }

    /// The wrapper decoded `count` tokens at its position `pos`.
    pub(super) fn decoded(&mut self, pos: i32, count: usize) {
        self.next = pos + count as i32;
    }

    /// The wrapper removed what stands at its position `pos` and after.
    pub(super) fn cut(&mut self, pos: i32) {
        self.next = self.next.min(pos);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_go_on_where_they_should_not() {
        for (fault, clears, offset) in [
            (Fault::MemoryNotCleared, false, 12),
            (Fault::PositionNotReset, true, 12),
            (Fault::TurnFromZero, false, 0),
        ] {
            let mut memory = MemoryFault::of(fault).expect("a fault of memory");
            memory.cleared();
            memory.decoded(0, 9);
            memory.decoded(9, 1);
            memory.cut(7);
            memory.cleared();
            memory.decoded(0, 5);
            memory.cleared();
            assert_eq!((memory.clears, memory.offset), (clears, offset), "{fault:?}");
        }
        assert!(MemoryFault::of(Fault::Abort).is_none());
    }
}
