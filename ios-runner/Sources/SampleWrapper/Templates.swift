// Chat templates by hand, one a family, as small wrappers have them.
import Foundation
import ConformanceCore

/// A part of a prompt: the template's own text, in which control tokens count, or somebody's words, in which they don't.
public struct Part {
    let text: String
    let isTemplate: Bool

    static func template(_ text: String) -> Part { Part(text: text, isTemplate: true) }
    static func words(_ text: String) -> Part { Part(text: text, isTemplate: false) }
}

public enum Family {
    case chatml, gemma

    /// By what the model file's own template holds.
    init?(template: String) {
        if template.contains("<|im_start|>") {
            self = .chatml
        } else if template.contains("<start_of_turn>") {
            self = .gemma
        } else {
            return nil
        }
    }

    func parts(_ chat: Chat) -> [Part] {
        switch self {
        case .chatml: return Self.chatml(chat)
        case .gemma: return Self.gemma(chat)
        }
    }

    private static func chatml(_ chat: Chat) -> [Part] {
        var parts: [Part] = []
        for message in chat.messages {
            let words = message.role == "assistant" ? afterThought(message.content, "</think>") : message.content
            parts += [.template("<|im_start|>\(message.role)\n"), .words(words), .template("<|im_end|>\n")]
        }
        if chat.addGenerationPrompt {
            let off = chat.enableThinking == false ? "<think>\n\n</think>\n\n" : ""
            parts.append(.template("<|im_start|>assistant\n" + off))
        }
        return parts
    }

    /// Gemma knows no system role: its words open the first turn.
    private static func gemma(_ chat: Chat) -> [Part] {
        var opening: [Part] = chat.enableThinking == true ? [.template("<|think|>")] : []
        var parts: [Part] = [.template("<bos>")]
        for message in chat.messages {
            if message.role == "system" {
                opening += [.words(trimmed(message.content)), .template("\n\n")]
                continue
            }
            let isModel = message.role == "assistant"
            let words = isModel ? afterThought(message.content, "<channel|>") : message.content
            parts.append(.template("<start_of_turn>\(isModel ? "model" : message.role)\n"))
            parts += opening + [.words(trimmed(words)), .template("<end_of_turn>\n")]
            opening = []
        }
        if chat.addGenerationPrompt { parts.append(.template("<start_of_turn>model\n")) }
        return parts
    }

    private static func trimmed(_ text: String) -> String {
        let inner = text.drop(while: \.isWhitespace)
        return String(inner.reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func afterThought(_ text: String, _ tag: String) -> String {
        guard let range = text.range(of: tag, options: .backwards) else { return text }
        return String(text[range.upperBound...].drop { $0 == "\n" })
    }
}
