// One screen: who is asked, how far it is, and what became of each case.
import ConformanceCore
import SwiftUI

@main
struct ConformanceApp: App {
    var body: some Scene {
        WindowGroup { ProgressScreen() }
    }
}

struct ProgressScreen: View {
    @State private var progress = Progress()

    var body: some View {
        NavigationStack {
            List {
                Section(progress.subject) {
                    ProgressView(value: Double(progress.states.count), total: Double(max(progress.total, 1)))
                    Text(progress.line).accessibilityIdentifier("progress")
                }
                ForEach(progress.states.reversed(), id: \.key) { state in
                    LabeledContent(state.key, value: state.outcome)
                }
            }
            .navigationTitle("llama-conformance")
            .toolbar { Button("Ask everything") { Task { await progress.askAll() } }.disabled(progress.isAsking) }
            // The UI tests start it this way; under unit tests the tests ask.
            .task { if CommandLine.arguments.contains("--ask-all") { await progress.askAll() } }
        }
    }
}

@MainActor @Observable
final class Progress {
    private(set) var subject = "no sheet yet"
    private(set) var line = "cargo xtask device push-model"
    private(set) var total = 0
    private(set) var states: [(key: String, outcome: String)] = []
    private(set) var isAsking = false

    func askAll() async {
        isAsking = true
        defer { isAsking = false }
        do {
            let run = try await Task.detached { try Host.run() }.value
            (subject, total, states) = (run.sheet.subject, run.sheet.questions.count, [])
            for question in run.sheet.questions {
                line = question.key
                let outcome = try await Task.detached { try await run.ask(question) }.value
                states.append((question.key, "\(outcome)"))
            }
            line = "finished"
        } catch {
            line = "\(error)"
        }
    }
}
