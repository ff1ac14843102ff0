import Glibc
import Processes
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ChildProcessTests {
    @Test func `a program's whole output is returned with its exit`() async throws {
        let outcome = try await ChildProcess.output(
            of: "sh", ["-c", "head -c 300000 /dev/zero; echo oh >&2; exit 3"])
        #expect(outcome.exit == .code(3))
        #expect(outcome.output.count == 300_000)
        #expect(outcome.error == Array("oh\n".utf8))
    }

    @Test func `lines are delivered one by one, also the last one`() async throws {
        let journal = Journal()
        let child = try ChildProcess("printf", [#"one\ntwo\n\nlast"#], output: .lines(journal.note))
        #expect(await child.exit() == .code(0))
        #expect(journal.entries == ["one", "two", "", "last"])
    }

    @Test func `a daemon left behind by the child is not waited for`() async throws {
        let outcome = try await ChildProcess.output(
            of: "sh", ["-c", "sleep 600 & echo $!"])
        let daemon = try #require(Int32(text(outcome).dropLast()))
        #expect(kill(daemon, SIGKILL) == 0)
    }

    @Test func `the child has its own environment and directory`() async throws {
        let outcome = try await ChildProcess.output(
            of: "/bin/sh", ["-c", "pwd; echo $COLOUR$HOME"], environment: ["COLOUR": "teal"], directory: "/usr")
        #expect(text(outcome) == "/usr\nteal\n")
    }

    @Test func `the child inherits no blocked and no ignored signal`() async throws {
        signal(SIGPIPE, SIG_IGN)
        let outcome = try await ChildProcess.output(of: "sed", ["-nE", "s/Sig(Blk|Ign):.//p", "/proc/self/status"])
        let sets = text(outcome).split(separator: "\n").compactMap { UInt64($0, radix: 16) }
        // Signals 32 and 33 belong to glibc, whose posix_spawn makes the child ignore them.
        #expect(sets.map { $0 & 0x7FFF_FFFF } == [0, 0])
    }

    @Test func `the child leads its own process group`() async throws {
        let child = try ChildProcess("cat", input: .lifeline)
        #expect(getpgid(child.pid) == child.pid)
        child.closeLifeline()
        _ = await child.exit()
    }

    @Test func `a signal ends the child, and every waiting task gets the exit`() async throws {
        let child = try ChildProcess("cat", input: .lifeline)
        async let one = child.exit()
        async let two = child.exit()
        child.send(SIGTERM)
        #expect(await [one, two, child.exit()] == [.signal(SIGTERM), .signal(SIGTERM), .signal(SIGTERM)])
        child.send(SIGTERM)
    }

    @Test func `output is appended to a file that only its owner may read`() async throws {
        let path = "/tmp/waypost-child-\(getpid()).log"
        defer { unlink(path) }
        for word in ["one", "two"] {
            _ = try await ChildProcess("echo", [word], output: .file(path), error: .discarded).exit()
        }
        let outcome = try await ChildProcess.output(of: "sh", ["-c", "cat \(path); stat -c %a \(path)"])
        #expect(text(outcome) == "one\ntwo\n600\n")
    }

    @Test func `a program that can't be started is an error`() {
        let error = #expect(throws: SystemError.self) { try ChildProcess("/no/such/program", directory: "/usr") }
        #expect(error?.description == "can't start /no/such/program in /usr: No such file or directory")
    }

    @Test func `closing a lifeline reaches its child while a later sibling lives`() async throws {
        let first = try ChildProcess("cat", input: .lifeline)
        let second = try ChildProcess("cat", input: .lifeline)
        first.closeLifeline()
        #expect(await first.exit() == .code(0))
        second.closeLifeline()
        #expect(await second.exit() == .code(0))
    }

    @Test func `a child detects that its parent was killed`() async {
        // The child holds the other end of the pipe. Its output ends when it has ended, and then this test ends.
        let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
            _ = try ChildProcess("sh", ["-c", "cat; echo the parent is gone"], input: .lifeline)
            kill(getpid(), SIGKILL)
        }
        #expect(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self) == "the parent is gone\n")
    }

    @Test func `a service with a lifeline ends when the lifeline is closed`() async throws {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        let reading = ends[0]
        let journal = Journal()
        async let run: Void = Lifeline(descriptor: reading).run { journal.note("ready") }
        await journal.wait(for: "ready")
        close(ends[1])
        try await run
    }

    @Test func `a hundred children leave no descriptor and no zombie`() async {
        await #expect(processExitsWith: .success) {
            _ = try await ChildProcess.output(of: "true")
            let before = openDescriptors()
            for _ in 1...100 {
                let child = try ChildProcess(
                    "true", input: .lifeline, output: .bytes { _ in }, error: .lines { _ in })
                _ = await child.exit()
                _ = try? ChildProcess("/no/such/program", input: .lifeline, output: .bytes { _ in })
            }
            // Swift's own threads sometimes open a descriptor; a leak would be a hundred.
            exit(openDescriptors() < before + 50 && waitpid(-1, nil, WNOHANG) == -1 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    private func text(_ outcome: ChildProcess.Outcome) -> String {
        String(decoding: outcome.output, as: UTF8.self)
    }
}

private func openDescriptors() -> Int {
    (0..<1_024).count { fcntl($0, F_GETFD) != -1 }
}
