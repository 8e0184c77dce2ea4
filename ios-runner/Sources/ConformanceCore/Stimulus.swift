// What a subject can be asked, as harness/wire has it. Only what a wrapper meets is here.

public struct Message: Codable, Equatable, Sendable {
    public let role: String
    public let content: String
    public init(_ role: String, _ content: String) {
        self.role = role
        self.content = content
    }
}

/// Messages, and how they become a prompt.
public struct Chat: Decodable, Equatable, Sendable {
    public var messages: [Message]
    /// A Jinja template instead of the model's own.
    public var template: String?
    /// Whether the prompt ends with the opening of the assistant's turn.
    public var addGenerationPrompt: Bool
    /// Further template variables.
    public var variables: [String: JSON]
    var variants: [[String: JSON]]

    /// The usual switch for thinking; nil where the question leaves it to the template.
    public var enableThinking: Bool? {
        if case .bool(let on)? = variables["enable_thinking"] { return on }
        return nil
    }

    enum CodingKeys: String, CodingKey {
        case messages, template, variables, variants
        case addGenerationPrompt = "add_generation_prompt"
    }

    public init(_ messages: [Message] = [], variables: [String: JSON] = [:]) {
        self.messages = messages
        self.variables = variables
        addGenerationPrompt = true
        variants = []
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        messages = try values.decodeIfPresent([Message].self, forKey: .messages) ?? []
        template = try values.decodeIfPresent(String.self, forKey: .template)
        addGenerationPrompt = try values.decodeIfPresent(Bool.self, forKey: .addGenerationPrompt) ?? true
        variables = try values.decodeIfPresent([String: JSON].self, forKey: .variables) ?? [:]
        variants = try values.decodeIfPresent([[String: JSON]].self, forKey: .variants) ?? []
    }
}

/// The strings between which a model thinks.
public struct ThinkingTags: Decodable, Equatable, Sendable {
    public let open: String
    public let close: String
}

public enum Prompt: Decodable, Equatable, Sendable {
    case chat(Chat)
    /// Raw text, with BOS and with control tokens parsed.
    case text(String)
    case tokens([Int32])

    enum CodingKeys: String, CodingKey { case chat, text, tokens }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        if let chat = try values.decodeIfPresent(Chat.self, forKey: .chat) {
            self = .chat(chat)
        } else if let text = try values.decodeIfPresent(String.self, forKey: .text) {
            self = .text(text)
        } else {
            self = .tokens(try values.decode([Int32].self, forKey: .tokens))
        }
    }
}

/// Text to turn into tokens, with llama.cpp's two switches.
public struct Tokenization: Decodable, Equatable, Sendable {
    public let text: String
    /// Add BOS and EOS where the vocabulary asks for them.
    public let addSpecial: Bool
    /// Turn the text of control tokens into those tokens.
    public let parseSpecial: Bool

    enum CodingKeys: String, CodingKey {
        case text
        case addSpecial = "add_special"
        case parseSpecial = "parse_special"
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        text = try values.decode(String.self, forKey: .text)
        addSpecial = try values.decodeIfPresent(Bool.self, forKey: .addSpecial) ?? false
        parseSpecial = try values.decodeIfPresent(Bool.self, forKey: .parseSpecial) ?? false
    }
}

/// One answer to one prompt, the likeliest token at each step.
public struct Generation: Decodable, Equatable, Sendable {
    public let prompt: Prompt
    /// Most tokens, the thought included.
    public let maxTokens: Int
    /// Strings that end the answer and are not part of it.
    public let stopStrings: [String]
    /// How thought and answer are told apart; nil: everything is answer.
    public let thinking: ThinkingTags?

    enum CodingKeys: String, CodingKey {
        case prompt, thinking
        case maxTokens = "max_tokens"
        case stopStrings = "stop_strings"
    }

    public init(from decoder: Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        prompt = try values.decode(Prompt.self, forKey: .prompt)
        maxTokens = try values.decode(Int.self, forKey: .maxTokens)
        stopStrings = try values.decodeIfPresent([String].self, forKey: .stopStrings) ?? []
        thinking = try values.decodeIfPresent(ThinkingTags.self, forKey: .thinking)
    }
}

/// Several turns with one subject.
public struct Conversation: Decodable, Equatable, Sendable {
    /// What happens to the KV cache between turns.
    public enum Memory: String, Decodable, Sendable {
        case kept, cleared, shifted
        case clearedMetadata = "cleared-metadata"
    }

    /// What of the earlier turns the next prompt carries.
    public enum History: String, Decodable, Sendable {
        case sent
        case lastOnly = "last-only"
    }

    struct Turn: Decodable, Equatable, Sendable { let user: String }

    let turns: [Turn]
    public let memory: Memory
    public let history: History
    public let system: String?
    public let maxTokens: Int
    let chat: Chat?
    public let thinking: ThinkingTags?

    /// What the user says, turn by turn.
    public var said: [String] { turns.map(\.user) }
    /// The usual switch for thinking.
    public var enableThinking: Bool? { chat?.enableThinking }

    enum CodingKeys: String, CodingKey {
        case turns, memory, history, system, chat, thinking
        case maxTokens = "max_tokens"
    }

    /// The messages of turn `index` as they are to be rendered, `answers` being those of the turns before.
    public func messages(turn index: Int, answers: [String]) -> [Message] {
        var messages: [Message] = []
        if let system, index == 0 || history == .sent { messages.append(Message("system", system)) }
        if history == .sent {
            for (said, answer) in zip(said, answers).prefix(index) {
                messages += [Message("user", said), Message("assistant", answer)]
            }
        }
        return messages + [Message("user", said[index])]
    }

    /// Turn `index` as a chat.
    public func chat(turn index: Int, answers: [String]) -> Chat {
        Chat(messages(turn: index, answers: answers), variables: chat?.variables ?? [:])
    }
}
