import Testing

@testable import Processes

@Suite(.timeLimit(.minutes(10)))
struct ServiceGroupTests {
    struct Broken: Error, Equatable {
        var reason = "broken"
    }

    let journal = Journal()

    @Test func `each service starts when the previous one is ready`() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let slow = Diligent(name: "first", journal: journal, beforeReady: { for await _ in gate { break } })
        try await running([slow, diligent("second")]) {
            await journal.wait(for: "first starts")
            opener.yield()
            await journal.wait(for: "second is ready")
        }
        #expect(journal.entries.prefix(3) == ["first starts", "first is ready", "second starts"])
    }

    @Test func `services stop in the reverse order, one after another`() async throws {
        try await running(["one", "two", "three"].map(diligent)) {
            await journal.wait(for: "three is ready")
        }
        #expect(journal.entries.suffix(3) == ["three ends", "two ends", "one ends"])
    }

    @Test func `a service keeps working until those started after it have ended`() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let lingering = Diligent(
            name: "two", journal: journal,
            work: { [journal] in
                await untilCancelled()
                journal.note("two drains")
                await Task { for await _ in gate { break } }.value
            })
        let group = ServiceGroup([diligent("one"), lingering], log: .silent, clock: HandClock())
        async let run: Void = group.run()
        await journal.wait(for: "two is ready")
        group.stop()
        await journal.wait(for: "two drains")
        #expect(!journal.entries.contains("one ends"))
        opener.yield()
        try await run
        #expect(journal.entries.suffix(2) == ["two ends", "one ends"])
    }

    @Test func `cancelling the group stops it in order`() async throws {
        let group = ServiceGroup(["one", "two"].map(diligent), log: .silent)
        let run = Task { try await group.run() }
        await journal.wait(for: "two is ready")
        run.cancel()
        try await run.value
        #expect(journal.entries.suffix(2) == ["two ends", "one ends"])
    }

    @Test func `a service that ends stops the others and is not a failure`() async throws {
        let brief = Diligent(name: "brief", journal: journal, work: {})
        try await ServiceGroup([diligent("one"), brief], log: .silent).run()
        #expect(journal.entries.last == "one ends")
    }

    @Test func `a service that throws stops the others, and the group throws its error`() async {
        let broken = Diligent(name: "broken", journal: journal, work: { throw Broken() })
        await #expect(throws: Broken()) {
            try await ServiceGroup([diligent("one"), broken], log: .silent).run()
        }
        #expect(journal.entries.last == "one ends")
    }

    @Test func `the first of several failures is thrown`() async {
        let late = Diligent(
            name: "late", journal: journal,
            work: {
                await untilCancelled()
                throw Broken(reason: "second")
            })
        let broken = Diligent(name: "broken", journal: journal, work: { throw Broken(reason: "first") })
        await #expect(throws: Broken(reason: "first")) {
            try await ServiceGroup([late, broken], log: .silent).run()
        }
    }

    @Test func `when a start fails, started services stop and the rest never start`() async {
        let broken = Diligent(name: "broken", journal: journal, beforeReady: { throw Broken() })
        await #expect(throws: Broken()) {
            try await ServiceGroup(
                [diligent("one"), diligent("two"), broken, diligent("four")], log: .silent
            ).run()
        }
        #expect(journal.entries.suffix(3) == ["broken ends", "two ends", "one ends"])
        #expect(!journal.entries.contains("four starts"))
    }

    @Test func `a stop during the start ends the service that isn't ready yet`() async throws {
        let hesitant = Diligent(name: "hesitant", journal: journal, beforeReady: { await untilCancelled() })
        try await running([diligent("one"), hesitant, diligent("three")]) {
            await journal.wait(for: "hesitant starts")
        }
        #expect(journal.entries.suffix(2) == ["hesitant ends", "one ends"])
        #expect(!journal.entries.contains("three starts"))
    }

    @Test func `a cancelled service may end with a cancellation error`() async throws {
        let throwing = Diligent(
            name: "one", journal: journal,
            work: {
                await untilCancelled()
                try Task.checkCancellation()
            })
        try await running([throwing]) { await journal.wait(for: "one is ready") }
    }

    @Test func `a service that doesn't stop in time is abandoned, and the rest still stops`() async {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        func stubborn(_ name: String) -> Diligent {
            Diligent(name: name, journal: journal, work: { await Task { for await _ in gate { break } }.value })
        }
        let clock = HandClock()
        let group = ServiceGroup(
            [diligent("one"), stubborn("mule"), stubborn("ox")], log: .silent, stopLimit: .seconds(30), clock: clock)
        // The limit is for the whole process: the second one has only a second more.
        await #expect(throws: StopLimitExceeded(services: ["ox", "mule"], limit: .seconds(30))) {
            async let run: Void = group.run()
            await journal.wait(for: "ox is ready")
            group.stop()
            await clock.journal.wait(for: "sleeps 30s")
            clock.ring()
            await clock.journal.wait(for: "sleeps 31s")
            clock.ring()
            try await run
        }
        #expect(journal.entries.last == "one ends")
        opener.finish()
    }

    private func diligent(_ name: String) -> Diligent {
        Diligent(name: name, journal: journal)
    }

    /// Runs `services` until `body` returns, then stops them. The clock stands still, so no stop exceeds its limit.
    private func running(_ services: [any Service], until body: () async -> Void) async throws {
        let group = ServiceGroup(services, log: .silent, clock: HandClock())
        async let run: Void = group.run()
        await body()
        group.stop()
        try await run
    }
}
