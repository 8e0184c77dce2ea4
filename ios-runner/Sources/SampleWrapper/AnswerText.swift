// Bytes of tokens become a thought and an answer.
import ConformanceCore
import Foundation

struct AnswerText {
    let stops: [String]
    let thinking: ThinkingTags?
    /// Whether the prompt itself ended inside a thought.
    private let opened: Bool
    private var bytes: [UInt8] = []
    private(set) var stopped: String?

    init(stops: [String], thinking: ThinkingTags?, prompt: String) {
        self.stops = stops
        self.thinking = thinking
        let line = prompt.split(separator: "\n").last.map(String.init) ?? ""
        opened = thinking.map { line.hasSuffix($0.open) } ?? false
    }

    private var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether a control token with this text is part of a tag or a stop string: all others stay unseen.
    func needsControl(_ piece: [UInt8]) -> Bool {
        let piece = String(decoding: piece, as: UTF8.self)
        let parsed = stops + (thinking.map { [$0.open, $0.close] } ?? [])
        return !piece.isEmpty && parsed.contains { $0.contains(piece) }
    }

    mutating func add(_ piece: [UInt8]) {
        bytes += piece
        let text = self.text
        for stop in stops where stopped == nil {
            guard let range = text.range(of: stop) else { continue }
            stopped = stop
            bytes = Array(text[..<range.lowerBound].utf8)
        }
    }

    /// Thought and answer; nil where nothing was thought.
    func split() -> (String?, String) {
        guard let thinking else { return (nil, text) }
        var rest = text[...]
        if !opened {
            guard rest.drop(while: \.isWhitespace).hasPrefix(thinking.open), let open = rest.range(of: thinking.open)
            else { return (nil, text) }
            rest = rest[open.upperBound...]
        }
        guard let close = rest.range(of: thinking.close) else { return (Self.inner(rest), "") }
        return (Self.inner(rest[..<close.lowerBound]), String(rest[close.upperBound...].drop { $0 == "\n" }))
    }

    /// A thought without the newlines beside its tags.
    private static func inner(_ text: Substring) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: "\n"))
    }
}
