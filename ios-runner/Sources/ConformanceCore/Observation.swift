// What was seen, as harness/wire has it. An observation says what happened, never whether that is right.

/// A token with the bytes that it renders to, control tokens shown.
public struct Token: Encodable, Equatable, Sendable {
    public enum Kind: String, Encodable, Sendable {
        case normal, control, byte, other
        case userDefined = "user-defined"
    }

    public let id: Int32
    public let piece: [UInt8]
    public let kind: Kind

    public init(id: Int32, piece: [UInt8], kind: Kind = .normal) {
        self.id = id
        self.piece = piece
        self.kind = kind
    }

    enum CodingKeys: String, CodingKey { case id, piece, kind }
    enum Bytes: String, CodingKey { case hex }

    public func encode(to encoder: Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        if kind != .normal { try values.encode(kind, forKey: .kind) }
        if let text = String(validatingUTF8Bytes: piece) {
            try values.encode(text, forKey: .piece)
        } else {
            var bytes = values.nestedContainer(keyedBy: Bytes.self, forKey: .piece)
            try bytes.encode(piece.map { hexadecimal($0) }.joined(), forKey: .hex)
        }
    }
}

/// Why a turn ended.
public struct Stop: Encodable, Equatable, Sendable {
    public enum Reason: String, Encodable, Sendable {
        /// The model said that it is done.
        case eog
        /// A stop string came.
        case stopString = "stop-string"
        /// The budget was spent.
        case length
        /// The context was full: `llama_decode` returned 1.
        case contextFull = "context-full"
        /// `llama_decode` failed otherwise.
        case decodeFailed = "decode-failed"
    }

    public let reason: Reason
    /// The token that ended it, where tokens are shown.
    public let token: Int32?
    /// The string that ended it.
    public let string: String?

    public init(_ reason: Reason, token: Int32? = nil, string: String? = nil) {
        self.reason = reason
        self.token = token
        self.string = string
    }
}

/// One turn, from prompt to text. Leave out what you cannot show.
public struct Turn: Encodable, Equatable, Sendable {
    /// The prompt as the model got it.
    public var prompt: String?
    public var promptTokens: [Token] = []
    /// The tokens that were chosen, the one that ended the turn included.
    public var generated: [Token] = []
    public var stop: Stop?
    /// The thought, its tags taken off; nil where there was none.
    public var thinking: String?
    /// The answer: thought, stop string and end token taken off.
    public var answer: String?
    /// The pieces in which the answer was streamed.
    public var chunks: [String] = []

    enum CodingKeys: String, CodingKey {
        case prompt, generated, stop, thinking, answer, chunks
        case promptTokens = "prompt_tokens"
    }

    public init(prompt: String? = nil, answer: String? = nil, thinking: String? = nil, stop: Stop? = nil) {
        self.prompt = prompt
        self.answer = answer
        self.thinking = thinking
        self.stop = stop
    }
}

/// A subject's "no".
public struct Refusal: Error, Encodable, Equatable, Sendable {
    /// Where it was said.
    public enum Layer: String, Encodable, Sendable {
        case load, template, tokens, prefill, decode, sampling, stop, parse, text, turns, memory
    }

    public enum Code: String, Encodable, Sendable {
        case loadFailed = "load-failed"
        case mmapFailed = "mmap-failed"
        case allocationFailed = "allocation-failed"
        case contextFailed = "context-failed"
        case noTemplate = "no-template"
        case templateError = "template-error"
        case tokenizeFailed = "tokenize-failed"
        case promptTooLong = "prompt-too-long"
        case unsupported
        case badRequest = "bad-request"
    }

    public let layer: Layer
    public let code: Code
    public let message: String

    public init(_ layer: Layer, _ code: Code, _ message: String) {
        self.layer = layer
        self.code = code
        self.message = message
    }
}

/// Everything that was seen of one question.
struct Observation: Encodable, Equatable {
    enum Ending: Encodable, Equatable {
        case completed
        case refused(Refusal)

        enum CodingKeys: String, CodingKey { case refused }

        func encode(to encoder: Encoder) throws {
            switch self {
            case .completed:
                var value = encoder.singleValueContainer()
                try value.encode("completed")
            case .refused(let refusal):
                var values = encoder.container(keyedBy: CodingKeys.self)
                try values.encode(refusal, forKey: .refused)
            }
        }
    }

    var ending: Ending
    var turns: [Turn] = []
}

extension String {
    /// nil where the bytes are no UTF-8.
    init?(validatingUTF8Bytes bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard Array(text.utf8) == bytes else { return nil }
        self = text
    }
}

func hexadecimal(_ byte: UInt8) -> String {
    let digits = Array("0123456789abcdef")
    return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
}
