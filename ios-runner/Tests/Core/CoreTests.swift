import Foundation
import XCTest

@testable import ConformanceCore

/// A wrapper that says what it was asked.
final class Echo: ConformanceSubject {
    let name = "echo"
    var abilities: Set<Ability> = [.render, .generate, .converse]
    var loads: [String] = []
    func load(_ file: URL) { loads.append(file.lastPathComponent) }
    func render(_ chat: Chat) -> Turn { Turn(prompt: "\(chat.messages.map(\.content)) \(chat.enableThinking as Any)") }
    func generate(_ question: Generation) throws -> Turn {
        if question.maxTokens == 13 { throw Refusal(.decode, .unsupported, "thirteen") }
        return Turn(prompt: "p", answer: "é\"", stop: Stop(.eog))
    }
    func converse(_ conversation: Conversation) -> [Turn] {
        var answers: [String] = []
        return conversation.said.indices.map { index in
            let words = conversation.messages(turn: index, answers: answers).map(\.content).joined(separator: "|")
            answers.append("a\(index)")
            return Turn(answer: words)
        }
    }
}

final class CoreTests: XCTestCase {
    private var folder: URL!
    private let echo = Echo()

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("abc".utf8).write(to: folder.appendingPathComponent("m.gguf"))
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    private func sheet(
        _ stimulus: String, needs: String = "generate", bytes: Int = 3, id: String = "s",
        sha: String = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    ) throws -> Sheet {
        let text = """
            {"version": 1, "id": "\(id)", "subject": "x", "without_model": true, "complete": true,
             "models": [{"file": "m.gguf", "bytes": \(bytes), "sha256": "\(sha)"}],
             "questions": [{"key": "x/m/a/b", "case": "a/b", "file": "f.json", "needs": ["\(needs)"], "request":
              {"id": 1, "model": {"name": "m", "path": "m.gguf"}, "stimulus": \(stimulus), "forced_tokens": [1]}}]}
            """
        return try JSONDecoder().decode(Sheet.self, from: Data(text.utf8))
    }

    private func run(_ sheet: Sheet, attach: @escaping (String, Data) -> Void = { _, _ in }) throws -> ConformanceRun {
        try ConformanceRun(
            sheet: sheet, respondent: Interview(echo), models: folder, answers: folder.appendingPathComponent("answers"),
            attach: attach)
    }

    private func answer() throws -> JSON {
        let file = folder.appendingPathComponent("answers/f.json")
        return try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file))
    }

    private let generate = #"{"generate": {"prompt": {"text": "x"}, "max_tokens": 1}}"#

    func testAnAnswerIsWrittenOnceAndAttachedAgain() async throws {
        var attached: [String] = []
        let run = try run(sheet(generate)) { name, _ in attached.append(name) }
        var outcomes = try await run.ask("a/b")
        outcomes += try await run.askAll()
        XCTAssertEqual(outcomes, [.answered, .already])
        XCTAssertEqual(attached, ["f.json", "f.json"])
        XCTAssertEqual(echo.loads, ["m.gguf"])
        let written = try answer()
        XCTAssertEqual(written["sheet"], .string("s"))
        XCTAssertEqual(written["followed"], .bool(false))
        XCTAssertEqual(written["observation"]?["ending"], .string("completed"))
        XCTAssertEqual(written["card"]?["wrapper"], .string("echo"))
        XCTAssertNotNil(written["device"]?["thermal_before"])
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path + "/answers/f.json.started"))
    }

    func testAQuestionThatKilledTheAppIsNotAskedAgain() async throws {
        let first = try run(sheet(generate))
        try Data().write(to: folder.appendingPathComponent("answers/f.json.started"))
        let died = try await first.askAll()
        XCTAssertEqual(died, [.died])
        let anew = try await run(sheet(generate, id: "other")).askAll()
        XCTAssertEqual(anew, [.answered], "another sheet begins anew")
    }

    func testWhatCannotBeAskedIsSaid() async throws {
        let outcomes = try await run(sheet(#"{"score": {}}"#, needs: "score")).askAll()
        XCTAssertEqual(outcomes, [.cannot("no capability score")])
    }

    func testARefusalIsAnObservation() async throws {
        _ = try await run(sheet(#"{"generate": {"prompt": {"text": "x"}, "max_tokens": 13}}"#)).askAll()
        let refused = JSON.object(["layer": .string("decode"), "code": .string("unsupported"), "message": .string("thirteen")])
        XCTAssertEqual(try answer()["observation"]?["ending"]?["refused"], refused)
    }

    func testAModelThatIsNotTheOneThatWasPushedIsNotAsked() async throws {
        for (bytes, sha, words) in [(4, "x", "push it again"), (3, "x", "SHA-256 differs")] {
            let run = try run(sheet(generate, bytes: bytes, sha: sha))
            do {
                _ = try await run.askAll()
                XCTFail("it was asked")
            } catch let error as ConformanceError {
                XCTAssertTrue(error.description.contains(words), error.description)
            }
        }
    }

    func testRenderingsDifferInTheirVariables() async throws {
        let stimulus = """
            {"render": {"messages": [{"role": "user", "content": "Hi"}], "variants": [{"enable_thinking": false}]}}
            """
        _ = try await run(sheet(stimulus, needs: "render")).askAll()
        guard case .array(let turns)? = try answer()["observation"]?["turns"] else { return XCTFail("no turns") }
        XCTAssertEqual(turns.map { $0["prompt"]?.text }, ["[\"Hi\"] nil", "[\"Hi\"] Optional(false)"])
    }

    func testAConversationSendsWhatTheCaseSays() async throws {
        for (history, last) in [("sent", "S|q|a0|r"), ("last-only", "r")] {
            let stimulus = """
                {"converse": {"turns": [{"user": "q"}, {"user": "r"}], "memory": "cleared", "history": "\(history)",
                 "system": "S", "max_tokens": 4}}
                """
            _ = try await run(sheet(stimulus, needs: "converse", id: history)).askAll()
            guard case .array(let turns)? = try answer()["observation"]?["turns"] else { return XCTFail("no turns") }
            XCTAssertEqual(turns.map { $0["answer"]?.text }, ["S|q", last])
        }
    }

    func testHashes() throws {
        // FIPS 180-4's examples, and a message longer than one block.
        for (text, sum) in [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        ] {
            var hash = PlainSHA256()
            for byte in text.utf8 { hash.update(Data([byte])) }
            XCTAssertEqual(hash.finish().map(hexadecimal).joined(), sum)
        }
    }

    func testPiecesThatAreNoTextGoAsBytes() throws {
        let token = try JSONEncoder().encode(Token(id: 3, piece: [0xf0, 0x9f], kind: .byte))
        let json = try JSONDecoder().decode(JSON.self, from: token)
        XCTAssertEqual(json["piece"], .object(["hex": .string("f09f")]))
    }

    func testJSONKeepsItsKinds() throws {
        let text = #"{"a":[true,1,1.5,"x",null],"b":{"c":-9007199254740993}}"#
        let json = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        XCTAssertEqual(String(decoding: try json.data(), as: UTF8.self), text)
    }
}
