// SHA-256 of a file: Apple's, and on other systems one written after FIPS 180-4.
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#endif

enum SHA256Sum {
    /// In hexadecimal.
    static func of(_ file: URL) throws -> String {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var hash = Hash()
        while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty { hash.update(chunk) }
        return hash.finish().map(hexadecimal).joined()
    }

    #if canImport(CryptoKit)
    struct Hash {
        private var hash = SHA256()
        mutating func update(_ data: Data) { hash.update(data: data) }
        mutating func finish() -> [UInt8] { Array(hash.finalize()) }
    }
    #else
    typealias Hash = PlainSHA256
    #endif
}

/// FIPS 180-4, section 6.2.
struct PlainSHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var rest: [UInt8] = []
    private var length: UInt64 = 0

    /// The fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = {
        var primes: [Int] = []
        var candidate = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map { prime in
            let root = Foundation.pow(Double(prime), 1.0 / 3.0)
            return UInt32((root - root.rounded(.down)) * 4_294_967_296)
        }
    }()

    mutating func update(_ data: Data) {
        length += UInt64(data.count)
        rest += data
        let whole = rest.count / 64 * 64
        for start in stride(from: 0, to: whole, by: 64) { compress(rest[start..<start + 64]) }
        rest.removeFirst(whole)
    }

    mutating func finish() -> [UInt8] {
        let bits = length * 8
        rest.append(0x80)
        while rest.count % 64 != 56 { rest.append(0) }
        rest += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        for start in stride(from: 0, to: rest.count, by: 64) { compress(rest[start..<start + 64]) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private mutating func compress(_ block: ArraySlice<UInt8>) {
        let bytes = Array(block)
        var words = [UInt32](repeating: 0, count: 64)
        for index in 0..<16 {
            words[index] = bytes[4 * index..<4 * index + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
        for index in 16..<64 {
            let (a, b) = (words[index - 15], words[index - 2])
            let first = rotated(a, 7) ^ rotated(a, 18) ^ a >> 3
            let second = rotated(b, 17) ^ rotated(b, 19) ^ b >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var v = state
        for index in 0..<64 {
            let sum1 = rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)
            let choice = v[4] & v[5] ^ ~v[4] & v[6]
            let one = v[7] &+ sum1 &+ choice &+ Self.constants[index] &+ words[index]
            let sum0 = rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)
            let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
            v = [one &+ sum0 &+ majority, v[0], v[1], v[2], v[3] &+ one, v[4], v[5], v[6]]
        }
        for index in 0..<8 { state[index] = state[index] &+ v[index] }
    }
}
