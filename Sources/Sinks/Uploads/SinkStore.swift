import FoundationEssentials
package import Postgres
package import Queue

/// Sinks, each with the lane in which its uploads wait.
///
/// The store has no state: create one where it is needed.
package struct SinkStore: Sendable {
    private let queue = JobQueue()

    package init() {}

    /// The lane of the sink with this name. No provider's name contains a colon.
    package static func lane(of sink: String) -> String { "upload:" + sink }
}

/// A stored sink.
package struct StoredSink: Sendable {
    package let id: Int
    package let account: Int
    package let name: String
    /// The stored name of its kind.
    package let kindName: String
    package let about: SinkSubject
    package let settings: SinkSettings
    /// Its secret, encrypted; nil if it has none.
    package let sealed: [UInt8]?
    package let signsIn: Bool
    package let isDefault: Bool
    package let pause: Duration
    package let lane: String
    /// A new value after each change.
    package let version: String

    /// The context for which its secret is sealed.
    package var context: String { SinkStore.context(of: id) }

    /// Nil if this program no longer has its kind: no worker serves it, and its locations wait.
    package var kind: SinkKind? { SinkKind(rawValue: kindName) }

    /// The problem and its remedy, for a person, if this program no longer has the sink's kind.
    package var loss: (problem: String, remedy: String)? {
        guard kind == nil else { return nil }
        return (
            "\(name) gets nothing: this version has no sinks of the kind \(kindName). Its locations wait",
            "move its trackers to another sink ('waypost trackers start USER --sink NAME'), or give them up with "
                + "'waypost sinks remove \(name)'"
        )
    }
}

extension SinkStore {
    package static func context(of sink: Int) -> String { "sink \(sink)" }

    /// A person's changes of a sink. A member that is nil does not change; a new sink gets the table's default.
    package struct Changes: Sendable {
        package var settings: SinkSettings?
        package var signsIn: Bool?
        package var isDefault: Bool?
        package var pause: Duration?

        package init(
            settings: SinkSettings? = nil, signsIn: Bool? = nil, isDefault: Bool? = nil, pause: Duration? = nil
        ) {
            self.settings = settings
            self.signsIn = signsIn
            self.isDefault = isDefault
            self.pause = pause
        }
    }

    /// Creates a sink and its lane, and returns its id. Run it in a transaction.
    ///
    /// Its jobs are retried until they succeed, because no location may be lost: a sink may be down for days.
    package func add(
        _ name: String, _ kind: SinkKind, about subject: SinkSubject = .locations, _ changes: Changes,
        limits: [RateLimit], batch: Int, account: Int, on database: isolated Connection
    ) throws -> Int {
        let lane = Self.lane(of: name)
        try queue.prepareLane(lane, kind: .upload, batch: batch, limits: limits, attribution: "", on: database)
        try queue.change(lane, on: database) { $0.mostFailures = Int(Int16.max) }
        // crosses rooms: a sink contains only the id of its lane.
        let id: Int = try database.query(
            """
            INSERT INTO sinks (account, name, kind, about, lane)
            SELECT \(account)::integer, \(name), \(kind.rawValue), \(subject.rawValue), id FROM lanes WHERE lanes.name = \(lane)
            RETURNING id
            """)[0].read("id")
        try change(name, changes, on: database)
        return id
    }

    /// Changes a sink. Returns false if it does not exist.
    @discardableResult
    package func change(_ name: String, _ changes: Changes, on database: isolated Connection) throws -> Bool {
        if changes.isDefault == true {
            try database.query(
                """
                UPDATE sinks SET is_default = false
                WHERE is_default AND account = (SELECT account FROM sinks WHERE name = \(name))
                """)
        }
        let changed = try database.query(
            """
            UPDATE sinks
            SET settings = coalesce(\(changes.settings.map(Self.json))::jsonb, settings),
                signs_in = coalesce(\(changes.signsIn)::boolean, signs_in),
                is_default = coalesce(\(changes.isDefault)::boolean, is_default),
                pause = coalesce(\(changes.pause)::interval, pause),
                changed_at = clock_timestamp()
            WHERE name = \(name)
            RETURNING 1
            """)
        try tellWorkers(of: name, on: database)
        return !changed.isEmpty
    }

    /// Replaces the secret, which is sealed for ``context(of:)``.
    package func setSecret(_ sealed: [UInt8]?, of sink: String, on database: isolated Connection) throws {
        try database.query(
            "UPDATE sinks SET sealed = \(sealed.map(Bytes.init)), changed_at = clock_timestamp() WHERE name = \(sink)")
        try tellWorkers(of: sink, on: database)
    }

    /// Deletes a sink. Its trackers keep their locations, and upload them no longer. Its lane stays, empty, because the
    /// log of calls refers to it. Returns false if the sink does not exist. Run it in a transaction.
    package func remove(_ name: String, on database: isolated Connection) throws -> Bool {
        let found = try database.query("SELECT id FROM sinks WHERE name = \(name) FOR UPDATE").first
        guard let sink: Int = try found?.read("id") else { return false }
        // crosses rooms: a tracker contains the id of its sink. A job without a tracker ends without a call.
        try database.query("UPDATE trackers SET sink = NULL, job = NULL, piece = NULL WHERE sink = \(sink)::integer")
        try database.query("DELETE FROM sinks WHERE id = \(sink)::integer")
        try tellWorkers(of: name, on: database)
        return true
    }

    /// Returns sinks by name: all, one, or those of an account.
    package func sinks(
        named name: String? = nil, account: Int? = nil, on database: isolated Connection
    ) throws -> [StoredSink] {
        // crosses rooms: a sink contains only the id of its lane.
        try database.query(
            """
            SELECT sinks.id, account, sinks.name, sinks.kind, about, settings::text AS settings, sealed, signs_in, is_default,
                   extract(epoch FROM pause) AS pause, lanes.name AS lane, changed_at::text AS version
            FROM sinks
            JOIN lanes ON lanes.id = lane
            WHERE sinks.name = coalesce(\(name), sinks.name) AND account = coalesce(\(account)::integer, account)
            ORDER BY sinks.name
            """
        ).map(StoredSink.init)
    }

    /// Returns the id of the sink of a user's tracker; nil if there is none.
    package func number(ofSinkOf user: String, account: Int, on database: isolated Connection) throws -> Int? {
        try database.query(
            "SELECT sink FROM trackers WHERE account = \(account)::integer AND user_id = \(user)"
        ).first?.readIfPresent("sink")
    }

    private static func json(_ settings: SinkSettings) -> String {
        guard let json = try? JSONEncoder().encode(settings) else {
            preconditionFailure("settings are texts and flags")
        }
        return String(decoding: json, as: UTF8.self)
    }

    private func tellWorkers(of sink: String, on database: isolated Connection) throws {
        try database.query("SELECT pg_notify(\(JobQueue.lanesChannel), \(Self.lane(of: sink)))")
    }
}

extension StoredSink {
    fileprivate init(_ row: Row) throws {
        kindName = try row.read("kind")
        let subject: String = try row.read("about")
        guard let about = SinkSubject(rawValue: subject) else { preconditionFailure("a sink about \(subject)") }
        self.about = about
        id = try row.read("id")
        account = try row.read("account")
        name = try row.read("name")
        settings = try JSONDecoder().decode(
            SinkSettings.self, from: Data(row.read("settings", as: String.self).utf8))
        sealed = try row.readIfPresent("sealed", as: Bytes.self)?.bytes
        signsIn = try row.read("signs_in")
        isDefault = try row.read("is_default")
        pause = try row.read("pause")
        lane = try row.read("lane")
        version = try row.read("version")
    }
}
