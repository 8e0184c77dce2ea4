// What an app developer implements over a wrapper, and what turns it into somebody who can be asked.
import Foundation

/// Your wrapper. Implement what `abilities` name; a function that throws `Refusal` is an observation, and so is a crash.
public protocol ConformanceSubject: AnyObject {
    /// Name and version of your wrapper, for reports.
    var name: String { get }
    /// What can be asked.
    var abilities: Set<Ability> { get }
    /// Loads the model at `file`; called before the first question about it, and after another model was asked.
    func load(_ file: URL) async throws
    /// The prompt that your wrapper makes of a chat: `prompt`, and `promptTokens` if you show them.
    func render(_ chat: Chat) async throws -> Turn
    /// The tokens of a text, for who shows tokens.
    func tokenize(_ text: Tokenization) async throws -> [Token]
    /// One independent question: nothing of an earlier one may be left.
    func generate(_ question: Generation) async throws -> Turn
    /// Several turns; one `Turn` for each.
    func converse(_ conversation: Conversation) async throws -> [Turn]
}

/// What a wrapper can do.
public enum Ability: String, CaseIterable, Sendable {
    case render, generate, converse
    /// It shows token ids beside texts: then blame is sharper.
    case tokenize
}

extension ConformanceSubject {
    public func render(_ chat: Chat) async throws -> Turn { throw missing(.render) }
    public func tokenize(_ text: Tokenization) async throws -> [Token] { throw missing(.tokenize) }
    public func generate(_ question: Generation) async throws -> Turn { throw missing(.generate) }
    public func converse(_ conversation: Conversation) async throws -> [Turn] { throw missing(.converse) }

    private func missing(_ ability: Ability) -> Refusal {
        Refusal(.load, .unsupported, "\(name) names the ability \(ability.rawValue) and does not implement it")
    }
}

/// Somebody who answers requests of harness/wire: the bridge, or an `Interview` of your wrapper.
public protocol Respondent: AnyObject {
    /// A `Card` as JSON.
    func card() throws -> JSON
    /// Whether it follows the tokens that a request forces.
    var followsTokens: Bool { get }
    /// An `Observation` as JSON.
    func observe(_ request: JSON) async throws -> Data
}

extension Respondent {
    func capabilities() throws -> Set<String> {
        guard case .array(let names)? = try card()["capabilities"] else { return [] }
        return Set(names.compactMap(\.text))
    }
}
