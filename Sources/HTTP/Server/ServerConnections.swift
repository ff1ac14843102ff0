/// All connections of a server, and how many each client has.
struct ServerConnections {
    private let limits: Limits
    private(set) var open: [UInt64: ServerConnection] = [:]
    /// The number of connections of each group of addresses. Behind a trusted proxy: the number of requests under way.
    private var ofClients: [[UInt8]: Int] = [:]

    struct Limits: Sendable {
        var all: Int
        var ofClient: Int
        /// How many connections are accepted above each of these two limits.
        var reserve: Int
        /// How long a connection must have waited for its client to be closed for another one.
        var quiet: Duration
    }

    init(limits: Limits) {
        self.limits = limits
    }

    /// Returns the connection to close for the new one, which may be the new one itself.
    ///
    /// At the limit, it is the one that has waited for a stranger for longest, or else the one that was quiet for
    /// longest. If there is neither, the new one counts as reserve.
    mutating func add(_ connection: ServerConnection, at now: ContinuousClock.Instant) -> ServerConnection? {
        open[connection.number] = connection
        if !connection.isOfTrustedProxy { ofClients[connection.group, default: 0] += 1 }
        guard let crowd = crowd(around: connection) else { return nil }
        let limit = now - limits.quiet
        if let gone = crowd.first(by: \.strange, before: limit) ?? crowd.first(by: \.quiet, before: limit) {
            return gone
        }
        connection.isReserve = true
        let reserve = crowd.filter(\.isReserve)
        // Connections in the reserve never wait: their requests are answered at once.
        return reserve.count >= limits.reserve ? reserve.first(by: \.quiet, before: now) ?? connection : nil
    }

    mutating func remove(_ connection: ServerConnection) {
        guard open.removeValue(forKey: connection.number) != nil else { return }
        if !connection.isOfTrustedProxy { end(requestOf: connection.group) }
    }

    /// Counts a request under way of a client behind a trusted proxy. False if the client has reached its limit.
    mutating func begin(requestOf client: [UInt8]) -> Bool {
        guard ofClients[client, default: 0] < limits.ofClient else { return false }
        ofClients[client, default: 0] += 1
        return true
    }

    mutating func end(requestOf client: [UInt8]) {
        let left = ofClients[client, default: 1] - 1
        ofClients[client] = left > 0 ? left : nil
    }

    /// Returns whether a request on this connection may use any route. A reserve connection becomes a normal one when
    /// others are gone.
    func admit(_ connection: ServerConnection) -> Bool {
        if connection.isReserve, crowd(around: connection) == nil { connection.isReserve = false }
        return !connection.isReserve
    }

    /// The other connections, if they fill a limit: those of the client, or all. Nil if there is room.
    private func crowd(around connection: ServerConnection) -> [ServerConnection]? {
        if !connection.isOfTrustedProxy, ofClients[connection.group, default: 0] > limits.ofClient {
            let own = open.values.filter { $0 !== connection && $0.group == connection.group && !$0.isLeaving }
            if own.count >= limits.ofClient { return own }
        }
        guard open.count > limits.all else { return nil }
        let others = open.values.filter { $0 !== connection && !$0.isLeaving }
        return others.count >= limits.all ? others : nil
    }
}

extension [ServerConnection] {
    /// A single pass, because the client with the most connections causes most of the calls.
    fileprivate func first(
        by since: (ServerConnection) -> ContinuousClock.Instant?, before limit: ContinuousClock.Instant
    ) -> ServerConnection? {
        var found: ServerConnection?
        var first = limit
        for connection in self {
            guard let since = since(connection), since <= first else { continue }
            (found, first) = (connection, since)
        }
        return found
    }
}

/// Connections that have something to do. Each group of addresses has its turn with one of them, so that a client with
/// many busy connections delays the others no more than one with a single connection.
struct ReadyConnections {
    private var ofGroups: [[UInt8]: [ServerConnection]] = [:]
    private var order: [[UInt8]] = []

    var isEmpty: Bool { order.isEmpty }

    mutating func add(_ connection: ServerConnection) {
        guard !connection.isReady else { return }
        connection.isReady = true
        if ofGroups[connection.group] == nil { order.append(connection.group) }
        ofGroups[connection.group, default: []].append(connection)
    }

    /// Removes one connection of each group.
    mutating func takeRound() -> [ServerConnection] {
        let round = order.compactMap { ofGroups[$0]?.removeFirst() }
        for connection in round {
            connection.isReady = false
            if ofGroups[connection.group]?.isEmpty == true { ofGroups[connection.group] = nil }
        }
        order.removeAll { ofGroups[$0] == nil }
        return round
    }
}
