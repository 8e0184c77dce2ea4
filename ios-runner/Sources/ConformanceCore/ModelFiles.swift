// Model files: whole and the right ones, since a cut-off copy loads in silence and answers nonsense.
import Foundation

/// The folder of models.
struct ModelFiles {
    let folder: URL

    /// The file of `model`, whose size and hash are those of the sheet. It is read once: a note beside it remembers.
    func verified(_ model: SheetModel) throws -> URL {
        let file = folder.appendingPathComponent(model.file)
        guard let found = try? FileManager.default.attributesOfItem(atPath: file.path),
            let bytes = (found[.size] as? NSNumber)?.int64Value
        else {
            throw ConformanceError("\(model.file) is not in \(folder.path); push it with `cargo xtask device push-model`")
        }
        guard bytes == model.bytes else {
            throw ConformanceError("\(model.file) has \(bytes) bytes here and \(model.bytes) on the Mac; push it again")
        }
        let changed = (found[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        let note = folder.appendingPathComponent(model.file + ".verified")
        let line = "\(model.sha256) \(bytes) \(changed)"
        if let noted = try? String(contentsOf: note, encoding: .utf8), noted == line { return file }
        guard try SHA256Sum.of(file) == model.sha256 else {
            throw ConformanceError("\(model.file) is not the file that was pushed, its SHA-256 differs; push it again")
        }
        try? Data(line.utf8).write(to: note, options: .atomic)
        return file
    }
}
