import Processes

/// All connections of a server, and the number of running handlers.
final class ServerConnections: Sendable {
    private let limits: Limits
    private let state = Locked(State())

    struct Limits: Sendable {
        var all: Int
        var ofClient: Int
        /// How many connections are accepted above each of these two limits.
        var reserve: Int
        /// How long a connection must have been quiet to be closed for another one.
        var quiet: Duration
    }

    fileprivate struct State {
        var open: [ObjectIdentifier: ServerConnection] = [:]
        /// The number of connections of each address. Behind a trusted proxy: the number of requests under way.
        var ofClients: [[UInt8]: Int] = [:]
        var handlers = 0
        var isStopping = false
    }

    init(limits: Limits) {
        self.limits = limits
    }

    var all: [ServerConnection] { state.withLock { Array($0.open.values) } }
    var isEmpty: Bool { state.withLock { $0.open.isEmpty } }
    var hasHandlers: Bool { state.withLock { $0.handlers > 0 } }
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// At the limit, the connection that was quiet for longest is closed. If none is quiet, the new one counts as
    /// reserve.
    func add(_ connection: ServerConnection) {
        state.withLock { state in
            state.open[ObjectIdentifier(connection)] = connection
            if !connection.isOfTrustedProxy { state.ofClients[connection.client, default: 0] += 1 }
            guard let crowd = state.crowd(around: connection, limits) else { return }
            if let quiet = crowd.quietest(for: limits.quiet) { return quiet.hangUp() }
            connection.state.withLock { $0.isReserve = true }
            let reserve = crowd.filter(\.isReserve)
            // Connections in the reserve never wait: their requests are answered at once.
            if reserve.count >= limits.reserve { (reserve.quietest(for: .zero) ?? connection).hangUp() }
        }
    }

    func remove(_ connection: ServerConnection) {
        state.withLock { state in
            state.open[ObjectIdentifier(connection)] = nil
            if !connection.isOfTrustedProxy { state.subtract(connection.client) }
        }
    }

    /// Counts a request under way of a client behind a trusted proxy. False if the client has reached its limit.
    func begin(requestOf client: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.ofClients[client, default: 0] < limits.ofClient else { return false }
            state.ofClients[client, default: 0] += 1
            return true
        }
    }

    func end(requestOf client: [UInt8]) { state.withLock { $0.subtract(client) } }

    /// Returns whether a request on this connection may use any route. A reserve connection becomes a normal one when
    /// others are gone.
    func admit(_ connection: ServerConnection) -> Bool {
        guard connection.isReserve else { return true }
        return state.withLock { state in
            guard state.crowd(around: connection, limits) == nil else { return false }
            connection.state.withLock { $0.isReserve = false }
            return true
        }
    }

    func handlerBegins() { state.withLock { $0.handlers += 1 } }
    func handlerEnds() { state.withLock { $0.handlers -= 1 } }
    func beginStop() { state.withLock { $0.isStopping = true } }
}

extension ServerConnections.State {
    fileprivate mutating func subtract(_ client: [UInt8]) {
        let left = ofClients[client, default: 1] - 1
        ofClients[client] = left > 0 ? left : nil
    }

    /// The other connections, if they fill a limit: those of the client, or all. Nil if there is room.
    fileprivate func crowd(
        around connection: ServerConnection, _ limits: ServerConnections.Limits
    ) -> [ServerConnection]? {
        if !connection.isOfTrustedProxy, ofClients[connection.client, default: 0] > limits.ofClient {
            let own = open.values.filter { $0 !== connection && $0.client == connection.client && !$0.isLeaving }
            if own.count >= limits.ofClient { return own }
        }
        guard open.count > limits.all else { return nil }
        let others = open.values.filter { $0 !== connection && !$0.isLeaving }
        return others.count >= limits.all ? others : nil
    }
}

extension [ServerConnection] {
    fileprivate func quietest(for limit: Duration) -> ServerConnection? {
        var found: ServerConnection?
        // A single pass, because the client with the most connections causes most of the calls.
        var first = ContinuousClock.now - limit
        for connection in self {
            guard let since = connection.quietSince, since <= first else { continue }
            (found, first) = (connection, since)
        }
        return found
    }
}
