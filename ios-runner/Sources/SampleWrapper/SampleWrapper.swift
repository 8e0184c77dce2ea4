// A small wrapper over llama.cpp, as an app has one. It is sound; `Mines.swift` breaks it in five ways.
import CLlama
import ConformanceCore
import Foundation

open class SampleWrapper: ConformanceSubject {
    open var name: String { "sample wrapper 1" }
    public let abilities: Set<Ability> = [.render, .tokenize, .generate, .converse]

    private var llama: Llama?
    private var family: Family?

    public init() {}

    open func load(_ file: URL) throws {
        llama = nil
        family = nil
        let llama = try open(file)
        self.llama = llama
        family = llama.template.flatMap(Family.init(template:))
    }

    open func open(_ file: URL) throws -> Llama { try Llama(file) }

    /// The prompt in parts.
    open func parts(_ chat: Chat) throws -> [Part] {
        guard chat.template == nil else {
            throw Refusal(.template, .unsupported, "this wrapper has templates of its own")
        }
        guard let family else { throw Refusal(.template, .noTemplate, "no template for this model") }
        return family.parts(chat)
    }

    /// What happens before an independent question.
    open func forget(_ llama: Llama) { llama.clear() }

    /// The logits from which the next token is chosen.
    open func logits(_ llama: Llama) -> [Float] { llama.logits() }

    public func render(_ chat: Chat) throws -> Turn {
        let (turn, _) = try prepared(.chat(chat))
        return turn
    }

    public func tokenize(_ text: Tokenization) throws -> [Token] {
        let llama = try loaded()
        let tokens = try llama.tokens(text.text, addSpecial: text.addSpecial, parseSpecial: text.parseSpecial)
        return tokens.map(llama.shown)
    }

    public func generate(_ question: Generation) throws -> Turn {
        let llama = try loaded()
        var (turn, tokens) = try prepared(question.prompt)
        forget(llama)
        try answer(
            llama, tokens, budget: question.maxTokens, stops: question.stopStrings, thinking: question.thinking, &turn)
        return turn
    }

    /// Renders everything anew in each turn; what is sent of the history, the conversation says.
    public func converse(_ conversation: Conversation) throws -> [Turn] {
        let llama = try loaded()
        var (turns, answers): ([Turn], [String]) = ([], [])
        for index in conversation.said.indices {
            var (turn, tokens) = try prepared(.chat(conversation.chat(turn: index, answers: answers)))
            forget(llama)
            try answer(
                llama, tokens, budget: conversation.maxTokens, stops: [], thinking: conversation.thinking, &turn)
            answers.append(turn.answer ?? "")
            turns.append(turn)
        }
        return turns
    }

    private func loaded() throws -> Llama {
        guard let llama else { throw Refusal(.load, .badRequest, "no model is loaded") }
        return llama
    }

    private func prepared(_ prompt: Prompt) throws -> (Turn, [llama_token]) {
        let llama = try loaded()
        var turn = Turn()
        var tokens: [llama_token]
        switch prompt {
        case .chat(let chat):
            let parts = try parts(chat)
            turn.prompt = parts.map(\.text).joined()
            tokens = try tokenized(parts, llama)
        case .text(let text):
            turn.prompt = text
            tokens = try llama.tokens(text, addSpecial: true, parseSpecial: true)
        case .tokens(let ids): tokens = ids
        }
        turn.promptTokens = tokens.map(llama.shown)
        return (turn, tokens)
    }

    /// In one go, since a cut changes the tokens beside it; part by part only where somebody's words hold a control
    /// token's text, which must stay text. The tokenizer adds BOS, so the template's is taken off.
    private func tokenized(_ parts: [Part], _ llama: Llama) throws -> [llama_token] {
        let bos = "<bos>"
        let forged = parts.contains { !$0.isTemplate && ($0.text.contains("<|") || $0.text.contains("_turn>")) }
        guard forged else {
            let prompt = parts.map(\.text).joined()
            let text = prompt.hasPrefix(bos) ? String(prompt.dropFirst(bos.count)) : prompt
            return try llama.tokens(text, addSpecial: true, parseSpecial: true)
        }
        var tokens = try llama.tokens("", addSpecial: true, parseSpecial: true)
        for part in parts where !part.text.isEmpty && part.text != bos {
            tokens += try llama.tokens(part.text, addSpecial: false, parseSpecial: part.isTemplate)
        }
        return tokens
    }

    private func answer(
        _ llama: Llama, _ prompt: [llama_token], budget: Int, stops: [String], thinking: ThinkingTags?, _ turn: inout Turn
    ) throws {
        var text = AnswerText(stops: stops, thinking: thinking, prompt: turn.prompt ?? "")
        var (next, code) = (prompt, Int32(0))
        while true {
            code = llama.decode(next)
            guard code == 0 else {
                turn.stop = Stop(code == 1 ? .contextFull : .decodeFailed)
                return
            }
            guard turn.generated.count < budget, let token = Self.likeliest(logits(llama)) else { break }
            turn.generated.append(llama.shown(token))
            if llama.endsGeneration(token) {
                turn.stop = Stop(.eog, token: token)
                break
            }
            text.add(llama.piece(token, special: text.needsControl(llama.piece(token, special: true))))
            if let stop = text.stopped {
                turn.stop = Stop(.stopString, string: stop)
                break
            }
            if turn.generated.count >= budget { break }
            next = [token]
        }
        turn.stop = turn.stop ?? Stop(.length)
        (turn.thinking, turn.answer) = text.split()
    }

    private static func likeliest(_ logits: [Float]) -> llama_token? {
        guard var best = logits.indices.first else { return nil }
        for index in logits.indices where logits[index] > logits[best] { best = index }
        return llama_token(best)
    }
}
