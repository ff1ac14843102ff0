import CSSL

/// AES with a key of 256 bits in Galois/Counter Mode (NIST SP 800-38D): without the key, sealed data can be neither
/// read nor changed.
package enum AESGCM {
    package static let keyLength = 32
    package static let nonceLength = 12
    package static let tagLength = 16

    /// The same nonce must never be used twice with one key. `context` is not stored, and must be the same when
    /// opening.
    package static func seal(
        _ plain: [UInt8], key: [UInt8], nonce: [UInt8], context: [UInt8]
    ) -> (sealed: [UInt8], tag: [UInt8]) {
        precondition(key.count == keyLength && nonce.count == nonceLength, "a key or a nonce of another length")
        let cipher = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(cipher) }
        // One byte more, because an empty array has no address, and for libcrypto a null pointer has another meaning.
        var sealed = [UInt8](repeating: 0, count: plain.count + 1)
        var tag = [UInt8](repeating: 0, count: tagLength)
        var length: Int32 = 0
        guard EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            EVP_EncryptUpdate(cipher, nil, &length, context + [0], Int32(context.count)) == 1,
            EVP_EncryptUpdate(cipher, &sealed, &length, plain + [0], Int32(plain.count)) == 1,
            EVP_EncryptFinal_ex(cipher, nil, &length) == 1,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), &tag) == 1
        else { preconditionFailure("libcrypto can't encrypt with AES-256-GCM") }
        return (Array(sealed.prefix(plain.count)), tag)
    }

    /// Returns nil if key, nonce, context, tag and sealed data don't belong together.
    package static func open(
        _ sealed: [UInt8], tag: [UInt8], key: [UInt8], nonce: [UInt8], context: [UInt8]
    ) -> [UInt8]? {
        guard key.count == keyLength, nonce.count == nonceLength, tag.count == tagLength else { return nil }
        let cipher = EVP_CIPHER_CTX_new()
        defer {
            EVP_CIPHER_CTX_free(cipher)
            // An error left in this thread's queue would look like a failure of the next call.
            ERR_clear_error()
        }
        var plain = [UInt8](repeating: 0, count: sealed.count + 1)
        var tag = tag
        var length: Int32 = 0
        guard EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            EVP_DecryptUpdate(cipher, nil, &length, context + [0], Int32(context.count)) == 1,
            EVP_DecryptUpdate(cipher, &plain, &length, sealed + [0], Int32(sealed.count)) == 1,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) == 1,
            EVP_DecryptFinal_ex(cipher, nil, &length) == 1
        else { return nil }
        return Array(plain.prefix(sealed.count))
    }

    package static func random(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, Int32(count)) == 1 else { preconditionFailure("libcrypto has no random bytes") }
        return bytes
    }
}

extension Digest {
    /// HMAC (RFC 2104): only an owner of the key can compute it.
    package static func authenticate(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: size)
        var length: UInt32 = 0
        guard HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &code, &length) != nil else {
            preconditionFailure("libcrypto can't make an HMAC")
        }
        return code
    }
}
