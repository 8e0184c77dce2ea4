import ConformanceCore
import Foundation
import SampleWrapper
import XCTest

/// Asks the sample wrapper and its five broken sisters, and leaves the answers to be judged.
final class WrapperTests: XCTestCase {
    func testSound() async throws { try await ask("sound", SampleWrapper()) }
    func testMine1() async throws { try await ask("mine-1", BrokenLogits()) }
    func testMine2() async throws { try await ask("mine-2", AlwaysThinking()) }
    func testMine3() async throws { try await ask("mine-3", NoAddressSpace()) }
    func testMine4() async throws { try await ask("mine-4", NeverCleared()) }
    func testMine5() async throws { try await ask("mine-5", NoTemplate()) }

    private func ask(_ folder: String, _ wrapper: SampleWrapper) async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let sheet = environment["CONFORMANCE_WRAPPER_SHEET"], let models = environment["CONFORMANCE_MODELS"],
            let answers = environment["CONFORMANCE_ANSWERS"]
        else { throw XCTSkip("no sheet was given") }
        let run = try ConformanceRun(
            sheet: .read(URL(fileURLWithPath: sheet)), respondent: Interview(wrapper),
            models: URL(fileURLWithPath: models), answers: URL(fileURLWithPath: "\(answers)/\(folder)"))
        let outcomes = try await run.askAll()
        XCTAssertTrue(outcomes.contains(.answered))
    }
}
