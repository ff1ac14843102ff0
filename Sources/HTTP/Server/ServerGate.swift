import CMicrohttpd
import Glibc
import Operations

/// Stands where libmicrohttpd reads from sockets, and lets through what ``RequestFraming`` finds in order.
///
/// libmicrohttpd has no hook there, so its import of `recv`, and of GnuTLS's, is replaced by ours, for it alone.
enum ServerGate {
    private static let connections = Locked<[Int32: ServerConnection]>([:])

    static func add(_ connection: ServerConnection) {
        connections.withLock { $0[connection.descriptor] = connection }
    }

    static func remove(_ connection: ServerConnection) {
        connections.withLock { if $0[connection.descriptor] === connection { $0[connection.descriptor] = nil } }
    }

    /// Replaces the imports, once in a process. False where this libmicrohttpd has none.
    static let isInPlace: Bool = {
        let plain: @convention(c) (Int32, UnsafeMutableRawPointer?, Int, Int32) -> Int = { receive($0, $1, $2, $3) }
        let secure: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int) -> Int = { receive($0, $1, $2) }
        return server_replace_import("recv", unsafeBitCast(plain, to: UnsafeMutableRawPointer.self)) > 0
            && (MHD_is_feature_supported(.FEATURE_TLS) == .NO
                || server_replace_import(
                    "gnutls_record_recv", unsafeBitCast(secure, to: UnsafeMutableRawPointer.self)) > 0)
    }()

    /// In the place of `recv`.
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

    /// In the place of `gnutls_record_recv`. The session knows libmicrohttpd's connection, and that knows ours.
    private static func receive(
        _ session: OpaquePointer?, _ buffer: UnsafeMutableRawPointer?, _ room: Int
    ) -> Int {
        let count = gnutls_record_recv(session, buffer, room)
        // Nobody negotiates anew: to do so costs the server much, and the client little.
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
