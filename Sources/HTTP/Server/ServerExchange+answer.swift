import CMicrohttpd
import Operations

/// The answer, from the handler to libmicrohttpd. On the thread of the latter.
extension ServerExchange {
    private enum Step {
        case goOn
        case send(ServerResponse)
        case hangUp
    }

    /// libmicrohttpd is at the end of the head, or of the whole request, or comes back there after a suspension.
    func advance(_ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>) -> MHD_Result {
        if !hasBegun { begin(method, version) }
        let (step, wake) = state.withLock { state in isHeadDone ? afterBody(&state) : afterHead(&state) }
        wake?()
        return switch step {
        case .goOn: .YES
        case .send(let response): send(response)
        case .hangUp: .NO
        }
    }

    /// An answer at this place closes the connection, for the body stays unread. So it is kept for the end of the
    /// body, where that is near: see ``IncomingBody/patience``.
    private func afterHead(_ state: inout State) -> (Step, (() -> Void)?) {
        if state.isCut { return (.hangUp, nil) }
        let isFar = isClosing || isWaitingForWord || declaredLength > IncomingBody.patience
        if let answer = state.answer, isFar {
            state.isQueued = true
            return (.send(answer), nil)
        }
        // Who takes the body gives the word, and who answers without it spares the client the sending.
        if isWaitingForWord, state.answer == nil, !state.body.isWanted {
            state.suspension = .untilBodyIsTaken
            MHD_suspend_connection(raw)
            return (.goOn, nil)
        }
        isHeadDone = true
        return (.goOn, nil)
    }

    private func afterBody(_ state: inout State) -> (Step, (() -> Void)?) {
        if state.isCut { return (.hangUp, nil) }
        state.body.end()
        let wake = state.body.wake()
        guard let answer = state.answer else {
            state.suspension = .untilAnswered
            MHD_suspend_connection(raw)
            return (.goOn, wake)
        }
        state.isQueued = true
        return (.send(answer), wake)
    }

    private func send(_ answer: ServerResponse) -> MHD_Result {
        guard let response = Self.made(answer, for: self) else { return .NO }
        defer { MHD_destroy_response(response) }
        // Else libmicrohttpd 0.9.75 ends the body that a HEAD doesn't have, and so begins the next answer wrongly.
        if method == .head, case .stream = answer.body { response_ends_connection(response) }
        for field in answer.headers.fields where !Self.isOurs(field) {
            MHD_add_response_header(response, field.name, field.value)
        }
        if isClosing || daemon.connections.isStopping { MHD_add_response_header(response, "Connection", "close") }
        state.withLock { state in
            state.status = answer.status
            if method != .head { state.bytes = answer.bytes.count }
        }
        return MHD_queue_response(raw, UInt32(answer.status), response)
    }

    /// What libmicrohttpd says by itself, of the body that there really is.
    private static func isOurs(_ field: HTTPHeaders.Field) -> Bool {
        ["Content-Length", "Transfer-Encoding", "Connection", "Date"].contains { field.isNamed($0) }
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
        let (result, wakes) = state.withLock { state -> (Int, [() -> Void]) in
            switch state.outgoing.send(to: buffer) {
            case .sent(let count):
                state.bytes += count
                return (count, state.outgoing.wake())
            case .wait:
                state.suspension = .untilWritten
                MHD_suspend_connection(raw)
                return (0, [])
            case .end: return (MHD_CONTENT_READER_END_OF_STREAM, [])
            case .fail: return (MHD_CONTENT_READER_END_WITH_ERROR, [])
            }
        }
        for wake in wakes { wake() }
        return result
    }
}
