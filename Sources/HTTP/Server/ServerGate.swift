import CMicrohttpd
import Glibc
import Processes

/// Checks the bytes that libmicrohttpd reads from sockets, and passes on only those that ``RequestFraming`` accepts.
///
/// libmicrohttpd has no hook for that. So its imports of `recv` and of GnuTLS's `gnutls_record_recv` are replaced by
/// ours, for libmicrohttpd alone.
enum ServerGate {
    private static let connections = Locked<[Int32: ServerConnection]>([:])

    static func add(_ connection: ServerConnection) {
        connections.withLock { $0[connection.descriptor] = connection }
    }

    static func remove(_ connection: ServerConnection) {
        connections.withLock { if $0[connection.descriptor] === connection { $0[connection.descriptor] = nil } }
    }

    /// Replaces the imports, once in a process. False if this libmicrohttpd has no such imports.
    static let isInPlace: Bool = {
        let plain: @convention(c) (Int32, UnsafeMutableRawPointer?, Int, Int32) -> Int = { receive($0, $1, $2, $3) }
        let secure: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int) -> Int = { receive($0, $1, $2) }
        return server_replace_import("recv", unsafeBitCast(plain, to: UnsafeMutableRawPointer.self)) > 0
            && (MHD_is_feature_supported(.FEATURE_TLS) == .NO
                || server_replace_import(
                    "gnutls_record_recv", unsafeBitCast(secure, to: UnsafeMutableRawPointer.self)) > 0)
    }()

    /// Replaces `recv`.
    private static func receive(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ room: Int, _ flags: Int32
    ) -> Int {
        let count = recv(descriptor, buffer, room, flags)
        guard count > 0, let connection = connections.withLock({ $0[descriptor] }) else { return count }
        switch connection.accept(UnsafeRawBufferPointer(start: buffer, count: count)) {
        case .take(let count): return count
        case .wait:
            errno = EAGAIN
            return -1
        }
    }

    /// Replaces `gnutls_record_recv`. The session refers to libmicrohttpd's connection, and that refers to ours.
    private static func receive(
        _ session: OpaquePointer?, _ buffer: UnsafeMutableRawPointer?, _ room: Int
    ) -> Int {
        let count = gnutls_record_recv(session, buffer, room)
        // Refuses TLS renegotiation: it costs the server much and the client little.
        if count == GNUTLS_E_REHANDSHAKE { gnutls_alert_send(session, GNUTLS_AL_FATAL, GNUTLS_A_NO_RENEGOTIATION) }
        guard count > 0, let raw = gnutls_session_get_ptr(session), let own = connection_context(OpaquePointer(raw))
        else { return count }
        let connection = Unmanaged<ServerConnection>.fromOpaque(own).takeUnretainedValue()
        return switch connection.accept(UnsafeRawBufferPointer(start: buffer, count: count)) {
        case .take(let count): count
        case .wait: Int(GNUTLS_E_AGAIN)
        }
    }
}
