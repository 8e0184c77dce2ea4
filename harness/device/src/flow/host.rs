//! The two apps: with and without the memory entitlements, which a test configuration cannot vary.

/// A host app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct App {
    /// Its target in the project, and its name.
    pub name: &'static str,
    /// What follows the prefix in its bundle id.
    pub suffix: &'static str,
    /// The tests that it hosts.
    pub tests: &'static str,
    /// Whether it asks for the memory entitlements.
    pub entitled: bool,
}

impl App {
    /// Its bundle id.
    pub fn bundle(&self, prefix: &str) -> String {
        format!("{prefix}.{}", self.suffix)
    }
}

/// Both.
pub const fn apps() -> [App; 2] {
    [
        App { name: "Conformance", suffix: "app", tests: "ConformanceTests", entitled: true },
        App { name: "ConformancePlain", suffix: "plain", tests: "ConformancePlainTests", entitled: false },
    ]
}
