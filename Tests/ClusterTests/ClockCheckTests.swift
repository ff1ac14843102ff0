import DatabaseTesting
import Postgres
import Processes
import Queue
import Testing

@testable import Cluster

/// Processes that start with the last check of the database's clock by a process of the same boot. The time since the
/// boot may be another one: in a time namespace, and in a clone of a virtual machine.
@Suite(.database)
struct ClockCheckTests {
    private let queue = JobQueue()
    private let boot = "a boot"

    /// Stores a check by a process whose time since the boot is `apart` seconds ahead of ours.
    private func check(_ apart: Double, on db: isolated Connection) throws {
        var clock = ServerClock()
        try clock.measure(of: queue, silent, on: db)
        try clock.confirm(for: 0, as: boot, of: queue, on: db)
        try db.query(
            "UPDATE server_clock SET checked_from = checked_from + \(apart), checked_to = checked_to + \(apart)")
    }

    private func clockSteps(on db: isolated Connection) throws -> [Duration] {
        try queue.clockSteps(last: .seconds(60), on: db).map(\.size)
    }

    @Test(arguments: [1_000.0, -1_000])
    func `a start with another time since the boot moves no clock while a process lives`(_ apart: Double) async throws {
        try await Database.test.run { db throws in
            _ = try ProcessRegistry().register(.coordinator, name: "c", host: "h", pid: 1, on: db)
            try check(apart, on: db)
            var clock = ServerClock()
            #expect(try !clock.begin(of: queue, silent, as: boot, on: db))
            #expect(try clockSteps(on: db).isEmpty)
            #expect(try queue.clockReading(on: db).epoch == 0)
            // The living process used the clock, so the new one knows the clock too.
            var acquaintance = ClockAcquaintance()
            #expect(try !acquaintance.isMade(of: queue, on: db))
            try check(apart, on: db)
            #expect(try acquaintance.isMade(of: queue, on: db))
        }
    }

    @Test func `an operator who removes a limit does not use the clock`() async throws {
        try await Database.test.run { db throws in
            let limits = ["1/s", "9/min"].compactMap(RateLimit.init(text:))
            try queue.setLimits(limits, of: "gazetteer", on: db)
            try db.query("UPDATE token_buckets SET charged_at = now() - per")
            var acquaintance = ClockAcquaintance()
            #expect(try !acquaintance.isMade(of: queue, on: db))
            try queue.setLimits([RateLimit(text: "9/min")].compactMap(\.self), of: "gazetteer", on: db)
            #expect(try !acquaintance.isMade(of: queue, on: db))
            try db.query("UPDATE token_buckets SET charged_at = now()")
            #expect(try acquaintance.isMade(of: queue, on: db))
        }
    }

    @Test func `a start continues with a check that agrees with the clock`() async throws {
        try await Database.test.run { db throws in
            _ = try ProcessRegistry().register(.coordinator, name: "c", host: "h", pid: 1, on: db)
            try check(0, on: db)
            var clock = ServerClock()
            #expect(try clock.begin(of: queue, silent, as: boot, on: db))
            #expect(clock.epoch == 0)
        }
    }

    /// The row may be that of a process that was killed.
    @Test func `a check of the same boot counts when no process has used the clock for a while`() async throws {
        try await Database.test.run { db throws in
            _ = try ProcessRegistry().register(.coordinator, name: "c", host: "h", pid: 1, on: db)
            try check(-600, on: db)
            var clock = ServerClock()
            #expect(try !clock.begin(of: queue, silent, as: boot, on: db))
            try clock.adopt(of: queue, silent, as: boot, on: db)
            let steps = try clockSteps(on: db)
            #expect(steps.count == 1 && abs(steps[0] / .seconds(1) + 600) < 1)
        }
    }

    @Test func `a time namespace with its own time since the boot is another boot`() async throws {
        // Only root may make a namespace.
        let here = try await ChildProcess.output(of: "cat", ["/proc/self/timens_offsets"])
        let there = try await ChildProcess.output(
            of: "unshare", ["--time", "--boottime", "1000", "cat", "/proc/self/timens_offsets"])
        guard there.exit.isSuccess else { return }
        let (mine, other) = (
            String(decoding: here.output, as: UTF8.self), String(decoding: there.output, as: UTF8.self)
        )
        #expect(OwnProcess.bootOffset(in: mine) == "")
        #expect(OwnProcess.bootOffset(in: other) == " 1000 0")
    }
}
