import CMicrohttpd
import Operations

/// The certificate with which a server speaks TLS, and its key. It can be replaced while the server runs: connections that are open keep
/// theirs, and those that come get the new one.
package final class ServerCertificate: Sendable {
    private let state: Locked<Issue>

    /// Both as PEM text, the certificate with its chain.
    package init(_ certificate: String, key: String) throws(ServerError) {
        state = Locked(try Issue(certificate, key: key))
    }

    /// From now on it is this one. Where it can't be used, it stays what it was.
    package func replace(by certificate: String, key: String) throws(ServerError) {
        let issue = try Issue(certificate, key: key)
        state.withLock { $0 = issue }
    }

    var issue: Issue { state.withLock { $0 } }

    /// What it is at one time. A connection holds its own, because GnuTLS reads it until the handshake is over.
    ///
    /// `@unchecked Sendable` is safe because it is written in `init` only.
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
