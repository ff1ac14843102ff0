import CMicrohttpd
import Processes

/// The TLS certificate of a server, and its key. It can be replaced while the server runs: open connections keep
/// theirs, and new ones get the new one.
package final class ServerCertificate: Sendable {
    private let state: Locked<Issue>

    /// Both are PEM text; the certificate includes its chain.
    package init(_ certificate: String, key: String) throws(ServerError) {
        state = Locked(try Issue(certificate, key: key))
    }

    /// Uses another certificate for new connections. If the new one is invalid, the old one stays.
    package func replace(by certificate: String, key: String) throws(ServerError) {
        let issue = try Issue(certificate, key: key)
        state.withLock { $0 = issue }
    }

    var issue: Issue { state.withLock { $0 } }

    /// One version of the certificate. A connection keeps its own, because GnuTLS reads it until the handshake is over.
    ///
    /// `@unchecked Sendable` is safe because it is written only in `init`.
    final class Issue: @unchecked Sendable {
        let raw: UnsafeMutablePointer<server_certificate>

        init(_ certificate: String, key: String) throws(ServerError) {
            var failure: Int32 = 0
            guard let raw = server_certificate_make(certificate, key, &failure) else {
                let reason = String(cString: gnutls_strerror(failure))
                throw ServerError(
                    description:
                        "the TLS certificate and key can't be used; both must be PEM text and belong together: \(reason)"
                )
            }
            self.raw = raw
        }

        deinit { server_certificate_free(raw) }
    }
}
