import CSSL
import Foundation
import HTTP
import Testing

@testable import Providers

struct SigningKeyTests {
    @Test func `Apple's token is signed with the key and has issuer and expiry`() throws {
        let key = TestKey("P-256")
        let account = try AppleMapsAccount(key: key.pem, keyID: "KEY1", team: "TEAM1", origin: "example.org")
        let parts = try account.token(now: 1_800_000_000).split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        #expect(json(parts[0]) == ["alg": "ES256", "kid": "KEY1", "typ": "JWT"])
        #expect(
            json(parts[1]) == [
                "iss": "TEAM1", "iat": "1800000000", "exp": "1800001800", "origin": "example.org",
            ])
        #expect(bytes(parts[2]).count == 64)
        #expect(key.verifies(bytes(parts[2]), of: "\(parts[0]).\(parts[1])"))
        #expect(!key.verifies(bytes(parts[2]), of: "\(parts[0]).\(parts[1])x"))
    }

    /// One number in 256 is a byte shorter in DER.
    @Test func `short numbers in the signature are padded with zeros`() throws {
        let key = TestKey("P-256")
        let signer = try SigningKey(pem: key.pem)
        for number in 0..<1_000 {
            let signature = signer.sign(Array("\(number)".utf8))
            #expect(key.verifies(signature, of: "\(number)"))
        }
    }

    @Test func `without an origin, the token has none`() throws {
        let account = try AppleMapsAccount(key: TestKey("P-256").pem, keyID: "KEY1", team: "TEAM1")
        let claims = try account.token(now: 0).split(separator: ".").map(String.init)[1]
        #expect(json(claims)["origin"] == nil)
    }

    @Test func `a text that is not a key is refused and not quoted`() {
        for text in ["", "secret", "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----\n"] {
            let error = #expect(throws: SigningKeyError.self) { try SigningKey(pem: text) }
            #expect(error?.description.contains("not a private key in PEM") == true)
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test func `a key of another curve is refused`() {
        let error = #expect(throws: SigningKeyError.self) { try SigningKey(pem: TestKey("P-384").pem) }
        #expect(error?.description.contains("not of the curve P-256") == true)
    }

    private func bytes(_ part: String) -> [UInt8] {
        let text = part.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: text + padding).map(Array.init) ?? []
    }

    private func json(_ part: String) -> [String: String] {
        let object = try? JSONSerialization.jsonObject(with: Data(bytes(part))) as? [String: Any]
        return (object ?? [:]).mapValues { "\($0)" }
    }
}

/// A key pair for a test. libcrypto itself checks the signatures.
final class TestKey {
    let pem: String
    private let key: OpaquePointer?

    init(_ curve: String) {
        let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        EVP_PKEY_keygen_init(context)
        EVP_PKEY_CTX_set_group_name(context, curve)
        var key: OpaquePointer?
        EVP_PKEY_generate(context, &key)
        self.key = key
        let sink = BIO_new(BIO_s_mem())
        defer { BIO_free(sink) }
        PEM_write_bio_PKCS8PrivateKey(sink, key, nil, nil, 0, nil, nil)
        var text = [UInt8](repeating: 0, count: 4_096)
        let length = BIO_read(sink, &text, Int32(text.count))
        pem = String(decoding: text.prefix(Int(max(0, length))), as: UTF8.self)
    }

    deinit {
        EVP_PKEY_free(key)
    }

    func verifies(_ signature: [UInt8], of message: String) -> Bool {
        let pair = ECDSA_SIG_new()
        defer { ECDSA_SIG_free(pair) }
        ECDSA_SIG_set0(pair, BN_bin2bn(signature, 32, nil), BN_bin2bn(Array(signature.suffix(32)), 32, nil))
        var der: UnsafeMutablePointer<UInt8>?
        let length = i2d_ECDSA_SIG(pair, &der)
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            CRYPTO_free(der, #file, #line)
        }
        let bytes = Array(message.utf8)
        EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key)
        return EVP_DigestVerify(context, der, Int(length), bytes, bytes.count) == 1
    }
}
