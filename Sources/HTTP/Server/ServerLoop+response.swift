import Glibc
import Processes

/// Passes responses to connections.
extension ServerLoop {
    /// Takes the response, unless there is one. Returns false if it is too late.
    @discardableResult
    func answer(_ response: ServerResponse, _ exchange: ServerExchange) -> Bool {
        guard exchange.state.take(response) else { return false }
        sendIfDue(exchange)
        // The handler left the body unread. Read and drop the rest; the response is sent after it.
        wake(exchange.connection)
        return true
    }

    /// Queues the response, or the head of a stream, unless it waits for the end of the request.
    func sendIfDue(_ exchange: ServerExchange) {
        let connection = exchange.connection
        if connection.isReserve || isStopping { exchange.state.closes = true }
        guard let response = exchange.state.responseToSend() else { return }
        let isHead = exchange.method == .head
        switch response.body {
        case .bytes(let bytes):
            send(head(of: response, exchange, length: bytes.count), on: connection)
            if !isHead {
                send(bytes, on: connection)
                exchange.state.count(bytes.count)
            }
            exchange.state.endResponse()
        case .stream:
            exchange.isChunked = exchange.head.version == .oneOne
            if !exchange.isChunked { exchange.state.closes = true }
            send(head(of: response, exchange, length: nil), on: connection)
            if isHead { exchange.state.endResponse() }
        }
    }

    /// Sends a piece of a streamed response, and returns when there is room for the next one.
    func write(_ piece: [UInt8], _ number: UInt64, on connectionNumber: UInt64) async throws {
        guard let exchange = exchange(number, on: connectionNumber) else { throw BodyError.brokenOff }
        guard !piece.isEmpty else { return }
        exchange.state.count(piece.count)
        let chunk = exchange.isChunked ? Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10] : piece
        send(chunk, on: exchange.connection)
        guard exchange.connection.pending >= ServerConnection.room else { return }
        let turn = exchange.state.turn()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The loop may have run since the check above, and sent everything.
                guard exchange.connection.pending >= ServerConnection.room else { return continuation.resume() }
                exchange.state.waitForRoom(turn, isCancelled: Task.isCancelled) { continuation.resume(with: $0) }
            }
        } onCancel: {
            Task { await self.cancelWait(turn, number, on: connectionNumber) }
        }
    }

    private func cancelWait(_ turn: Int, _ number: UInt64, on connectionNumber: UInt64) {
        exchange(number, on: connectionNumber)?.state.cancelWait(turn)
    }

    /// The handler has finished a streamed response.
    func endStream(_ exchange: ServerExchange) {
        guard exchange.state.phase == .sending else { return }
        if exchange.isChunked { send(Array("0\r\n\r\n".utf8), on: exchange.connection) }
        exchange.state.endResponse()
        wake(exchange.connection)
    }

    private func send(_ bytes: [UInt8], on connection: ServerConnection) {
        connection.queue(bytes, at: now)
        wake(connection)
    }

    /// Refuses what can't be parsed, and closes the connection.
    func refuse(_ error: HeadError, on connection: ServerConnection) {
        let exchange = connection.exchange
        guard exchange?.state.phase != .sending else { return cut(connection) }
        let target = exchange?.head.target ?? connection.framing.head.target
        let response = server.errorResponse(error.status, error.sentence, target, false)
        let id = exchange?.id ?? ServerRequest.newID()
        var head = ResponseHead(status: response.status, date: date)
        head.add(response.headers)
        head.add("Request-Id", id)
        head.add("Connection", "close")
        head.add("Content-Length", "\(response.bytes.count)")
        send(head.bytes + response.bytes, on: connection)
        (connection.isLast, connection.isUnread) = (true, true)
        if let exchange {
            exchange.state.count(response.bytes.count)
            end(exchange, status: response.status)
        } else {
            server.log(
                AccessEntry(
                    id: id, method: nil, route: nil, status: response.status, bytes: response.bytes.count,
                    duration: .zero, wasCutOff: false))
        }
    }

    /// The request is over: its response was sent, or can't be sent any more.
    func end(_ exchange: ServerExchange, status: Int? = nil, isCut: Bool = false) {
        let connection = exchange.connection
        connection.exchange = nil
        connection.quietSince = .now
        exchange.state.end(status: status)
        exchange.task?.cancel()
        if let client = exchange.clientOfProxy { connections.end(requestOf: client) }
        server.log(
            AccessEntry(
                id: exchange.id, method: exchange.method, route: exchange.route?.pattern, status: exchange.state.status,
                bytes: exchange.state.bytes, duration: .now - exchange.began, wasCutOff: isCut))
    }

    private func head(of response: ServerResponse, _ exchange: ServerExchange, length: Int?) -> [UInt8] {
        var head = ResponseHead(status: response.status, date: date)
        head.add(response.headers)
        if response.headers["Access-Control-Allow-Origin"] == nil { head.add(exchange.crossOrigin) }
        head.add("Request-Id", exchange.id)
        if exchange.state.closes {
            head.add("Connection", "close")
        } else if exchange.head.version != .oneOne {
            head.add("Connection", "keep-alive")
        }
        if let length {
            // These statuses have no body: RFC 9110, 8.6.
            if response.status != 204, response.status != 304 { head.add("Content-Length", "\(length)") }
        } else if exchange.isChunked {
            head.add("Transfer-Encoding", "chunked")
        }
        return head.bytes
    }

    /// The current time in the format of HTTP (RFC 9110, 5.6.7).
    private var date: String {
        let second = time(nil)
        if dateOfResponses.second != second { dateOfResponses = (second, ResponseHead.date(second)) }
        return dateOfResponses.text
    }
}
