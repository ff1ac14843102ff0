import Cluster
import DatabaseTesting
import HTTP
import Locations
import Polling
import Postgres
import Processes
import Queue
import Sinks
import Testing
import Tracking

@Suite(.database)
struct UploadTests {
    @Test func `locations in the sink equal those in the database`() async throws {
        let scene = try await UploadScene(users: 3)
        try await with(scene.worker()) { () async throws in
            for user in scene.users {
                for minute in 0..<20 { try await scene.send(minute, of: user, at: minute % 7) }
            }
            try await scene.waitUntilUploaded()
        }
        #expect(try await scene.sink.documents == scene.stored())
        #expect(scene.sink.documents.count == 60)
    }

    @Test func `a changed location is uploaded again, and a removed one is deleted`() async throws {
        let scene = try await UploadScene(users: 1)
        try await with(scene.worker()) { () async throws in
            try await scene.send(0, of: "user 0", at: 0)
            try await scene.send(10, of: "user 0", at: 5)
            try await scene.send(20, of: "user 0", at: 5)
            try await scene.waitUntilUploaded()
            #expect(scene.sink.documents.map(\.value.waitTime).sorted() == [0, 600])
            // A fix elsewhere splits the second stay.
            try await scene.send(14, of: "user 0", at: 9)
            try await scene.waitUntilUploaded()
            #expect(scene.sink.documents.count == 4)
            // A fix at the stay's place before it: the stay began earlier.
            try await scene.send(5, of: "user 0", at: 5)
            try await scene.waitUntilUploaded()
        }
        #expect(try await scene.sink.documents == scene.stored())
        #expect(scene.sink.removals == ["10"])
        let marks = try await scene.database.run {
            try rows("SELECT FROM pending_locations WHERE removed", on: $0).count
        }
        #expect(marks == 0)
    }

    @Test func `a location that changes during a call is uploaded again`() async throws {
        let scene = try await UploadScene(users: 1)
        try await scene.send(0, of: "user 0", at: 0)
        scene.sink.hold()
        try await with(scene.worker()) { () async throws in
            await scene.sink.hasBegun()
            try await scene.send(5, of: "user 0", at: 0)
            scene.sink.goOn()
            try await scene.waitUntilUploaded()
        }
        #expect(scene.sink.documents.map(\.value.waitTime) == [300])
    }

    @Test func `each location is in the sink in the end, whatever the sink replies`() async throws {
        let scene = try await UploadScene(users: 10)
        scene.sink.moods.withLock {
            $0 = [
                .unavailable(reason: "no"), nil, .busy(retryAfter: .milliseconds(1)), nil, .refused(reason: "no"), nil,
                .quotaExhausted(resetIn: .milliseconds(1)), nil,
            ]
        }
        try await scene.database.run {
            try $0.run(script: "UPDATE lanes SET first_retry = '1 ms', breaker_after = 1000")
        }
        try await with(scene.worker("ada")) { () async throws in
            try await with(scene.worker("ben")) { () async throws in
                for minute in 0..<10 {
                    for user in scene.users { try await scene.send(minute, of: user, at: minute % 3) }
                }
                // A single refused location is set aside.
                try await scene.waitUntilUploaded(orRefused: true)
                scene.sink.moods.withLock { $0 = [] }
                _ = try await scene.database.transaction { [account = scene.account] in
                    try UploadStore().retry(account: account, on: $0)
                }
                try await scene.waitUntilUploaded()
            }
        }
        #expect(try await scene.sink.documents == scene.stored())
    }

