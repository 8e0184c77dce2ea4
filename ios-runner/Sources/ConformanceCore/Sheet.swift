// The sheet of questions that `cargo xtask device sheet` writes.
import Foundation

public struct Sheet: Decodable, Sendable {
    /// Another version is refused: neither side guesses.
    public static let version = 1

    public let version: Int
    public let id: String
    public let subject: String
    public let models: [SheetModel]
    public let questions: [Question]

    /// Reads a sheet.
    public static func read(_ file: URL) throws -> Sheet {
        guard let text = try? Data(contentsOf: file) else {
            throw ConformanceError("there is no sheet at \(file.path); `cargo xtask device sheet` writes one")
        }
        struct Version: Decodable { let version: Int }
        let found = try JSONDecoder().decode(Version.self, from: text).version
        guard found == version else {
            throw ConformanceError("the sheet has version \(found), and this package reads \(version); take both of one checkout")
        }
        return try JSONDecoder().decode(Sheet.self, from: text)
    }
}

/// A model file that must lie in the folder of models.
public struct SheetModel: Decodable, Sendable {
    public let file: String
    public let bytes: Int64
    public let sha256: String
}

/// One question. Its request goes on as it came.
public struct Question: Decodable, Sendable {
    public let key: String
    public let `case`: String
    public let file: String
    public let needs: [String]
    public let request: JSON
}

/// The harness could not ask. It is never a subject's fault.
public struct ConformanceError: Error, CustomStringConvertible, Sendable {
    public let description: String
    public init(_ description: String) { self.description = description }
}
