package import Postgres
package import Questions
import Queue

/// Everything that a worker needs to upload to sinks.
package struct SinkAccess: Sendable {
    private let keys: @Sendable () throws -> SealingKeys?
    private let makeSink: @Sendable (StoredSink, SinkDescription) throws -> any LocationSink

    /// `keys` open sealed secrets and tokens; nil if there are none. They are read for each sink, because they may be
    /// created together with the first sink.
    package init(
        keys: @escaping @Sendable () throws -> SealingKeys? = { nil },
        makeSink: @escaping @Sendable (StoredSink, SinkDescription) throws -> any LocationSink
    ) {
        self.keys = keys
        self.makeSink = makeSink
    }

    /// Reads the lanes of the sinks that exist now. A sink whose kind no longer exists is left out: its jobs wait.
    package var readLanes: @Sendable (isolated Connection) throws -> [ChangingLane] {
        { database in
            try SinkStore().sinks(on: database).compactMap { sink in
                sink.kind.map { kind in
                    ChangingLane(name: sink.lane, version: sink.version) {
                        try makeWork(for: sink, of: kind, database: $0)
                    }
                }
            }
        }
    }

    private func makeWork(for sink: StoredSink, of kind: SinkKind, database: Database) throws -> any LaneWork {
        let keys = try keys()
        let secret = try sink.sealed.map { sealed in
            guard let keys else { throw NoSealingKey() }
            return try keys.open(sealed, for: sink.context)
        }
        let made = try makeSink(sink, SinkDescription(kind: kind, settings: sink.settings, secret: secret))
        guard sink.about == .places else {
            return UploadWork(lane: sink.lane, sink: made, keys: keys, database: database)
        }
        guard let webhook = made as? WebhookSink else { preconditionFailure("only a webhook is about places") }
        return PlaceNewsWork(lane: sink.lane, webhook: webhook)
    }
}

/// There is a secret, but no key that opens it.
package struct NoSealingKey: Error, CustomStringConvertible {
    package init() {}

    package let description =
        "WAYPOST_SEALING_KEYS is not set, and the secrets of sinks are sealed; set it to the key of the cluster"
}
