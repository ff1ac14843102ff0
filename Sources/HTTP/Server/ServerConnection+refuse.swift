import CMicrohttpd
import Glibc
import Processes

/// Refuses malformed requests. Runs on libmicrohttpd's thread.
extension ServerConnection {
    enum Acceptance {
        /// libmicrohttpd gets this many bytes; zero means the end of the connection.
        case take(Int)
        case wait
    }

    /// Checks bytes that were received.
    ///
    /// If a request is malformed, the requests before it are answered first, and then the refusal is sent. After that
    /// nothing is read.
    func accept(_ bytes: UnsafeRawBufferPointer) -> Acceptance {
        let (acceptance, refusal): (Acceptance, HeadError?) = state.withLock { state in
            guard state.refusal == nil else { return (.wait, nil) }
            let reading = state.framing.read(bytes)
            guard let refusal = reading.refusal else { return (.take(bytes.count), nil) }
            state.refusal = refusal
            if state.isRefusalDue { return (.take(0), refusal) }
            return (reading.accepted > 0 ? .take(reading.accepted) : .wait, nil)
        }
        if let refusal { say(refusal) }
        return acceptance
    }

    var isRefused: Bool { state.withLock { $0.refusal != nil } }

    /// Called when a request is over and its response was sent. If a refusal waits for it, the refusal is sent now.
    func refuseIfDue() {
        guard let refusal = state.withLock({ $0.isRefusalDue ? $0.refusal : nil }) else { return }
        say(refusal)
        hangUp()
    }

    private func say(_ refusal: HeadError) {
        let target = state.withLock { $0.framing.target }
        let response = server.errorResponse(refusal.status, refusal.sentence, target, false)
        let reason = MHD_get_reason_phrase_for(UInt32(response.status)).map { String(cString: $0) } ?? ""
        var head = "HTTP/1.1 \(response.status) \(reason)\r\n"
        head += "Date: \(Self.date)\r\nConnection: close\r\nContent-Length: \(response.bytes.count)\r\n"
        let id = exchange?.id ?? ServerRequest.newID()
        head += "Request-Id: \(id)\r\n"
        for field in response.headers.fields where !ServerExchange.isOurs(field) {
            head += "\(field.name): \(field.value)\r\n"
        }
        send(Array((head + "\r\n").utf8) + response.bytes)
        if let exchange {
            exchange.state.withLock { $0.note(status: response.status, bytes: response.bytes.count) }
        } else {
            server.log(
                AccessEntry(
                    id: id, method: nil, route: nil, status: response.status, bytes: response.bytes.count,
                    duration: .zero,
                    wasCutOff: false))
        }
    }

    /// All earlier responses were sent, because libmicrohttpd reads nothing while it writes. If the socket has no room
    /// even for this, the client doesn't get it.
    private func send(_ bytes: [UInt8]) {
        if let session {
            gnutls_record_send(session, bytes, bytes.count)
            gnutls_bye(session, GNUTLS_SHUT_WR)
        } else {
            Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        shutdown(descriptor, Int32(SHUT_WR))
        // If unread bytes remain at the close, the system sends a reset, which may discard the refusal.
        var rest = [UInt8](repeating: 0, count: 16 << 10)
        for _ in 0..<64 where recv(descriptor, &rest, rest.count, Int32(MSG_DONTWAIT)) <= 0 { break }
    }

    /// The current time in the format of HTTP (RFC 9110, 5.6.7).
    private static var date: String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 40) { text in
            guard let start = text.baseAddress else { return "" }
            strftime(start, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(cString: start)
        }
    }
}

extension ServerConnection.State {
    fileprivate var isRefusalDue: Bool { refusal != nil && ended >= framing.finished }
}
