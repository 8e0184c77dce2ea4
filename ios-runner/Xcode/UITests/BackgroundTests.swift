// Into the background in the middle of an answer, and back: the system takes the GPU away meanwhile.
import XCTest

final class BackgroundTests: XCTestCase {
    @MainActor
    func testBackgroundAndReturn() {
        let app = XCUIApplication()
        app.launchArguments = ["--ask-all"]
        app.launchEnvironment["CONFORMANCE_OPTIONS"] = ProcessInfo.processInfo.environment["CONFORMANCE_OPTIONS"]
        app.launch()
        let progress = app.staticTexts["progress"]
        XCTAssertTrue(progress.waitForExistence(timeout: 30))
        for _ in 0..<3 where progress.label != "finished" {
            XCUIDevice.shared.press(.home)
            // How long the system lets an app compute in the background; nothing is measured by it.
            _ = app.wait(for: .runningBackgroundSuspended, timeout: 20)
            app.activate()
            XCTAssertTrue(app.wait(for: .runningForeground, timeout: 20), "the app did not come back")
        }
        let finished = XCTNSPredicateExpectation(
            predicate: NSPredicate(format: "label == %@", "finished"), object: progress)
        XCTAssertEqual(XCTWaiter.wait(for: [finished], timeout: 3600), .completed, progress.label)
    }
}
