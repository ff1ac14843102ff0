import Cluster
import DatabaseTesting
import HTTP
import Locations
import Polling
import Postgres
import Processes
import Questions
import Queue
import Sinks
import Testing
import Tracking

/// An account with trackers and their sink.
struct UploadScene {
    let database: Database
    let account: Int
    let users: [String]
    let sink: RecordingSink
    let lane: String

    init(users count: Int, most: Int = 500, pause: Duration = .zero) async throws {
        let database = try Database.test
        let sink = RecordingSink(most: most)
        self.database = database
        self.sink = sink
        users = (0..<count).map { "user \($0)" }
        lane = SinkStore.lane(of: "test")
        account = try await database.transaction { [users] db throws in
            let account: Int = try db.query("INSERT INTO accounts (name) VALUES ('app') RETURNING id")[0].read("id")
            _ = try SinkStore().add(
                "test", .webhook, SinkStore.Changes(isDefault: true, pause: pause), limits: [], batch: 100,
                account: account, on: db)
            for user in users { try TrackerStore().start(user, since: 0, account: account, on: db) }
            return account
        }
    }

    /// Another sink for the same trackers.
    init(sink name: String, of scene: UploadScene) async throws {
        (database, account, users) = (scene.database, scene.account, scene.users)
        sink = RecordingSink(most: 500)
        lane = SinkStore.lane(of: name)
        _ = try await database.transaction { [account] in
            try SinkStore().add(
                name, .webhook, SinkStore.Changes(pause: .zero), limits: [], batch: 1, account: account, on: $0)
        }
    }

    /// A worker that serves the scene's sink. With `access` it serves all sinks.
    func worker(_ name: String = "ada", access: SinkAccess? = nil) -> Worker {
        let readOwn: @Sendable (isolated Connection) throws -> [ChangingLane] = { [sink, lane] database in
            try SinkAccess { _, _ in sink }.readLanes(database).filter { $0.name == lane }
        }
        return Worker(
            name: name, database: database, works: [], readLanes: access?.readLanes ?? readOwn,
            registry: ProcessRegistry(),
            callsAtOnce: 4,
            log: silent)
    }

    /// Sends a fix named after its minute, at one of several places far apart.
    func send(_ minute: Int, of user: String, at place: Int) async throws {
        let fix = UserFix(
            Fix(
                id: "\(minute)", lat: 60 + Double(place) / 100, lng: 25,
                timestamp: 1_700_000_000 + Double(minute) * 60), of: user)
        let fates = try await database.run { [account] in try TrackerStore().record([fix], account: account, on: $0) }
        #expect(fates == [.taken])
    }

    func stop(_ user: String) async throws {
        _ = try await database.run { [account] in try TrackerStore().stop(user, account: account, on: $0) }
    }

    func start(_ user: String, with settings: TrackerSettings = TrackerSettings()) async throws {
        try await database.transaction { [account] in
            try TrackerStore().start(user, since: 0, with: settings, account: account, on: $0)
        }
    }

    func isBeingUploaded(_ user: String) async throws -> Bool {
        try await database.run { [account] in
            try TrackerStore().isBeingUploaded(user, account: account, on: $0)
        }
    }

    func jobs() async throws -> Int { try await database.run { try rows("SELECT FROM jobs", on: $0).count } }

    func servedLanes() async throws -> [String] {
        try await database.query("SELECT lanes FROM workers").flatMap { try $0.read("lanes", as: [String].self) }
    }

    func waitUntilUploaded(by user: String? = nil, orRefused: Bool = false) async throws {
        try await pollUntil {
            try await database.query(
                """
                SELECT FROM pending_locations
                JOIN trackers ON trackers.id = tracker
                WHERE (NOT uploaded OR removed) AND (\(!orRefused) OR refusal IS NULL)
                  AND user_id = coalesce(\(user), user_id)
                """
            ).isEmpty
        }
    }

    /// The locations in the database, in a sink's form.
    func stored() async throws -> [String: LocationToUpload] {
        let all = try await database.run { [account, users] db throws in
            try users.flatMap { try TrackerStore().locations(of: $0, account: account, on: db) }
        }
        return Dictionary(
            uniqueKeysWithValues: all.map { location in
                (
                    "\(location.user) \(location.id)",
                    LocationToUpload(
                        user: location.user, id: location.id, lat: location.lat, lng: location.lng,
                        accuracy: location.accuracy, timestamp: location.timestamp, waitTime: location.waitTime)
                )
            })
    }
}

/// A sink in memory, whose replies a test sets.
final class RecordingSink: LocationSink {
    let most: Int
    let sender: (any HTTPCaller)? = nil
    let signIn: FirebaseSignIn? = nil
    let calls = Locked(0)
    let order = Locked<[String]>([])
    let unwanted = Locked<Set<String>>([])
    /// The results of the calls, repeated in order; nil is success.
    let moods = Locked<[SinkError?]>([])
    private let kept = Locked<(documents: [String: LocationToUpload], removals: [String])>(([:], []))
    private let gate = Locked<(isShut: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))
    private let beginnings = AsyncStream.makeStream(of: Void.self)

    init(most: Int) { self.most = most }

    var documents: [String: LocationToUpload] { kept.withLock { $0.documents } }
    var removals: [String] { kept.withLock { $0.removals } }

    /// Makes new calls wait.
    func hold() { gate.withLock { $0.isShut = true } }

    func goOn() {
        let waiting = gate.withLock { gate in
            defer { gate = (false, []) }
            return gate.waiting
        }
        for call in waiting { call.resume() }
    }

    func hasBegun() async { for await _ in beginnings.stream { return } }

    func upload(_ parcel: Parcel) async throws(SinkError) {
        let number = calls.withLock { calls in
            calls += 1
            return calls
        }
        beginnings.continuation.yield()
        await withCheckedContinuation { call in
            let isShut = gate.withLock { gate in
                if gate.isShut { gate.waiting.append(call) }
                return gate.isShut
            }
            if !isShut { call.resume() }
        }
        let mood = moods.withLock { $0.isEmpty ? nil : $0[number % $0.count] }
        if let mood { throw mood }
        if unwanted.withLock({ unwanted in parcel.locations.contains { unwanted.contains($0.id) } }) {
            throw .refused(reason: "it has a location that nobody wants")
        }
        order.withLock { $0 += parcel.locations.map(\.id) }
        kept.withLock { kept in
            for location in parcel.locations {
                kept.documents["\(location.user) \(location.id)"] = location.isRemoved ? nil : location
                if location.isRemoved { kept.removals.append(location.id) }
            }
        }
    }
}
