// llama.cpp's C interface, as much of it as a chat needs.
import CLlama
import ConformanceCore
import Foundation

/// A model and one context.
public final class Llama {
    let model: OpaquePointer
    let context: OpaquePointer
    let vocab: OpaquePointer

    public init(_ file: URL, contextSize: UInt32 = 512) throws {
        Log.shared.begin()
        llama_backend_init()
        var load = llama_model_default_params()
        // The simulator's Metal emits tokens that mean nothing; on a device all layers go to the GPU.
        #if targetEnvironment(simulator)
        load.n_gpu_layers = 0
        #endif
        guard let model = llama_model_load_from_file(file.path, load) else { throw Log.shared.loadRefusal() }
        var wanted = llama_context_default_params()
        wanted.n_ctx = contextSize
        wanted.n_threads = 1
        wanted.n_threads_batch = 1
        guard let context = llama_init_from_model(model, wanted) else {
            llama_model_free(model)
            throw Refusal(.load, .contextFailed, Log.shared.lastProblem())
        }
        self.model = model
        self.context = context
        vocab = llama_model_get_vocab(model)
    }

    deinit {
        llama_free(context)
        llama_model_free(model)
    }

    /// The model file's own template.
    var template: String? { llama_model_chat_template(model, nil).map { String(cString: $0) } }

    func tokens(_ text: String, addSpecial: Bool, parseSpecial: Bool) throws -> [llama_token] {
        let length = Int32(text.utf8.count)
        var tokens = [llama_token](repeating: 0, count: Int(length) + 8)
        let count = llama_tokenize(vocab, text, length, &tokens, Int32(tokens.count), addSpecial, parseSpecial)
        guard count >= 0 else { throw Refusal(.tokens, .tokenizeFailed, "llama_tokenize returned \(count)") }
        return Array(tokens.prefix(Int(count)))
    }

    func piece(_ token: llama_token, special: Bool) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = llama_token_to_piece(vocab, token, &buffer, Int32(buffer.count), 0, special)
        return buffer.prefix(Int(max(count, 0))).map { UInt8(bitPattern: $0) }
    }

    /// A token as it is shown to the harness.
    func shown(_ token: llama_token) -> Token {
        Token(id: token, piece: piece(token, special: true), kind: kind(token))
    }

    func kind(_ token: llama_token) -> Token.Kind {
        let attributes = llama_vocab_get_attr(vocab, token).rawValue
        func has(_ flag: llama_token_attr) -> Bool { attributes & flag.rawValue != 0 }
        if has(LLAMA_TOKEN_ATTR_CONTROL) { return .control }
        if has(LLAMA_TOKEN_ATTR_USER_DEFINED) { return .userDefined }
        return has(LLAMA_TOKEN_ATTR_BYTE) ? .byte : .normal
    }

    /// Forgets everything; without it the next question goes on where this one ended.
    func clear() { llama_memory_clear(llama_get_memory(context), true) }

    /// Decodes `tokens` after those that are there; llama.cpp's code.
    func decode(_ tokens: [llama_token]) -> Int32 {
        var tokens = tokens
        return tokens.withUnsafeMutableBufferPointer { buffer in
            llama_decode(context, llama_batch_get_one(buffer.baseAddress, Int32(buffer.count)))
        }
    }

    /// The logits after the last token.
    func logits() -> [Float] {
        guard let logits = llama_get_logits_ith(context, -1) else { return [] }
        return Array(UnsafeBufferPointer(start: logits, count: Int(llama_vocab_n_tokens(vocab))))
    }

    func endsGeneration(_ token: llama_token) -> Bool { llama_vocab_is_eog(vocab, token) }
}

/// What llama.cpp says when it refuses: its return values don't.
final class Log: @unchecked Sendable {
    static let shared = Log()
    private let lock = NSLock()
    private var problems: [String] = []

    private init() {
        llama_log_set({ level, text, _ in
            guard let text, level.rawValue >= GGML_LOG_LEVEL_WARN.rawValue else { return }
            Log.shared.add(String(cString: text))
        }, nil)
    }

    func begin() { lock.withLock { problems = [] } }
    private func add(_ text: String) { lock.withLock { problems.append(text) } }

    func lastProblem() -> String {
        lock.withLock { problems.last { !$0.contains("failed to load model") } ?? problems.last ?? "llama.cpp returned null" }
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func loadRefusal() -> Refusal {
        let said = lock.withLock { problems }
        for (sign, code) in [("mmap failed", Refusal.Code.mmapFailed), ("unable to allocate", .allocationFailed)] {
            if let line = said.first(where: { $0.contains(sign) }) {
                return Refusal(.load, code, line.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        return Refusal(.load, .loadFailed, lastProblem())
    }
}
