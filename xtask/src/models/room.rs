//! Whether this machine has room for a file that is as large as a phone's model.
//!
//! Such a file is all holes and takes no disk space. But whoever loads it gives each of its pages memory: of the page
//! cache, which is given back, or, where files live in memory, of the memory itself, which is not.

use std::path::Path;

use gguf::fixtures::FixtureInfo;

use crate::exit::Exit;
use crate::progress::size;

/// What the few blocks of a file of holes, and those that list them, need at most. Where a file system has no holes,
/// writing the file fails and leaves nothing.
const LEAST_DISK: u64 = 16 << 20;

/// What a folder's file system and the machine have to offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    /// Whether files there live in memory.
    in_memory: bool,
    /// Bytes that a file may still take there.
    disk: u64,
    /// Bytes of memory that are free or can be freed, where the system says.
    memory: Option<u64>,
}

/// Makes sure that `fixture` can be written to `folder` and loaded from there.
///
/// # Errors
/// When it cannot: the message says what is in the way.
pub(crate) fn ensure(fixture: &FixtureInfo, folder: &Path) -> anyhow::Result<()> {
    let Some(room) = folder.ancestors().find(|folder| folder.is_dir()).and_then(Room::of) else {
        return Ok(());
    };
    match room.refusal(fixture.bytes) {
        None => Ok(()),
        Some(reason) => {
            let (name, folder) = (&fixture.name, folder.display());
            Err(Exit::Missing
                .error(format!("no room for {name} ({}) in {folder}: {reason}", size(fixture.bytes))))
        }
    }
}

impl Room {
    fn of(folder: &Path) -> Option<Self> {
        let disk = rustix::fs::statvfs(folder).ok()?;
        Some(Self {
            in_memory: in_memory(folder),
            disk: disk.f_bavail.saturating_mul(disk.f_frsize),
            memory: available_memory(),
        })
    }

    fn refusal(self, bytes: u64) -> Option<String> {
        if self.in_memory {
            return Some(
                "that folder lies in memory (tmpfs), where a load would take all of it for good; use a checkout on \
                 a disk"
                    .to_owned(),
            );
        }
        if self.disk < LEAST_DISK {
            return Some(format!("the disk has {} left; free some space first", size(self.disk)));
        }
        let memory = self.memory.filter(|memory| *memory < bytes)?;
        Some(format!(
            "the machine has {} of memory left, and a load fills the page cache; end other programs first",
            size(memory)
        ))
    }
}

/// Whether files in `folder` live in memory: the numbers of tmpfs and ramfs are in Linux' `linux/magic.h`.
#[cfg(target_os = "linux")]
fn in_memory(folder: &Path) -> bool {
    const IN_MEMORY: [u32; 2] = [0x0102_1994, 0x8584_58f6];
    rustix::fs::statfs(folder).is_ok_and(|disk| IN_MEMORY.contains(&(disk.f_type as u32)))
}

#[cfg(not(target_os = "linux"))]
fn in_memory(_: &Path) -> bool {
    false
}

/// What Linux thinks can be had without swapping: `MemAvailable` of proc_meminfo(5). `None` elsewhere.
fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_said_and_nothing_else_stands_in_the_way() {
        let room = Room { in_memory: false, disk: 10 << 30, memory: Some(10 << 30) };
        let refusal = |room: Room| room.refusal(5 << 30).unwrap_or_default();
        assert_eq!(refusal(room), "");
        assert_eq!(refusal(Room { memory: None, ..room }), "");
        let table = [
            (Room { in_memory: true, ..room }, "lies in memory (tmpfs)"),
            (Room { disk: 1 << 20, ..room }, "the disk has 1.0 MB left"),
            (Room { memory: Some(5 << 29), ..room }, "the machine has 2.7 GB of memory left"),
        ];
        for (room, words) in table {
            assert!(refusal(room).contains(words), "{room:?}: {:?}", refusal(room));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_in_memory_is_told_from_one_on_a_disk() {
        // Linux keeps this one in memory wherever it is there.
        let shm = Path::new("/dev/shm");
        assert!(!shm.is_dir() || in_memory(shm));
        assert!(!in_memory(Path::new("/proc")));
        assert!(Room::of(Path::new("/")).is_some());
    }
}
