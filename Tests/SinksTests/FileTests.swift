import Foundation
import Glibc
import Polling
import Testing

@testable import Sinks

final class FileTests: Sendable {
    private let directory = NSTemporaryDirectory() + "waypost-sink-" + UUID().uuidString
    private var path: String { directory + "/locations-secret.ndjson" }

    init() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    private var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

    private func write(_ text: String) throws { try text.write(toFile: path, atomically: false, encoding: .utf8) }

    private func upload(_ locations: [LocationToUpload]) async throws {
        try await FileSink(path: path).upload(Parcel(id: "1", locations: locations))
    }

    private static let line = """
        {"id":"1","user":"ann-secret","lat":60.125,"lng":24.5,"accuracy":8.0,"timestamp":"2027-01-15T08:00:00.250Z",\
        "wait_time":90.0,"uploaded":true}

        """
    private static let removal = """
        {"id":"1","user":"ann-secret","timestamp":"2027-01-15T08:00:00.250Z","removed":true}

        """

    @Test func `each location is a line, in order`() async throws {
        try await upload([.sample(), .sample(isRemoved: true)])
        try await upload([.sample()])
        #expect(try text == Self.line + Self.removal + Self.line)
    }

    @Test func `a line break in an id does not begin a new line`() async throws {
        try await upload([.sample("a\nb")])
        #expect(try text.split(separator: "\n").count == 1)
    }

    @Test func `only its owner may read the new file`() async throws {
        try await upload([.sample()])
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func `a file that was moved away is created again`() async throws {
        try await upload([.sample()])
        #expect(rename(path, path + ".1") == 0)
        try await upload([.sample(isRemoved: true)])
        #expect(try text == Self.removal)
        #expect(try String(contentsOfFile: path + ".1", encoding: .utf8) == Self.line)
    }

    @Test func `a file moved away during the wait for its lock gets no more lines`() async throws {
        try await upload([.sample()])
        let holder = open(path, O_RDWR | O_CLOEXEC)
        #expect(flock(holder, LOCK_EX) == 0)
        async let waiting: Void = upload([.sample(isRemoved: true)])
        try await pollUntil { try waits() }
        #expect(rename(path, path + ".1") == 0)
        close(holder)
        try await waiting
        #expect(try text == Self.removal)
        #expect(try String(contentsOfFile: path + ".1", encoding: .utf8) == Self.line)
    }

    /// True if this process has a second descriptor of the file.
    private func waits() throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == path
        } > 1
    }

    @Test func `a lock held by another process is a failure after a wait`() async throws {
        try await upload([.sample()])
        let holder = open(path, O_RDWR | O_CLOEXEC)
        defer { close(holder) }
        #expect(flock(holder, LOCK_EX) == 0)
        var file = LineFile(path: path)
        file.patience = .zero
        let error = #expect(throws: LineFile.Failure.self) { try file.append([0x0A]) }
        #expect(error?.description == "another process keeps it locked")
        #expect(error?.isLasting == false)
    }

    @Test func `an incomplete last line of ours is removed, and a complete one is ended`() async throws {
        for (before, after) in [
            ("", ""), ("\n", "\n"), (Self.line + Self.line.prefix(40), Self.line), (String(Self.line.prefix(40)), ""),
            (String(Self.line.dropLast()), Self.line), ("words of somebody", "words of somebody\n"),
            (Self.line + "\0\0\0", Self.line + "\0\0\0\n"),
        ] {
            try write(before)
            try await upload([.sample(isRemoved: true)])
            #expect(try text == after + Self.removal)
        }
    }

    @Test func `a long line that is not ours stays`() async throws {
        let long = "{" + String(repeating: "x", count: 100 << 10)
        try write(long)
        try await upload([.sample(isRemoved: true)])
        #expect(try text == long + "\n" + Self.removal)
    }

    /// The system accepts a part and then no more, as when a disk fills up in the middle of a parcel.
    @Test func `a parcel that does not fit leaves nothing behind`() async {
        await #expect(processExitsWith: .success) {
            let path = NSTemporaryDirectory() + "waypost-sink-" + UUID().uuidString
            defer { unlink(path) }
            signal(SIGXFSZ, SIG_IGN)
            let sink = FileSink(path: path)
            try await sink.upload(Parcel(id: "1", locations: [.sample()]))
            let before = try String(contentsOfFile: path, encoding: .utf8)
            var limit = rlimit(rlim_cur: 300, rlim_max: rlim_t.max)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let error = await #expect(throws: SinkError.self) {
                try await sink.upload(Parcel(id: "2", locations: (0..<5).map { .sample("\($0)") }))
            }
            #expect(error.map(Meaning.init) == .unavailable)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
            limit.rlim_cur = rlim_t.max
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            try await sink.upload(Parcel(id: "2", locations: (0..<5).map { .sample("\($0)") }))
            #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 6)
        }
    }

    @Test func `an impossible path is denied, and the error does not contain it`() async throws {
        for path in [directory, directory + "/no-secret/file", "/dev/null", "/proc/secret"] {
            let error = try await #require(throws: SinkError.self) {
                try await FileSink(path: path).upload(Parcel(id: "1", locations: [.sample()]))
            }
            #expect(Meaning(error) == .denied, "\(error)")
            expectDiscretion(error)
        }
    }

    private static func failure(of parcel: Parcel, at path: String) async -> Meaning? {
        do {
            try await FileSink(path: path).upload(parcel)
            return nil
        } catch { return Meaning(error) }
    }

    @Test func `concurrent writers split no line`() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask { [path] in
                    for round in 0..<5 {
                        let parcel = Parcel(id: "1", locations: (0..<20).map { .sample("\(number) \(round) \($0)") })
                        // On a busy machine a writer may wait too long for the lock. Then it tries again, as a worker does.
                        while case .unavailable? = await Self.failure(of: parcel, at: path) {}
                    }
                }
            }
            try await group.waitForAll()
        }
        let lines = try text.split(separator: "\n")
        #expect(lines.count == 2_000)
        #expect(Set(lines).count == 2_000)
    }
}