    @Test func `a location that the sink rejects does not stop the others`() async throws {
        let scene = try await UploadScene(users: 1)
        scene.sink.unwanted.withLock { $0 = ["37"] }
        for minute in 0..<100 { try await scene.send(minute, of: "user 0", at: minute) }
        try await with(scene.worker()) { () async throws in
            try await scene.waitUntilUploaded(orRefused: true)
        }
        #expect(scene.sink.documents.count == 99)
        let refusals = try await scene.database.run {
            try $0.query("SELECT id, refusal FROM pending_locations WHERE refusal IS NOT NULL").map {
                try $0.read("id", as: String.self) + ": " + $0.read("refusal", as: String.self)
            }
        }
        #expect(refusals == ["37: it has a location that nobody wants"])
        // The 99 good locations are not sent one by one.
        #expect(scene.sink.calls.withLock { $0 } < 40)

        scene.sink.unwanted.withLock { $0 = [] }
        let retried = try await scene.database.transaction { [account = scene.account] in
            try UploadStore().retry(user: "user 0", account: account, on: $0)
        }
        #expect(retried == 1)
        try await with(scene.worker()) { () async throws in try await scene.waitUntilUploaded() }
        #expect(scene.sink.documents.count == 100)
    }

    @Test func `while tracking is off, nothing is uploaded`() async throws {
        let scene = try await UploadScene(users: 2)
        for minute in 0..<5 {
            try await scene.send(minute, of: "user 0", at: minute)
            try await scene.send(minute, of: "user 1", at: minute)
        }
        try await scene.stop("user 0")
        try await with(scene.worker()) { () async throws in
            try await scene.waitUntilUploaded(by: "user 1")
            #expect(Set(scene.sink.documents.values.map(\.user)) == ["user 1"])
            // The job ended, and no other one exists.
            #expect(try await scene.jobs() == 0)
            try await scene.start("user 0")
            try await scene.waitUntilUploaded()
        }
        #expect(scene.sink.documents.count == 10)
    }

    @Test func `a stop waits for the running call, and no other call starts`() async throws {
        let scene = try await UploadScene(users: 1)
        try await scene.send(0, of: "user 0", at: 0)
        scene.sink.hold()
        try await with(scene.worker()) { () async throws in
            await scene.sink.hasBegun()
            try await scene.send(1, of: "user 0", at: 5)
            try await scene.stop("user 0")
            #expect(try await scene.isBeingUploaded("user 0"))
            scene.sink.goOn()
            try await pollUntil { try await !scene.isBeingUploaded("user 0") }
            #expect(try await scene.jobs() == 0)
        }
        #expect(scene.sink.documents.count == 1)
        #expect(scene.sink.calls.withLock { $0 } == 1)
    }

    @Test func `a stop, and the worker's end, wait for a call to the tracker's former sink`() async throws {
        let scene = try await UploadScene(users: 1)
        try await scene.send(0, of: "user 0", at: 0)
        scene.sink.hold()
        try await with(scene.worker()) { () async throws in
            await scene.sink.hasBegun()
            try await scene.start("user 0", with: TrackerSettings(sink: .nowhere))
            _ = try await scene.database.transaction { try SinkStore().remove("test", on: $0) }
            try await pollUntil { try await scene.servedLanes() == [] }
            try await scene.stop("user 0")
            #expect(try await scene.isBeingUploaded("user 0"))
            scene.sink.goOn()
        }
        #expect(try await !scene.isBeingUploaded("user 0"))
        #expect(try await scene.jobs() == 0)
        #expect(scene.sink.documents.count == 1)
    }

    @Test func `trackers share a call when the lane has a backlog`() async throws {
        let scene = try await UploadScene(users: 50)
        for user in scene.users { try await scene.send(0, of: user, at: 0) }
        #expect(try await scene.jobs() == 1)
        try await with(scene.worker()) { () async throws in try await scene.waitUntilUploaded() }
        #expect(scene.sink.calls.withLock { $0 } == 1)
        #expect(scene.sink.documents.count == 50)
    }

    @Test func `a tracker is uploaded at most once in its sink's pause`() async throws {
        let scene = try await UploadScene(users: 1, pause: .seconds(60))
        try await scene.send(0, of: "user 0", at: 0)
        try await with(scene.worker()) { () async throws in try await scene.waitUntilUploaded() }
        try await scene.send(1, of: "user 0", at: 5)
        let wait: Double = try await scene.database.run {
            try $0.query("SELECT extract(epoch FROM run_at - now())::float8 AS wait FROM jobs")[0].read("wait")
        }
        #expect(wait > 30 && wait <= 60)
    }

