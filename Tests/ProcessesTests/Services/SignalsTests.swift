import Glibc
import Processes
import Testing

/// Each test runs in its own process, because a signal is for a whole process.
@Suite(.timeLimit(.minutes(10)))
struct SignalsTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `the first signal lets the services finish`(signal: Int32) async {
        let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
            [signal] in
            let journal = Journal()
            let group = ServiceGroup([Diligent(name: "one", journal: journal)], log: Log(format: .logfmt))
            async let run: Void = group.runUntilSignalled()
            await journal.wait(for: "one is ready")
            kill(getpid(), signal)
            try await run
            exit(journal.entries.last == "one ends" ? 7 : 1)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("stopping: finishing running calls; a second signal stops at once"))
    }

    @Test func `a second signal stops at once`() async {
        await #expect(processExitsWith: .exitCode(143)) {
            let journal = Journal()
            let stubborn = Diligent(
                name: "stubborn", journal: journal,
                work: {
                    await untilCancelled()
                    journal.note("stubborn drains")
                    await Task { await untilCancelled() }.value
                })
            let group = ServiceGroup([stubborn], log: .silent)
            async let run: Void = group.runUntilSignalled()
            await journal.wait(for: "stubborn is ready")
            kill(getpid(), SIGTERM)
            await journal.wait(for: "stubborn drains")
            kill(getpid(), SIGTERM)
            try await run
        }
    }

    @Test func `each SIGHUP is delivered and ends nothing, where a handler uses it`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let journal = Journal()
            let group = ServiceGroup([Diligent(name: "one", journal: journal)], log: .silent)
            let hangUps = HangUps()
            hangUps.listen { journal.note("hang-up \(journal.entries.count { $0.hasPrefix("hang-up") })") }
            Signals.ignoreHangUp()
            kill(getpid(), SIGHUP)
            async let run: Void = group.runUntilSignalled(hangUp: { hangUps.tell() })
            await journal.wait(for: "one is ready")
            for number in 0..<3 {
                kill(getpid(), SIGHUP)
                await journal.wait(for: "hang-up \(number)")
            }
            kill(getpid(), SIGTERM)
            try await run
            exit(journal.entries.last == "one ends" ? 7 : 1)
        }
    }

    @Test func `SIGHUP stops services that have no handler for it`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let journal = Journal()
            let group = ServiceGroup([Diligent(name: "one", journal: journal)], log: .silent)
            async let run: Void = group.runUntilSignalled()
            await journal.wait(for: "one is ready")
            kill(getpid(), SIGHUP)
            try await run
            exit(journal.entries.last == "one ends" ? 7 : 1)
        }
    }

    @Test func `a peer that closed its connection doesn't end the process`() async {
        await #expect(processExitsWith: .success) {
            Signals.watch(first: { _ in }, second: { _ in })
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            close(ends[0])
            let written = write(ends[1], "x", 1)
            exit(written == -1 && errno == EPIPE ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
