// Where things lie in the app's container, and the one run over them.
import ConformanceBridge
import ConformanceCore
import Foundation

enum Host {
    /// `cargo xtask device push-model` fills it: sheet.json and models/; answers/ is made here.
    static let folder = URL.documentsDirectory.appending(path: "conformance")
    static var answers: URL { folder.appending(path: "answers") }

    /// How the bridge is opened: `Phone::options` of harness/device. Test plans and xctestruns set it.
    static var options: String { ProcessInfo.processInfo.environment["CONFORMANCE_OPTIONS"] ?? "" }

    /// What was pushed, or what `cargo xtask device bundle` has put into the app for a farm.
    static var questions: URL {
        let pushed = FileManager.default.fileExists(atPath: folder.appending(path: "sheet.json").path)
        return pushed ? folder : Bundle.main.bundleURL.appending(path: "conformance")
    }

    static func run(attach: @escaping (String, Data) -> Void = { _, _ in }) throws -> ConformanceRun {
        try ConformanceRun(
            sheet: .read(questions.appending(path: "sheet.json")), respondent: BridgeRespondent(options: options),
            models: questions.appending(path: "models"), answers: answers, attach: attach)
    }
}