    @Test func `the newest location is uploaded first where the tracker is set so`() async throws {
        let scene = try await UploadScene(users: 1, most: 3)
        try await scene.start("user 0", with: TrackerSettings(newestFirst: true))
        for minute in 0..<9 { try await scene.send(minute, of: "user 0", at: minute) }
        try await with(scene.worker()) { () async throws in try await scene.waitUntilUploaded() }
        #expect(scene.sink.order.withLock { $0 } == (0..<9).reversed().map { "\($0)" })
    }

    @Test func `each sink that a tracker is given gets all its locations`() async throws {
        let scene = try await UploadScene(users: 1)
        for minute in 0..<5 { try await scene.send(minute, of: "user 0", at: minute) }
        try await with(scene.worker()) { () async throws in try await scene.waitUntilUploaded() }
        let other = try await UploadScene(sink: "other", of: scene)
        try await scene.start("user 0", with: TrackerSettings(sink: .sink(named: "other")))
        try await with(other.worker()) { () async throws in try await scene.waitUntilUploaded() }
        #expect(other.sink.documents == scene.sink.documents)
        await #expect(throws: NoSuchSink(name: "none")) {
            try await scene.start("user 0", with: TrackerSettings(sink: .sink(named: "none")))
        }
        // Without a sink nothing is due.
        try await scene.start("user 0", with: TrackerSettings(sink: .nowhere))
        try await scene.send(6, of: "user 0", at: 6)
        #expect(try await scene.jobs() == 0)
    }

    @Test func `a late result from the former sink does not count for the new sink`() async throws {
        let scene = try await UploadScene(users: 1)
        let other = try await UploadScene(sink: "other", of: scene)
        try await scene.send(0, of: "user 0", at: 0)
        scene.sink.hold()
        try await with(scene.worker()) { () async throws in
            await scene.sink.hasBegun()
            try await scene.start("user 0", with: TrackerSettings(sink: .sink(named: "other")))
            scene.sink.goOn()
        }
        #expect(scene.sink.documents.count == 1)
        // The upload to the new sink still waits, in the only job.
        let (jobs, waiting) = try await scene.database.run { db throws in
            (
                try rows("SELECT FROM jobs", on: db).count,
                try rows("SELECT FROM trackers JOIN jobs ON jobs.id = job WHERE worker IS NULL", on: db).count
            )
        }
        #expect(jobs == 1 && waiting == 1)
        try await with(other.worker()) { () async throws in try await scene.waitUntilUploaded() }
        #expect(other.sink.documents == scene.sink.documents)
    }

    @Test func `an upload does not wait for the retry of another one`() async throws {
        let scene = try await UploadScene(users: 2)
        try await scene.send(0, of: "user 0", at: 0)
        try await scene.database.run { db throws in
            let ada = try ProcessRegistry().register(.worker, name: "ada", host: "h", pid: 1, on: db)
            let job = try #require(try JobQueue().claim(1, from: scene.lane, for: ada, on: db).jobs.first)
            let report = JobReport(job, .retry(reason: "test", after: .seconds(3_600)))
            _ = try JobQueue().finish([report], in: scene.lane, by: ada, on: db)
        }
        let heard = try await heard(on: [JobQueue.readyChannel], in: scene.database) { () async throws in
            for advice in [SleepAdvice.again, .sleep] {
                let next = try await scene.database.run {
                    try JobQueue().prepareToSleep(in: scene.lane, for: .seconds(60), on: $0)
                }
                #expect(next == advice)
            }
            try await scene.send(0, of: "user 1", at: 0)
        }
        #expect(heard == ["waypost_jobs upload:test"])
        let ready = try await scene.database.run {
            try rows("SELECT subjects FROM jobs WHERE failures = 0 AND run_at <= now()", on: $0).count
        }
        #expect(ready == 1)
    }

    @Test func `a cancelled upload is queued again`() async throws {
        let scene = try await UploadScene(users: 3)
        for user in scene.users { try await scene.send(0, of: user, at: 0) }
        try await scene.database.run { try $0.run(script: "DELETE FROM jobs") }
        let requeue = { try await scene.database.transaction { try UploadStore().requeueLost(2, on: $0) } }
        #expect(try await requeue() == 2)
        #expect(try await requeue() == 1)
        #expect(try await requeue() == 0)
        try await with(scene.worker()) { () async throws in try await scene.waitUntilUploaded() }
        #expect(scene.sink.documents.count == 3)
    }

    @Test func `a dead worker's uploads are made by another, also those that were split`() async throws {
        let scene = try await UploadScene(users: 8)
        for user in scene.users { try await scene.send(0, of: user, at: 0) }
        try await scene.database.transaction { db throws in
            let dead = try ProcessRegistry().register(.worker, name: "dead", host: "h", pid: 1, on: db)
            _ = try JobQueue().claim(5, from: scene.lane, for: dead, on: db)
            let rescue = try ProcessRegistry().leave(.worker, dead, on: db)
            #expect(rescue.halves.count == 1)
            try UploadStore().moveJobs(after: rescue, on: db)
        }
        // None of the trackers counts as lost.
        #expect(try await scene.database.transaction { try UploadStore().requeueLost(100, on: $0) } == 0)
        try await with(scene.worker()) { () async throws in try await scene.waitUntilUploaded() }
        #expect(scene.sink.documents.count == 8)
    }

    @Test func `a sink of a kind that has left the program gets nothing, and keeps its locations`() async throws {
        let scene = try await UploadScene(users: 1)
        let other = try await UploadScene(sink: "other", of: scene)
        try await scene.database.run { try $0.query("UPDATE sinks SET kind = 'file' WHERE name = 'test'") }
        try await with(scene.worker(access: SinkAccess { _, _ in other.sink })) { () async throws in
            try await scene.send(0, of: "user 0", at: 0)
            try await pollUntil { try await scene.servedLanes() == ["upload:other"] }
            #expect(scene.sink.calls.withLock { $0 } == 0)
            #expect(other.sink.calls.withLock { $0 } == 0)
            // Its tracker may move to another sink, which gets everything.
            try await scene.start("user 0", with: TrackerSettings(sink: .sink(named: "other")))
            try await scene.waitUntilUploaded()
        }
        #expect(other.sink.documents.count == 1)
    }

    @Test func `a worker notices added, changed and removed sinks`() async throws {
        let scene = try await UploadScene(users: 1)
        let made = Locked<[String]>([])
        let access = SinkAccess { sink, _ in
            made.withLock { $0.append(sink.name) }
            return scene.sink
        }
        try await with(scene.worker(access: access)) { () async throws in
            try await scene.send(0, of: "user 0", at: 0)
            try await scene.waitUntilUploaded()
            #expect(made.withLock { $0 } == ["test"])
            try await scene.database.transaction { db throws in
                _ = try SinkStore().change("test", SinkStore.Changes(pause: .zero), on: db)
            }
            let other = try await UploadScene(sink: "later", of: scene)
            try await scene.start("user 0", with: TrackerSettings(sink: .sink(named: "later")))
            try await scene.waitUntilUploaded()
            #expect(other.lane == "upload:later")
            #expect(made.withLock { $0.sorted() } == ["later", "test", "test"])
            #expect(try await scene.servedLanes() == ["upload:later", "upload:test"])
            try await scene.database.transaction { db throws in
                #expect(try SinkStore().remove("later", on: db))
                #expect(try !SinkStore().remove("never", on: db))
            }
            try await pollUntil { try await scene.servedLanes() == ["upload:test"] }
        }
        let state = try await scene.database.run {
            try TrackerStore().tracker(of: "user 0", account: scene.account, on: $0)
        }
        #expect(state?.sink == nil)
    }
}
