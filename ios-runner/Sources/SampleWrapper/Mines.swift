// The sample wrapper with one of the field's mines each. Every one of them shipped in somebody's app.
import ConformanceCore
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Mine 1: what the simulator's Metal does. It loads, it emits tokens, and its logits mean nothing: here the token that
/// ends a turn never wins, and the model rambles to its budget.
public final class BrokenLogits: SampleWrapper {
    public override var name: String { "mine 1: logits as the simulator's Metal computes them" }

    public override func logits(_ llama: Llama) -> [Float] {
        llama.logits().enumerated().map { id, logit in llama.endsGeneration(Int32(id)) ? logit - 1000 : logit }
    }
}

/// Mine 2: thinking is on, whatever was asked for, and the budget goes into the thought.
public final class AlwaysThinking: SampleWrapper {
    public override var name: String { "mine 2: thinking is on" }

    public override func parts(_ chat: Chat) throws -> [Part] {
        var chat = chat
        chat.variables["enable_thinking"] = .bool(true)
        return try super.parts(chat)
    }
}

/// Mine 3: too little address space for the model, as without the entitlement on a phone.
public final class NoAddressSpace: SampleWrapper {
    public override var name: String { "mine 3: no address space" }

    public override func open(_ file: URL) throws -> Llama {
        #if canImport(Glibc)
        // Only what is mapped already may stay.
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").first
        let mapped = (pages.flatMap { rlim_t($0) } ?? 0) * rlim_t(sysconf(Int32(_SC_PAGESIZE)))
        var old = rlimit()
        getrlimit(__rlimit_resource_t(9), &old)  // RLIMIT_AS
        var less = rlimit(rlim_cur: mapped + 65_536, rlim_max: old.rlim_max)
        setrlimit(__rlimit_resource_t(9), &less)
        defer { setrlimit(__rlimit_resource_t(9), &old) }
        #endif
        return try super.open(file)
    }
}

/// Mine 4: the memory is not cleared, so the next question knows the last one, and every fourth dies.
public final class NeverCleared: SampleWrapper {
    public override var name: String { "mine 4: memory is never cleared" }
    public override func forget(_ llama: Llama) {}
}

/// Mine 5: no chat template, the words go to the model as they are.
public final class NoTemplate: SampleWrapper {
    public override var name: String { "mine 5: no chat template" }

    public override func parts(_ chat: Chat) throws -> [Part] {
        [.words(chat.messages.map(\.content).joined(separator: "\n"))]
    }
}
