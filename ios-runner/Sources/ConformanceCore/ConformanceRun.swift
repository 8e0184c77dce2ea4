// One run: a sheet, somebody who answers, and a folder that the answers go to.
import Foundation

/// One question at a time: it may move between threads, and is never used by two at once.
public final class ConformanceRun: @unchecked Sendable {
    /// What became of one question.
    public enum Outcome: Equatable, Sendable {
        case answered
        /// It was answered before; after a crash the run goes on where it was.
        case already
        /// The app died when it was asked, and it is not asked again.
        case died
        /// The subject cannot be asked this.
        case cannot(String)
    }

    public let sheet: Sheet
    private let respondent: Respondent
    private let notebook: Notebook
    private let models: ModelFiles
    private let attach: (String, Data) -> Void
    private var card: Data?

    /// - Parameters:
    ///   - models: the folder with the sheet's model files
    ///   - answers: the folder that gets one file an answer
    ///   - attach: is called with each answer, to attach it to the test that asked
    public init(
        sheet: Sheet, respondent: Respondent, models: URL, answers: URL,
        attach: @escaping (String, Data) -> Void = { _, _ in }
    ) throws {
        self.sheet = sheet
        self.respondent = respondent
        self.models = ModelFiles(folder: models)
        self.attach = attach
        notebook = try Notebook(folder: answers, sheet: sheet.id)
    }

    /// Asks every question of `case`.
    @discardableResult
    public func ask(_ case: String) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for question in sheet.questions where question.case == `case` { outcomes.append(try await ask(question)) }
        return outcomes
    }

    /// Asks everything, in the sheet's order, which loads each model once.
    @discardableResult
    public func askAll(_ progress: (Question, Outcome) -> Void = { _, _ in }) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for question in sheet.questions {
            let outcome = try await ask(question)
            progress(question, outcome)
            outcomes.append(outcome)
        }
        return outcomes
    }

    public func ask(_ question: Question) async throws -> Outcome {
        if notebook.isAnswered(question) {
            // The attachment of a run that died is lost, the file is not.
            if let data = try? Data(contentsOf: notebook.file(question)) { attach(question.file, data) }
            return .already
        }
        if let missing = Set(question.needs).subtracting(try respondent.capabilities()).sorted().first {
            return .cannot("no capability \(missing)")
        }
        if notebook.wasBegun(question) { return .died }
        let request = try placed(question.request)
        try notebook.begin(question)
        let before = DeviceReading.now()
        let observation = try await respondent.observe(request)
        let device = DeviceState(before: before, after: .now())
        let card = try self.card ?? respondent.card().data()
        self.card = card
        let data = try notebook.write(
            question, followed: respondent.followsTokens, card: card, observation: observation, device: device)
        attach(question.file, data)
        return .answered
    }

    /// The request with the paths that its models have here.
    private func placed(_ request: JSON) throws -> JSON {
        var request = request
        for key in ["model", "adapter"] {
            guard var spec = request[key], let name = spec["path"]?.text else { continue }
            guard let model = sheet.models.first(where: { $0.file == name }) else {
                throw ConformanceError("the sheet asks about \(name) and does not list it; make it again")
            }
            spec["path"] = .string(try models.verified(model).path)
            request[key] = spec
        }
        return request
    }
}
