import CMicrohttpd
import Processes

/// Passes the response from the handler to libmicrohttpd. Runs on libmicrohttpd's thread.
extension ServerExchange {
    /// Called at the end of the head and of the whole request, and again there after a suspension.
    func advance(_ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>) -> MHD_Result {
        if !hasBegun { begin(method, version) }
        let (step, effects) = suspending { $0.advance() }
        perform(effects)
        return switch step {
        case .goOn, .suspend: .YES
        case .send(let response): send(response)
        case .hangUp: .NO
        }
    }

    private func send(_ answer: ServerResponse) -> MHD_Result {
        guard let response = Self.made(answer, for: self) else { return .NO }
        defer { MHD_destroy_response(response) }
        // Otherwise libmicrohttpd 0.9.75 ends the body that a HEAD doesn't have, which corrupts the start of the next
        // response.
        if method == .head, case .stream = answer.body { response_ends_connection(response) }
        for field in answer.headers.fields + crossOrigin.fields where !Self.isOurs(field) {
            MHD_add_response_header(response, field.name, field.value)
        }
        MHD_add_response_header(response, "Request-Id", id)
        let closes = state.withLock { state in
            state.note(status: answer.status, bytes: method == .head ? 0 : answer.bytes.count)
            return state.closes
        }
        if closes || connection.isReserve || daemon.connections.isStopping {
            MHD_add_response_header(response, "Connection", "close")
        }
        return MHD_queue_response(raw, UInt32(answer.status), response)
    }

    /// True for headers that the server itself adds to each response.
    static func isOurs(_ field: HTTPHeaders.Field) -> Bool {
        ["Content-Length", "Transfer-Encoding", "Connection", "Date", "Request-Id"].contains { field.isNamed($0) }
    }

    private static func made(_ answer: ServerResponse, for exchange: ServerExchange) -> OpaquePointer? {
        switch answer.body {
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { bytes in
                MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .stream:
            let own = Unmanaged.passRetained(exchange)
            let response = MHD_create_response_from_callback(
                .max, 32 << 10,
                { own, _, buffer, count in
                    guard let own else { return MHD_CONTENT_READER_END_WITH_ERROR }
                    return Unmanaged<ServerExchange>.fromOpaque(own).takeUnretainedValue()
                        .fill(UnsafeMutableRawBufferPointer(start: buffer, count: count))
                }, own.toOpaque(),
                { own in own.map { Unmanaged<ServerExchange>.fromOpaque($0).release() } })
            if response == nil { own.release() }
            return response
        }
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (step, effects) = state.withLock { state in
            let (step, effects) = state.fill(buffer)
            if case .wait = step { MHD_suspend_connection(raw) }
            return (step, effects)
        }
        perform(effects)
        return switch step {
        case .sent(let count): count
        case .wait: 0
        case .end: MHD_CONTENT_READER_END_OF_STREAM
        case .fail: MHD_CONTENT_READER_END_WITH_ERROR
        }
    }
}
