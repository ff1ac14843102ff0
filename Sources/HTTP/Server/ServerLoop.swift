import CLinux
import Glibc
import Processes

/// Serves all connections of one ``HTTPServer`` on one thread.
///
/// The actor's executor is that thread. Between two jobs the thread waits for its sockets and handles their events.
/// Nothing here blocks, so no connection delays another one.
actor ServerLoop {
    let server: HTTPServer
    var connections: ServerConnections
    var now = ContinuousClock.now
    var isStopping = false
    /// The `Date` of responses, which is made once a second.
    var dateOfResponses: (second: Int, text: String) = (0, "")
    /// The number of handlers that have not ended.
    var handlers = 0
    /// Numbers connections and exchanges.
    private var lastNumber: UInt64 = 0
    private let limits: ServerConnections.Limits
    private let listener: Int32
    /// False while the process has no descriptor for another connection.
    private var isListening = false
    /// Connections with something to send, or with bytes to parse.
    private var ready = ReadyConnections()
    private var events = [epoll_event](repeating: epoll_event(), count: 256)
    private var lastTick = ContinuousClock.now - tick
    let thread: LoopThread

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// How long the thread works before it looks for new events and jobs.
    private static let longestTurn: Duration = .microseconds(500)
    /// How much one connection may receive, and be parsed into, before it is the turn of others.
    private static let mostOfTurn = (bytes: 16 << 10, parts: 100)
    /// How often time limits are checked.
    private static let tick: Duration = .milliseconds(100)
    /// How long a request of a client that has ended its side may wait for its response.
    private static let patience: Duration = .seconds(1)
    /// How long a client may go on sending after the last response.
    private static let lingering: Duration = .seconds(1)

    init(_ server: HTTPServer, on socket: ListeningSocket) throws(ServerError) {
        self.server = server
        let options = server.options
        limits = ServerConnections.Limits(
            all: max(1, min(options.connections, OpenFiles.limit / 2)), ofClient: options.connectionsPerClient,
            reserve: options.reserve, quiet: options.quietBeforeLeaving)
        connections = ServerConnections(limits: limits)
        listener = socket.descriptor
        do { thread = try LoopThread() } catch {
            Glibc.close(socket.descriptor)
            throw error
        }
    }

    deinit { thread.end() }

    /// Starts the thread.
    nonisolated func start() throws(ServerError) {
        try thread.start { self.assumeIsolated { $0.turn() } }
    }

    func number() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Waits for events once, and handles them.
    private func turn() {
        let count = thread.wait(for: &events, milliseconds: ready.isEmpty ? untilTick : 0)
        now = .now
        for event in events[..<count] {
            if event.data.u64 == 0 {
                accept()
            } else if let connection = connections.open[event.data.u64] {
                connection.note(event.events)
                ready.add(connection)
            }
        }
        repeat {
            for connection in ready.takeRound() { advance(connection) }
        } while !ready.isEmpty && .now < now + Self.longestTurn
        if now >= lastTick + Self.tick { checkLimits() }
    }

    /// Without connections there are no limits to check.
    private var untilTick: Int32 {
        if connections.open.isEmpty, isListening || isStopping { return -1 }
        return Int32(max(.zero, min(lastTick + Self.tick - now, Self.tick)) / .milliseconds(1)) + 1
    }

    /// The connection is advanced once more before the thread waits again.
    func wake(_ connection: ServerConnection) { ready.add(connection) }
}

/// The life of a connection.
extension ServerLoop {
    private func accept() {
        // A limit, so that new connections don't delay the others.
        for _ in 0..<64 {
            guard let socket = AcceptedSocket(from: listener) else {
                switch errno {
                case EAGAIN: return
                // The next tick tries again. The listener would report the waiting connection without end.
                case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                    thread.ignore(listener)
                    isListening = false
                    return
                default: continue
                }
            }
            let tls = server.options.tls.map { $0.session(on: socket.descriptor) }
            if case .some(nil) = tls {
                Glibc.close(socket.descriptor)
                continue
            }
            if connections.open.isEmpty { lastTick = now }
            let connection = ServerConnection(number(), on: socket, of: server.options, tls: tls ?? nil, at: now)
            let events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
            thread.watch(socket.descriptor, number: connection.number, for: events)
            if let gone = connections.add(connection, at: now) { cut(gone) }
        }
    }

    /// Sends and receives what is possible now.
    private func advance(_ connection: ServerConnection) {
        guard !connection.isClosed else { return }
        if connection.lingersUntil != nil {
            if connection.isHungUp || !connection.drop() { close(connection) }
            return
        }
        guard !connection.isHungUp else { return cut(connection) }
        if connection.pending > 0 {
            let before = connection.pending
            guard connection.flush() else { return cut(connection) }
            if connection.pending < before {
                connection.movedAt = now
                connection.exchange?.sent += before - connection.pending
            }
        }
        if let exchange = connection.exchange { advance(exchange) }
        if connection.isLast, connection.pending == 0 { return leave(connection) }
        do throws(HeadError) { try read(connection) } catch { refuse(error, on: connection) }
    }

    private func advance(_ exchange: ServerExchange) {
        let connection = exchange.connection
        if connection.pending < ServerConnection.room { exchange.state.makeRoom() }
        guard connection.pending == 0, exchange.state.isDone else { return }
        (connection.isLast, connection.isUnread) = (exchange.state.closes, !exchange.state.isBodyWhole)
        end(exchange)
    }

