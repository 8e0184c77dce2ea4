//! Building the app and its tests, and running them.

use super::Argv;

/// The project, from the checkout's root.
pub const PROJECT: &str = "ios-runner/Xcode/Conformance.xcodeproj";

/// Builds everything for tests into `derived`. A team is needed for a device alone.
pub fn build_for_testing(simulator: bool, team: Option<&str>, prefix: Option<&str>, derived: &str) -> Argv {
    let platform = if simulator { "generic/platform=iOS Simulator" } else { "generic/platform=iOS" };
    let mut argv =
        Argv::new("xcodebuild", ["build-for-testing", "-project", PROJECT, "-scheme", "Conformance"], 30)
            .with("-testPlan")
            .with("Conformance")
            .with("-destination")
            .with(platform)
            .with("-derivedDataPath")
            .with(derived);
    if !simulator {
        argv = argv.with("-allowProvisioningUpdates");
    }
    if let Some(team) = team {
        argv = argv.with(format!("DEVELOPMENT_TEAM={team}"));
    }
    if let Some(prefix) = prefix {
        argv = argv.with(format!("CONFORMANCE_PREFIX={prefix}"));
    }
    argv
}

/// One run of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestRun<'a> {
    /// The prepared .xctestrun file.
    pub xctestrun: &'a str,
    /// The device or the simulator.
    pub udid: &'a str,
    /// Where the result bundle goes; nothing may be there.
    pub results: &'a str,
    /// For at most so many minutes.
    pub minutes: u64,
}

/// Runs the tests that were built.
pub fn test_without_building(run: &TestRun<'_>) -> Argv {
    let destination = format!("id={}", run.udid);
    Argv::new("xcodebuild", ["test-without-building", "-xctestrun", run.xctestrun], run.minutes)
        .with("-destination")
        .with(destination)
        .with("-resultBundlePath")
        .with(run.results)
}
