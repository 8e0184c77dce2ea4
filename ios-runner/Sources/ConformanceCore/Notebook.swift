// Answers as files, each whole or not there, so that what was answered before a crash is kept.
import Foundation

/// A folder of answers to one sheet.
struct Notebook {
    let folder: URL
    let sheet: String

    init(folder: URL, sheet: String) throws {
        self.folder = folder
        self.sheet = sheet
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try clearIfOfAnother()
    }

    /// Answers to another sheet would only be left aside later.
    private func clearIfOfAnother() throws {
        let note = folder.appendingPathComponent("sheet.id")
        if let old = try? String(contentsOf: note, encoding: .utf8), old != sheet {
            for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
                try FileManager.default.removeItem(at: file)
            }
        }
        try Data(sheet.utf8).write(to: note, options: .atomic)
    }

    func file(_ question: Question) -> URL { folder.appendingPathComponent(question.file) }
    private func marker(_ question: Question) -> URL { folder.appendingPathComponent(question.file + ".started") }

    func isAnswered(_ question: Question) -> Bool { FileManager.default.fileExists(atPath: file(question).path) }

    /// Whether the app died when it was asked.
    func wasBegun(_ question: Question) -> Bool { FileManager.default.fileExists(atPath: marker(question).path) }

    func begin(_ question: Question) throws { try Data().write(to: marker(question)) }

    /// Writes one answer: JSON of the respondent stands in it as it came, so that no number changes.
    func write(_ question: Question, followed: Bool, card: Data, observation: Data, device: DeviceState) throws -> Data {
        var text = Data("{\"version\":\(Sheet.version),\"sheet\":".utf8)
        text += try JSON.string(sheet).data()
        text += Data(",\"key\":".utf8) + (try JSON.string(question.key).data())
        text += Data(",\"followed\":\(followed),\"card\":".utf8) + card
        text += Data(",\"observation\":".utf8) + observation
        text += Data(",\"device\":".utf8) + (try JSONEncoder().encode(device)) + Data("}\n".utf8)
        try text.write(to: file(question), options: .atomic)
        try? FileManager.default.removeItem(at: marker(question))
        return text
    }
}
