import ConformanceCore
import Foundation
import XCTest

@testable import ConformanceBridge

final class BridgeTests: XCTestCase {
    func testTheRealProbeAnswersAsItself() async throws {
        let bridge = try BridgeRespondent(options: #"{"backend": "swift-on-linux", "devices": "none"}"#)
        XCTAssertEqual(try bridge.card()["backend"], .string("swift-on-linux"))
        let text = #"{"id": 1, "model": null, "stimulus": {"stream": {"pieces": ["Hi", {"hex": "f0"}]}}}"#
        let request = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        let seen = try JSONDecoder().decode(JSON.self, from: try await bridge.observe(request))
        XCTAssertEqual(seen["ending"], .string("completed"))
        guard case .array(let turns)? = seen["turns"] else { return XCTFail("no turns") }
        XCTAssertEqual(turns.first?["stop"]?["reason"], .string("end-of-script"))
    }

    func testWrongOptionsAreAnError() throws {
        XCTAssertThrowsError(try BridgeRespondent(options: "{}x")) { error in
            XCTAssertTrue("\(error)".contains("the options are wrong"), "\(error)")
        }
    }

    /// Asks the whole sheet, as the app does, and leaves the answers to be judged.
    func testTheSheet() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let sheet = environment["CONFORMANCE_SHEET"], let models = environment["CONFORMANCE_MODELS"],
            let answers = environment["CONFORMANCE_ANSWERS"]
        else { throw XCTSkip("no sheet was given") }
        let run = try ConformanceRun(
            sheet: .read(URL(fileURLWithPath: sheet)),
            respondent: BridgeRespondent(options: #"{"backend": "ios-device", "devices": "none"}"#),
            models: URL(fileURLWithPath: models), answers: URL(fileURLWithPath: answers + "/bridge"))
        let outcomes = try await run.askAll()
        XCTAssertTrue(outcomes.contains(.answered))
    }
}
