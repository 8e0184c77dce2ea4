//! What can be wrong with a phone, a Mac or the cable between, each with its exit code and its cure.

use std::fmt;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TroubleKind {
    /// There is no device that fits.
    Absent,
    /// It did not start, or a tool that handles it failed for a reason that we do not know.
    Down,
    /// It is locked.
    Locked,
    /// It does not trust this Mac.
    Unpaired,
    /// The app is not signed, or not for this device.
    Unsigned,
    /// Developer mode is off.
    NoDeveloperMode,
    /// It has no room.
    NoSpace,
    /// The connection was lost.
    TunnelLost,
    /// A tool took longer than it may.
    TimedOut,
}

impl TroubleKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Absent,
        Self::Down,
        Self::Locked,
        Self::Unpaired,
        Self::Unsigned,
        Self::NoDeveloperMode,
        Self::NoSpace,
        Self::TunnelLost,
        Self::TimedOut,
    ];

    /// The process exit code; 12 is a device that a probe does not see.
    pub const fn code(self) -> u8 {
        match self {
            Self::Absent => 10,
            Self::Down => 11,
            Self::Locked => 13,
            Self::Unpaired => 14,
            Self::Unsigned => 15,
            Self::NoDeveloperMode => 16,
            Self::NoSpace => 17,
            Self::TunnelLost => 18,
            Self::TimedOut => 19,
        }
    }

    /// What to do.
    pub const fn cure(self) -> &'static str {
        match self {
            Self::Absent => {
                "connect one by cable and unlock it; `cargo xtask device list` shows what this Mac sees"
            }
            Self::Down => "read what the tool said above; restarting the device helps surprisingly often",
            Self::Locked => "unlock it, and keep it awake: Settings, Display & Brightness, Auto-Lock, Never",
            Self::Unpaired => "connect it by cable, unlock it, and tap Trust",
            Self::Unsigned => {
                "name your team with --team (Xcode, Settings, Accounts shows it) and open the project once in Xcode, so \
                 that it can make a profile for this device"
            }
            Self::NoDeveloperMode => {
                "on the device: Settings, Privacy & Security, Developer Mode, on; it restarts and asks once more"
            }
            Self::NoSpace => "delete something there, or push fewer models with --model",
            Self::TunnelLost => {
                "use a cable rather than Wi-Fi, and run the same command again: what was answered is kept"
            }
            Self::TimedOut => "use a cable rather than Wi-Fi; run it again, what was answered is kept",
        }
    }
}

/// What went wrong, in a tool's own words where there are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What kind of trouble it is.
    pub kind: TroubleKind,
    /// What happened.
    pub message: String,
}

impl Trouble {
    /// Trouble of this kind.
    pub fn new(kind: TroubleKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// The kind of trouble that a tool's words speak of. They are Apple's and change between versions, so only words
    /// that mean one thing are looked for; the rest is [`TroubleKind::Down`].
    pub fn of_words(what: &str, words: &str) -> Self {
        const SIGNS: [(&str, TroubleKind); 19] = [
            ("developer mode", TroubleKind::NoDeveloperMode),
            ("is locked", TroubleKind::Locked),
            ("device was not, or could not be, unlocked", TroubleKind::Locked),
            ("unlock", TroubleKind::Locked),
            ("passcode", TroubleKind::Locked),
            ("not paired", TroubleKind::Unpaired),
            ("pairing", TroubleKind::Unpaired),
            ("trust this computer", TroubleKind::Unpaired),
            ("requires a development team", TroubleKind::Unsigned),
            ("provisioning profile", TroubleKind::Unsigned),
            ("code sign", TroubleKind::Unsigned),
            ("codesign", TroubleKind::Unsigned),
            ("no space left", TroubleKind::NoSpace),
            ("not enough space", TroubleKind::NoSpace),
            ("insufficient space", TroubleKind::NoSpace),
            ("tunnel", TroubleKind::TunnelLost),
            ("connection was interrupted", TroubleKind::TunnelLost),
            ("timed out", TroubleKind::TimedOut),
            ("unable to find a device", TroubleKind::Absent),
        ];
        let lower = words.to_lowercase();
        let kind =
            SIGNS.iter().find(|(sign, _)| lower.contains(sign)).map_or(TroubleKind::Down, |(_, kind)| *kind);
        let words = words.trim();
        Self::new(kind, if words.is_empty() { what.to_owned() } else { format!("{what}: {words}") })
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.kind.cure())
    }
}

impl std::error::Error for Trouble {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_of_the_device_range_and_unique() {
        for (index, kind) in TroubleKind::ALL.iter().enumerate() {
            assert!((10..=19).contains(&kind.code()) && kind.code() != 12, "{kind:?}");
            assert!(TroubleKind::ALL[..index].iter().all(|other| other.code() != kind.code()), "{kind:?}");
        }
    }

    #[test]
    fn words_of_tools_are_sorted() {
        use TroubleKind::{
            Absent, Down, Locked, NoDeveloperMode, NoSpace, TimedOut, TunnelLost, Unpaired, Unsigned,
        };
        // Synthetic, after messages that public reports quote.
        let table = [
            ("The device is locked.", Locked),
            ("Unlock iPhone to Continue", Locked),
            ("Developer Mode disabled. To use this device, enable Developer Mode", NoDeveloperMode),
            ("The device must be paired before it can be connected (not paired)", Unpaired),
            ("Signing for \"Host\" requires a development team.", Unsigned),
            ("No profiles for 'org.x' were found: provisioning profile", Unsigned),
            ("write: No space left on device", NoSpace),
            ("The tunnel connection failed", TunnelLost),
            ("Operation timed out", TimedOut),
            ("xcodebuild: error: Unable to find a device matching the provided destination", Absent),
            ("something new", Down),
        ];
        for (words, kind) in table {
            let trouble = Trouble::of_words("`tool` failed", words);
            assert_eq!(trouble.kind, kind, "{words}");
            assert!(trouble.to_string().starts_with(&format!("`tool` failed: {words}; ")), "{trouble}");
        }
    }
}
