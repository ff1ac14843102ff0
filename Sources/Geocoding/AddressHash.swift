/// The key of an address. Addresses with equal hashes share one question.
///
/// Hashes are stored and decide which addresses are geocoded again, so the recipe of a version never changes. A new
/// recipe needs a new version and a migration.
public struct AddressHash: Hashable, Sendable {
    private let words: SIMD8<UInt32>

    public init(_ address: Address) {
        self.init(digestOf: HashedText(address).utf8)
    }

    package init(digestOf text: String) { self.init(digestOf: Array(text.utf8)) }

    init(digestOf text: [UInt8]) {
        words = SIMD8(SHA256.digest(of: text))
    }

    /// Reads a stored hash. Returns nil unless there are 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        var words = SIMD8<UInt32>()
        for (position, byte) in bytes.enumerated() {
            words[position / 4] = words[position / 4] << 8 | UInt32(byte)
        }
        self.words = words
    }

    public var bytes: [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 4] >> UInt32(24 - $0 % 4 * 8)) }
    }
}

extension AddressHash: Comparable {
    /// Compares the bytes in order, as an index over them does.
    public static func < (left: AddressHash, right: AddressHash) -> Bool {
        for place in 0..<8 where left.words[place] != right.words[place] {
            return left.words[place] < right.words[place]
        }
        return false
    }
}

extension AddressHash: CustomStringConvertible {
    /// In hexadecimal digits.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension AddressHash {
    /// The hash of an account's address whose answer is a pin.
    ///
    /// It contains the account, so that another account with the same address never finds the pin. Stored: the recipe
    /// of a version never changes.
    package func pinned(in account: Int) -> AddressHash {
        AddressHash(digestOf: Array("pin1\u{1F}\(account)\u{1F}".utf8) + bytes)
    }
}