    /// Receives and parses as long as something is wanted, and the turn lasts.
    private func read(_ connection: ServerConnection) throws(HeadError) {
        var (bytes, parts) = (0, 0)
        while !connection.isClosed, !connection.isLast, connection.exchange?.state.wantsBody ?? true {
            guard bytes < Self.mostOfTurn.bytes, parts < Self.mostOfTurn.parts else { return wake(connection) }
            if let part = try connection.nextPart() {
                handle(part, of: connection)
                parts += 1
                continue
            }
            guard connection.mayRead else { return }
            switch connection.receive() {
            case .done(let count):
                connection.movedAt = now
                bytes += count
            case .wait: return
            case .end, .broken: return cut(connection)
            }
        }
    }

    private func handle(_ part: RequestFraming.Part, of connection: ServerConnection) {
        switch (part, connection.exchange) {
        case (.head(let head, let body), _):
            let exchange = ServerExchange(number(), head, on: connection, server.options, at: now)
            connection.exchange = exchange
            begin(exchange, body)
        case (.body(let piece), let exchange?): if !exchange.state.receive(piece) { cut(connection) }
        case (.end, let exchange?):
            exchange.state.endBody()
            sendIfDue(exchange)
            // A stream may have ended before.
            wake(connection)
        case (_, nil): break
        }
    }

    /// Ends our side after the last response. If bytes that the client sent were unread at the close, the system would
    /// send a reset, which may discard the response. So the connection waits for the client's end for a moment.
    private func leave(_ connection: ServerConnection) {
        connection.finish()
        let isCrowded = connections.open.count > limits.all + limits.reserve
        guard !connection.hasEnded, !isCrowded, connection.isUnread || connection.hasInput || connection.mayRead else {
            return close(connection)
        }
        connection.lingersUntil = now + Self.lingering
        connection.mayRead = true
        advance(connection)
    }

    /// Closes the connection. A request under way is lost.
    func cut(_ connection: ServerConnection) {
        if let exchange = connection.exchange { end(exchange, isCut: true) }
        close(connection)
    }

    private func close(_ connection: ServerConnection) {
        connection.close()
        connections.remove(connection)
    }
}

/// Limits, and the end of the server.
extension ServerLoop {
    private func checkLimits() {
        // While a handler blocked this thread, no client was slow.
        let elapsed = min(now - lastTick, Self.tick * 2)
        lastTick = now
        for connection in connections.open.values {
            if let exchange = connection.exchange {
                checkLimits(of: exchange, elapsed)
            } else if now >= connection.lingersUntil ?? (connection.quietSince + server.options.idleLimit) {
                close(connection)
            }
        }
        if !isListening, !isStopping {
            thread.watch(listener, number: 0, for: EPOLLIN.rawValue)
            isListening = true
        }
    }

    private func checkLimits(of exchange: ServerExchange, _ elapsed: Duration) {
        let (connection, options) = (exchange.connection, server.options)
        if now >= exchange.deadline {
            switch exchange.state.expiry {
            case .isInTime: break
            case .isAnswerable:
                answer(errorResponse(503, "The server took too long to answer.", to: exchange), exchange)
            case .mustBeCut: return cut(connection)
            }
        }
        if exchange.state.dropsBody {
            exchange.droppedSince = exchange.droppedSince ?? now
            if let since = exchange.droppedSince, now - since >= options.unreadLimit {
                exchange.state.closes = true
                sendIfDue(exchange)
                wake(connection)
            }
        }
        if connection.pending > 0 || exchange.state.wantsBody {
            let (idle, slowest) = (options.idleLimit, options.slowestClient)
            let isSlow =
                connection.pending > 0
                ? exchange.state.isReadTooSlowly(
                    after: elapsed, sent: exchange.sent, idleLimit: idle, slowest: slowest)
                : exchange.state.isSentTooSlowly(after: elapsed, idleLimit: idle, slowest: slowest)
            if isSlow || now - connection.movedAt >= options.idleLimit { cut(connection) }
        } else if connection.hasEnded {
            // The client has ended its side, and perhaps left. It gets a response that comes soon.
            exchange.waitedAfterEnd += elapsed
            if exchange.waitedAfterEnd >= Self.patience { cut(connection) }
        }
    }

    /// How long a handler may take to end after a stop has cancelled it. A slower one is left behind: its task goes on,
    /// and its response is dropped.
    private static let cancelLimit: Duration = .seconds(1)

    func stop() async {
        isStopping = true
        thread.ignore(listener)
        Glibc.close(listener)
        let end = ContinuousClock.now + server.options.stopLimit
        while !connections.open.isEmpty || handlers > 0 {
            let time = ContinuousClock.now
            if connections.open.isEmpty, time >= end + Self.cancelLimit { break }
            for connection in connections.open.values {
                if time >= end {
                    cut(connection)
                } else if let exchange = connection.exchange {
                    if exchange.state.isEndless { exchange.task?.cancel() }
                } else if connection.pending == 0, !connection.isLeaving {
                    close(connection)
                }
            }
            try? await Task.sleep(for: .milliseconds(5))
        }
        thread.stop()
    }
}
