// The probe in the library, as somebody who answers.
import CConformance
import ConformanceCore
import Foundation

public final class BridgeRespondent: Respondent {
    private let session: OpaquePointer
    private let ready: JSON

    /// Opens a session. `options` is JSON: see conformance.h.
    public init(options: String = "") throws {
        var frame = conformance_frame()
        let bytes = Array(options.utf8)
        session = conformance_open(bytes, bytes.count, &frame)
        ready = try JSONDecoder().decode(JSON.self, from: Self.copy(frame))
        if ready["ready"] == nil {
            // Everything is set by now, so deinit closes the session.
            let words = ready["reply"]?["observation"]?["ending"]?["refused"]?["message"]?.text
            throw ConformanceError(words ?? "the bridge gives no card")
        }
    }

    deinit { conformance_close(session) }

    public let followsTokens = true

    public func card() throws -> JSON {
        guard let card = ready["ready"]?["card"] else { throw ConformanceError("the bridge gives no card") }
        return card
    }

    public func observe(_ request: JSON) async throws -> Data {
        let frame = try JSON.object(["observe": request]).data()
        let reply = frame.withUnsafeBytes { bytes in
            Self.copy(conformance_observe(session, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
        }
        return try Self.observation(in: reply)
    }

    /// The bytes between `"observation":` and the two braces that close the reply: numbers stay as they were written.
    static func observation(in reply: Data) throws -> Data {
        let mark = Data("\"observation\":".utf8)
        guard let start = reply.range(of: mark)?.upperBound, reply.suffix(2) == Data("}}".utf8) else {
            throw ConformanceError("the bridge replied \(String(decoding: reply.prefix(200), as: UTF8.self))")
        }
        return reply[start..<reply.endIndex - 2]
    }

    private static func copy(_ frame: conformance_frame) -> Data { Data(bytes: frame.bytes, count: frame.length) }
}
