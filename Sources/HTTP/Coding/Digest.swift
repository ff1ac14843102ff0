import CSSL
import Processes

/// SHA-256 from libcrypto, which uses the processor's special instructions.
package enum Digest {
    package static let size = 32

    package static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let message = Array(bytes)
        var digest = [UInt8](repeating: 0, count: size)
        guard EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256")
        }
        return digest
    }

    /// The first 128 bits of the digest, in hexadecimal digits.
    package static func identifier(of bytes: some Sequence<UInt8>) -> String {
        Array(sha256(bytes).prefix(16)).hexadecimal
    }

    /// Compares in constant time, so the time doesn't reveal the first difference.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }
}
