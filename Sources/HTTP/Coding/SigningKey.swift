import CSSL
import Glibc

/// A private key for ES256: ECDSA over the curve P-256, with SHA-256 (RFC 7518, 3.4).
///
/// `@unchecked Sendable` is safe because libcrypto lets any number of threads sign with one key at once, as long as
/// each has a context of its own, and the key never changes after reading.
package final class SigningKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// Reads a key in the format of a `.p8` file.
    package init(pem: String) throws(SigningKeyError) {
        // Errors left in this thread's queue would look like a failure of the next call.
        defer { ERR_clear_error() }
        let source = BIO_new(BIO_s_mem())
        defer { BIO_free(source) }
        let bytes = Array(pem.utf8)
        BIO_write(source, bytes, Int32(bytes.count))
        // Without this callback, libcrypto would prompt on the terminal for the password of an encrypted key.
        guard let key = PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil) else {
            throw SigningKeyError(
                "this is not a private key in PEM without a password; take the .p8 file as the service gave it out")
        }
        guard Self.isOnP256(key) else {
            EVP_PKEY_free(key)
            throw SigningKeyError("this private key is not of the curve P-256; take the .p8 file made for this service")
        }
        self.key = key
    }

    deinit {
        EVP_PKEY_free(key)
    }

    private static func isOnP256(_ key: OpaquePointer) -> Bool {
        var name = [CChar](repeating: 0, count: 32)
        return EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1
            && strcmp(name, SN_X9_62_prime256v1) == 0
    }

    /// Returns both numbers of the signature, 32 bytes each.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        // The maximum length in DER of two numbers of 32 bytes.
        var signature = [UInt8](repeating: 0, count: 72)
        var length = signature.count
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, &signature, &length, message, message.count) == 1
        else { preconditionFailure("libcrypto can't sign with a key of P-256") }
        return Self.numbers(in: signature, length)
    }

    /// libcrypto returns the numbers in DER; a JWT needs them without it.
    private static func numbers(in signature: [UInt8], _ length: Int) -> [UInt8] {
        var numbers = [UInt8](repeating: 0, count: 64)
        signature.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            let pair = d2i_ECDSA_SIG(nil, &start, length)
            defer { ECDSA_SIG_free(pair) }
            numbers.withUnsafeMutableBufferPointer { all in
                guard let first = all.baseAddress else { return }
                BN_bn2binpad(ECDSA_SIG_get0_r(pair), first, 32)
                BN_bn2binpad(ECDSA_SIG_get0_s(pair), first + 32, 32)
            }
        }
        return numbers
    }
}

/// The reason why a key file can't be used. Contains nothing of the file.
package struct SigningKeyError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
