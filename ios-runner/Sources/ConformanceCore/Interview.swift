// A wrapper, asked in its own terms.
import Foundation

/// Turns requests into calls of a `ConformanceSubject`, and what it returns into observations.
public final class Interview: Respondent {
    private let subject: ConformanceSubject
    private var loaded: String?

    public init(_ subject: ConformanceSubject) { self.subject = subject }

    /// A wrapper chooses its tokens itself.
    public let followsTokens = false

    public func card() throws -> JSON {
        let capabilities = subject.abilities.map(\.rawValue).sorted().map(JSON.string)
        return .object([
            "backend": .string("wrapper"), "devices": .array([]), "os": .string(Device.system),
            "arch": .string(Device.architecture), "cpu_features": .string(""), "llama_version": .string(""),
            "bindings": .string(""), "capabilities": .array(capabilities), "engines": .array([.string("raw")]),
            "template_engines": .array([.string("minijinja")]), "wrapper": .string(subject.name),
        ])
    }

    public func observe(_ request: JSON) async throws -> Data {
        var seen = Observation(ending: .completed)
        do {
            try await load(request["model"]?["path"]?.text)
            try await run(request["stimulus"], into: &seen.turns)
        } catch let refusal as Refusal {
            seen.ending = .refused(refusal)
        } catch let error as ConformanceError {
            throw error
        } catch {
            // What a wrapper throws is what its user would see.
            seen.ending = .refused(Refusal(.load, .unsupported, "it threw: \(error)"))
        }
        return try JSONEncoder().encode(seen)
    }

    private func load(_ path: String?) async throws {
        guard let path, path != loaded else { return }
        loaded = nil
        try await subject.load(URL(fileURLWithPath: path))
        loaded = path
    }

    private func run(_ stimulus: JSON?, into turns: inout [Turn]) async throws {
        if let chat = try stimulus?["render"]?.decoded(as: Chat.self) {
            for variables in [[:]] + chat.variants {
                var variant = chat
                variant.variables.merge(variables) { _, new in new }
                turns.append(try await subject.render(variant))
            }
        } else if let text = try stimulus?["tokenize"]?.decoded(as: Tokenization.self) {
            var turn = Turn()
            turn.promptTokens = try await subject.tokenize(text)
            turns = [turn]
        } else if let question = try stimulus?["generate"]?.decoded(as: Generation.self) {
            turns = [try await subject.generate(question)]
        } else if let conversation = try stimulus?["converse"]?.decoded(as: Conversation.self) {
            turns = try await subject.converse(conversation)
        } else {
            throw Refusal(.load, .unsupported, "a wrapper is asked to render, tokenize, generate and converse")
        }
    }
}
