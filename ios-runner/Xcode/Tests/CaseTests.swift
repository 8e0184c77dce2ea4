// What the generated tests in Cases.swift have in common.
import ConformanceCore
import XCTest

@testable import ConformanceHost

class CaseTests: XCTestCase {
    /// One for the process: a model stays loaded from test to test.
    nonisolated(unsafe) private static var opened: Result<ConformanceRun, Error>?
    nonisolated(unsafe) private static var attach: (String, Data) -> Void = { _, _ in }

    private static func run() throws -> ConformanceRun {
        let result = opened ?? Result { try Host.run { name, data in attach(name, data) } }
        opened = result
        return try result.get()
    }

    /// Asks everything of `case`. Only the harness fails here: an answer, whatever it is, is judged on the Mac.
    func ask(_ case: String) throws {
        let run = try Self.run()
        Self.attach = { [weak self] name, data in
            let attachment = XCTAttachment(data: data, uniformTypeIdentifier: "public.json")
            attachment.name = name
            attachment.lifetime = .keepAlways
            self?.add(attachment)
        }
        let asked = expectation(description: `case`)
        var failure: Error?
        var outcomes: [ConformanceRun.Outcome] = []
        Task.detached {
            do { outcomes = try await run.ask(`case`) } catch { failure = error }
            asked.fulfill()
        }
        wait(for: [asked])
        if let failure { throw failure }
        if outcomes.isEmpty { throw XCTSkip("the sheet does not ask it") }
        if outcomes.contains(.died) { XCTFail("the app died when it was asked; the observation says so") }
    }
}
