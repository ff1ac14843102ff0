import CSSL
import Glibc
import Processes

/// The TLS certificate of a server, and its key. It can be replaced while the server runs: open connections keep
/// theirs, and new ones get the new one.
package final class ServerCertificate: Sendable {
    private let current: Locked<(context: TLSContext, end: Int)>

    /// Both are PEM text; the certificate includes its chain.
    package init(_ certificate: String, key: String) throws(ServerError) {
        current = Locked((try TLSContext(certificate, key: key), Self.end(of: certificate) ?? 0))
    }

    /// Uses another certificate for new connections. If the new one is invalid, the old one stays.
    package func replace(by certificate: String, key: String) throws(ServerError) {
        let new = (try TLSContext(certificate, key: key), Self.end(of: certificate) ?? 0)
        current.withLock { $0 = new }
    }

    /// The end of the validity, see ``end(of:)``.
    package var end: Int { current.withLock { $0.end } }

    /// The earliest end of the certificates in PEM text, in seconds since 1970. Nil if there is none.
    package static func end(of certificate: String) -> Int? {
        TLSContext.withText(certificate) { text in
            var end: Int?
            while let text, let next = PEM_read_bio_X509_AUX(text, nil, noPassword, nil) {
                defer { X509_free(next) }
                var time = tm()
                guard ASN1_TIME_to_tm(X509_get0_notAfter(next), &time) == 1 else { continue }
                end = min(end ?? .max, timegm(&time))
            }
            ERR_clear_error()
            return end
        }
    }

    /// A session for a new connection; nil if there is no memory.
    func session(on descriptor: Int32) -> TLSSession? {
        TLSSession(current.withLock { $0.context }, on: descriptor)
    }
}

/// OpenSSL's settings for new sessions, with one version of the certificate.
///
/// `@unchecked Sendable` is safe because `raw` is changed only in `init`, and OpenSSL locks what sessions share.
final class TLSContext: @unchecked Sendable {
    let raw: OpaquePointer

    init(_ certificate: String, key: String) throws(ServerError) {
        ERR_clear_error()
        guard let raw = SSL_CTX_new(TLS_server_method()) else { throw Self.failure() }
        self.raw = raw
        guard setRules(), use(certificate), useKey(key) else { throw Self.failure() }
    }

    deinit { SSL_CTX_free(raw) }

    /// TLS 1.2 and 1.3, with forward secrecy and authenticated encryption, and without SHA-1 signatures:
    /// https://wiki.mozilla.org/Security/Server_Side_TLS
    ///
    /// Renegotiation is refused, because it costs the server much and the client little. Sessions are not resumed: a
    /// key for tickets would undo the forward secrecy of TLS 1.2, and kept sessions need memory.
    private func setRules() -> Bool {
        SSL_CTX_set_options(raw, server_options)
        SSL_CTX_set_num_tickets(raw, 0)
        SSL_CTX_ctrl(raw, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        SSL_CTX_ctrl(raw, SSL_CTRL_MODE, server_modes, nil)
        SSL_CTX_set_alpn_select_cb(
            raw,
            { _, selected, length, offered, count, _ in
                TLSContext.selectProtocol(selected, length, offered, count)
            }, nil)
        let hashes = ["SHA256", "SHA384", "SHA512"]
        let signatures = ["ECDSA", "RSA-PSS", "RSA"].flatMap { kind in hashes.map { "\(kind)+\($0)" } }
        return SSL_CTX_ctrl(raw, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1
            && SSL_CTX_set_cipher_list(raw, "ECDHE+AES256+AESGCM:ECDHE+CHACHA20:ECDHE+AES128+AESGCM:!aNULL:!PSK") == 1
            && (signatures + ["ed25519", "ed448"]).joined(separator: ":").withCString {
                SSL_CTX_ctrl(raw, SSL_CTRL_SET_SIGALGS_LIST, 0, UnsafeMutableRawPointer(mutating: $0)) == 1
            }
    }

    /// A client that offers protocols, and HTTP/1.1 not among them, is refused: RFC 7301, 3.2.
    fileprivate static func selectProtocol(
        _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ length: UnsafeMutablePointer<UInt8>?,
        _ offered: UnsafePointer<UInt8>?, _ count: UInt32
    ) -> Int32 {
        // Each name follows its length in one byte.
        let all = UnsafeBufferPointer(start: offered, count: Int(count))
        guard let place = all.firstRange(of: [8] + Array("http/1.1".utf8)) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        selected?.pointee = all.baseAddress.map { $0 + place.lowerBound + 1 }
        length?.pointee = 8
        return SSL_TLSEXT_ERR_OK
    }

    /// The first certificate is the server's, and the others lead from it to a known authority.
    private func use(_ certificate: String) -> Bool {
        Self.withText(certificate) { text in
            guard let text, let own = PEM_read_bio_X509_AUX(text, nil, noPassword, nil) else { return false }
            defer { X509_free(own) }
            guard SSL_CTX_use_certificate(raw, own) == 1 else { return false }
            while let next = PEM_read_bio_X509(text, nil, noPassword, nil) {
                guard SSL_CTX_ctrl(raw, SSL_CTRL_CHAIN_CERT, 0, UnsafeMutableRawPointer(next)) == 1 else {
                    X509_free(next)
                    return false
                }
            }
            // The reader stops with an error at the end of the text, too.
            ERR_clear_error()
            return true
        }
    }

    private func useKey(_ key: String) -> Bool {
        Self.withText(key) { text in
            guard let text, let key = PEM_read_bio_PrivateKey(text, nil, noPassword, nil) else { return false }
            defer { EVP_PKEY_free(key) }
            return SSL_CTX_use_PrivateKey(raw, key) == 1 && SSL_CTX_check_private_key(raw) == 1
        }
    }

    /// Lets OpenSSL read a text. The reader is nil if there is no memory, or the text is longer than 2 GiB.
    fileprivate static func withText<Value>(_ text: String, _ body: (OpaquePointer?) -> Value) -> Value {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { bytes in
            let reader = Int32(exactly: bytes.count).flatMap { BIO_new_mem_buf(bytes.baseAddress, $0) }
            defer { BIO_free(reader) }
            return body(reader)
        }
    }

    private static func failure() -> ServerError {
        let reason = ERR_reason_error_string(ERR_get_error()).map { String(cString: $0) } ?? "out of memory"
        return ServerError(
            description: "the TLS certificate and key can't be used; both must be PEM text and belong together: "
                + reason)
    }
}

/// Without it, OpenSSL asks for the password of a key on the terminal.
private func noPassword(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }
