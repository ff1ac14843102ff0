import CSSL

/// The TLS of one connection.
final class TLSSession {
    private let raw: OpaquePointer
    /// After an error, OpenSSL permits no other call.
    private var isBroken = false

    init?(_ context: TLSContext, on descriptor: Int32) {
        guard let raw = SSL_new(context.raw) else { return nil }
        self.raw = raw
        guard SSL_set_fd(raw, descriptor) == 1 else { return nil }
        SSL_set_accept_state(raw)
    }

    deinit { SSL_free(raw) }

    /// The first calls carry out the handshake.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        transfer { SSL_read(raw, buffer.baseAddress, Int32(buffer.count)) }
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        transfer { SSL_write(raw, bytes.baseAddress, Int32(min(bytes.count, 1 << 20))) }
    }

    /// Tells the client that nothing follows, if the socket has room for that.
    func finish() {
        ERR_clear_error()
        if !isBroken, SSL_is_init_finished(raw) == 1 { SSL_shutdown(raw) }
    }

    private func transfer(_ body: () -> Int32) -> Transfer {
        guard !isBroken else { return .broken }
        ERR_clear_error()
        let count = body()
        guard count <= 0 else { return .done(Int(count)) }
        switch SSL_get_error(raw, count) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wait
        case SSL_ERROR_ZERO_RETURN: return .end
        default:
            isBroken = true
            return .broken
        }
    }
}

/// The outcome of a read or a write on a connection.
enum Transfer {
    case done(Int)
    /// The socket has no bytes, or no room.
    case wait
    /// The client has ended its side.
    case end
    case broken
}
