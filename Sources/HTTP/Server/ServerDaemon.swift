import CMicrohttpd
import Glibc
import Processes

/// Runs libmicrohttpd for one ``HTTPServer``, on a thread of its own.
final class ServerDaemon: Sendable {
    let server: HTTPServer
    let connections: ServerConnections
    /// Safe because it is written once, at the end of `init`. Before that only libmicrohttpd's thread has this object,
    /// and that thread never reads the variable. libmicrohttpd itself locks the calls that use it.
    nonisolated(unsafe) private(set) var raw: OpaquePointer?

    init(_ server: HTTPServer, on socket: ListeningSocket) throws(ServerError) {
        self.server = server
        let options = server.options
        connections = ServerConnections(
            limits: ServerConnections.Limits(
                all: max(1, min(options.connections, OpenFiles.limit / 2)), ofClient: options.connectionsPerClient,
                reserve: options.reserve, quiet: options.quietBeforeLeaving))
        guard ServerGate.isInPlace else {
            close(socket.descriptor)
            throw ServerError(
                description: "the HTTP server can't start: it can't read along with this libmicrohttpd "
                    + "(\(String(cString: MHD_get_version()))), and would be lax about what it reads")
        }
        // If the start fails, libmicrohttpd closes the socket. A second close could hit a new socket with the same
        // descriptor.
        guard let started = start(on: socket) else {
            throw ServerError(
                description: server.options.tls == nil
                    ? "the HTTP server can't start; the system gave no thread or no memory"
                    : "the HTTP server can't start; the system gave no thread or no memory, or libmicrohttpd has no TLS"
            )
        }
        raw = started
    }

    private func start(on socket: ListeningSocket) -> OpaquePointer? {
        let options = server.options
        var settings = server_settings()
        settings.listener = socket.descriptor
        settings.is_ipv6 = socket.isIPv6 ? 1 : 0
        settings.threads = 1
        settings.memory_per_connection = RequestFraming.memory(forHead: options.largestHead)
        // Twice the reserve, because libmicrohttpd needs a moment to release a closed connection.
        settings.connections = UInt32(options.connections + 2 * options.reserve)
        // No limit per address behind a proxy: all its connections have one address.
        settings.connections_per_client =
            options.trustedProxies == nil ? UInt32(options.connectionsPerClient + 2 * options.reserve) : 0
        settings.idle_seconds = UInt32(max(1, options.idleLimit / .seconds(1)))
        settings.context = Unmanaged.passUnretained(self).toOpaque()
        setCallbacks(&settings)
        if options.tls != nil { settings.certificate = Self.certificate }
        return server_start(&settings)
    }

    /// Called at each handshake. GnuTLS's session refers to libmicrohttpd's connection, and that refers to ours.
    private static let certificate:
        @convention(c) (
            gnutls_session_t?, UnsafePointer<gnutls_datum_t>?, Int32, UnsafePointer<gnutls_pk_algorithm_t>?, Int32,
            UnsafeMutablePointer<UnsafeMutablePointer<gnutls_pcert_st>?>?, UnsafeMutablePointer<UInt32>?,
            UnsafeMutablePointer<gnutls_privkey_t?>?
        ) -> Int32 = { session, _, _, _, _, chain, count, key in
            guard let raw = gnutls_session_get_ptr(session), let own = connection_context(OpaquePointer(raw)),
                let issue = Unmanaged<ServerConnection>.fromOpaque(own).takeUnretainedValue().certificateForHandshake()
            else { return -1 }
            chain?.pointee = server_certificate_chain(issue.raw)
            count?.pointee = issue.raw.pointee.count
            key?.pointee = issue.raw.pointee.key
            return 0
        }

    private func setCallbacks(_ settings: inout server_settings) {
        settings.connection_changed = { context, raw, kept, change in
            guard let context, let raw, let kept else { return }
            let connections = ServerDaemon.at(context).connections
            if change == .CONNECTION_NOTIFY_STARTED {
                let connection = ServerConnection(raw, of: ServerDaemon.at(context).server)
                connections.add(connection)
                ServerGate.add(connection)
                kept.pointee = Unmanaged.passRetained(connection).toOpaque()
            } else if let own = kept.pointee {
                let connection = Unmanaged<ServerConnection>.fromOpaque(own).takeRetainedValue()
                connection.close()
                ServerGate.remove(connection)
                connections.remove(connection)
            }
        }
        settings.target_read = { context, target, raw in
            guard let context, let raw, let own = connection_context(raw) else { return nil }
            let connection = Unmanaged<ServerConnection>.fromOpaque(own).takeUnretainedValue()
            let exchange = ServerExchange(raw, of: connection, in: ServerDaemon.at(context), target: target)
            connection.begin(exchange)
            return Unmanaged.passRetained(exchange).toOpaque()
        }
        settings.request = { _, _, _, method, version, bytes, count, own in
            guard let own = own?.pointee, let method, let version, let count else { return .NO }
            let exchange = Unmanaged<ServerExchange>.fromOpaque(own).takeUnretainedValue()
            guard count.pointee > 0 else { return exchange.advance(method, version) }
            let piece = UnsafeRawBufferPointer(start: bytes, count: count.pointee)
            guard exchange.receive(piece, left: &count.pointee) else { return .NO }
            return .YES
        }
        settings.completed = { _, _, own, end in
            guard let own, let pointer = own.pointee else { return }
            own.pointee = nil
            Unmanaged<ServerExchange>.fromOpaque(pointer).takeRetainedValue()
                .complete(isWhole: end == .REQUEST_TERMINATED_COMPLETED_OK)
        }
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> ServerDaemon {
        Unmanaged<ServerDaemon>.fromOpaque(context).takeUnretainedValue()
    }
}
