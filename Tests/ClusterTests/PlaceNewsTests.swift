import Cluster
import DatabaseTesting
import HTTP
import HTTPTesting
import JSON
import Locations
import Polling
import Postgres
import Processes
import Questions
import Queue
import Sinks
import Testing

/// A webhook about places, as its receiver sees it. Workers and coordinator have only the rights of their role.
@Suite(.database)
struct PlaceNewsTests {
    private let receiver: ScriptedServer
    private let answers = Locked<[Int]>([])
    private let http = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
    private let secret = "twenty-four-bytes-or-more"
    private let lane = SinkStore.lane(of: "found")

    init() throws {
        receiver = try ScriptedServer { [answers] _ in
            .status(answers.withLock { $0.isEmpty ? 204 : $0.removeFirst() })
        }
    }

    /// Adds a webhook about the places of the account `default`, which has `count` waiting addresses.
    private func prepare(addresses count: Int) async throws {
        try await fill(Database.test, with: count)
        try await Database.test.transaction { [lane] db throws in
            let account: Int = try db.query("SELECT id FROM accounts WHERE name = 'default'")[0].read("id")
            _ = try SinkStore().add(
                "found", .webhook, about: .places, SinkStore.Changes(pause: .zero), limits: [], batch: 1,
                account: account, on: db)
            try JobQueue().change(lane, on: db) { $0.firstRetry = .milliseconds(1) }
        }
    }

    /// Runs a worker, and `body` with a function that enqueues messages like the leading coordinator.
    private func withWorker(_ body: (_ enqueue: () async throws -> Int) async throws -> Void) async throws {
        let database = try Database.test(as: "waypost_worker")
        let sink = WebhookSink(
            url: try #require(HTTPURL(receiver.url + "/hook")), secret: try WebhookSecret(secret), http: http)
        let worker = Worker(
            name: "ada", database: database, works: [GeocodingWork(TestProvider.everywhere)],
            readLanes: SinkAccess { _, _ in sink }.readLanes, registry: ProcessRegistry(), callsAtOnce: 4, log: silent)
        try await with(worker) { () async throws in
            try await body { try await database.transaction { try PlaceNewsStore().enqueue(on: $0) } }
        }
        await database.close()
        await http.close()
        receiver.stop()
    }

    private func messages() throws -> [[String: JSONValue]] {
        try receiver.requests.map { try #require(JSONValue(parsing: $0.body).object) }
    }

    private func waitUntilTold(_ enqueue: () async throws -> Int) async throws {
        while try await Database.test.run({ db in
            try !rows(
                """
                SELECT FROM sinks
                WHERE job IS NOT NULL OR told_in < (SELECT max(changed_in) FROM friends)
                   OR told_in < (SELECT max(changed_in) FROM addresses)
                """, on: db
            ).isEmpty
        }) { _ = try await enqueue() }
    }

    @Test func `a webhook is called until no address waits, and gets only counts`() async throws {
        try await prepare(addresses: 5)
        try await withWorker { enqueue in
            _ = try await waitForAnswers(Database.test)
            try await waitUntilTold(enqueue)
            let last = try #require(try messages().last)
            #expect(last["type"] == .text("places.complete"))
            let data = try #require(last["data"]?.object)
            #expect(data == ["addresses": .number(5), "waiting": .number(0), "located": .number(5)])
            let request = try #require(receiver.requests.last)
            let time = try #require(Int(request.headers["webhook-timestamp"] ?? ""))
            let signature = try WebhookSecret(secret).signature(
                of: request.body, id: try #require(request.headers["webhook-id"]), timestamp: time)
            #expect(request.headers["webhook-signature"] == signature)

            // Without a change there is no further message.
            let count = receiver.requests.count
            #expect(try await enqueue() == 0)

            // A friend's change leads to one more message.
            try await Database.test.query("UPDATE friends SET name = 'Another' WHERE source_key = '1'")
            try await waitUntilTold(enqueue)
            #expect(receiver.requests.count == count + 1)
        }
    }

    @Test func `after a dump was restored into another server, there is one more message`() async throws {
        try await prepare(addresses: 1)
        try await withWorker { enqueue in
            _ = try await waitForAnswers(Database.test)
            try await waitUntilTold(enqueue)
            let count = receiver.requests.count
            try await Database.test.run(
                script: """
                    UPDATE sinks SET told_in = 9000000000;
                    UPDATE friends SET changed_in = 9000000000;
                    UPDATE addresses SET changed_in = 9000000000;
                    SELECT begin_after_restore();
                    """)
            try await waitUntilTold(enqueue)
            #expect(receiver.requests.count == count + 1)
        }
    }

    @Test func `while addresses wait, the message has their number`() async throws {
        try await prepare(addresses: 3)
        _ = try await Database.test.transaction { try JobQueue().pause("gazetteer", on: $0) }
        try await withWorker { enqueue in
            try await waitUntilTold(enqueue)
            let message = try #require(try messages().last)
            #expect(message["type"] == .text("places.changed"))
            #expect(message["data"]?.object?["waiting"] == .number(3))
        }
    }

    @Test func `each attempt of a message has the same id and body`() async throws {
        try await prepare(addresses: 1)
        answers.withLock { $0 = [500, 404, 503] }
        _ = try await Database.test.transaction { try JobQueue().pause("gazetteer", on: $0) }
        try await withWorker { enqueue in
            try await waitUntilTold(enqueue)
            #expect(receiver.requests.count == 4)
            #expect(Set(receiver.requests.compactMap { $0.headers["webhook-id"] }).count == 1)
            #expect(Set(receiver.requests.map(\.body)).count == 1)
        }
    }

    @Test func `a change during the call and a cancelled job lead to another message`() async throws {
        try await prepare(addresses: 1)
        let store = PlaceNewsStore()
        let database = try Database.test
        let queue = JobQueue()
        // A change counts once no older transaction of the server is open.
        func enqueueOne() async throws {
            try await pollUntil { try await database.transaction { try store.enqueue(on: $0) } > 0 }
        }
        try await enqueueOne()
        // A webhook has at most one job.
        #expect(try await database.transaction { try store.enqueue(on: $0) } == 0)
        try await database.run { try $0.query("DELETE FROM jobs WHERE lane = (SELECT lane FROM sinks)") }
        try await enqueueOne()
        let worker = try await database.run { db in
            try ProcessRegistry().register(.worker, name: "w", host: "h", pid: 1, on: db)
        }
        let claimed = try await database.run { [lane] in
            try queue.claim(1, from: lane, for: WorkerID(worker), on: $0).jobs
        }
        let job = try #require(claimed.first)
        let news = try #require(try await database.run { try store.news(of: [job], on: $0) }[job.id])
        try await database.run { try $0.query("UPDATE friends SET name = 'Another'") }
        try await database.transaction { db in
            try db.query("DELETE FROM jobs WHERE id = \(job.id)")
            try store.finish([(job.id, news)], on: db)
        }
        let told: Int = try await database.run { try $0.query("SELECT told_in FROM sinks")[0].read("told_in") }
        #expect(told == news.changedIn)
        try await enqueueOne()
    }
}
