import Processes

/// Records events in order, and lets a test wait for one.
final class Journal: Sendable {
    private struct State {
        var entries: [String] = []
        var waiting: [(entry: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    var entries: [String] { state.withLock { $0.entries } }

    func note(_ entry: String) {
        let due = state.withLock { state in
            state.entries.append(entry)
            let due = state.waiting.filter { $0.entry == entry }
            state.waiting.removeAll { $0.entry == entry }
            return due
        }
        for (_, continuation) in due { continuation.resume() }
    }

    /// Returns as soon as `entry` is in the journal.
    func wait(for entry: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if !state.entries.contains(entry) { state.waiting.append((entry, continuation)) }
                return state.entries.contains(entry)
            }
            if isThere { continuation.resume() }
        }
    }
}

/// A service that is ready at once, works until cancelled, and records its events.
struct Diligent: Service {
    let name: String
    let journal: Journal
    var beforeReady: @Sendable () async throws -> Void = {}
    var work: @Sendable () async throws -> Void = { await untilCancelled() }

    func run(ready: @escaping @Sendable () -> Void) async throws {
        journal.note("\(name) starts")
        defer { journal.note("\(name) ends") }
        try await beforeReady()
        ready()
        journal.note("\(name) is ready")
        try await work()
    }
}

/// Returns only when the task is cancelled.
func untilCancelled() async {
    for await _ in AsyncStream<Never>.makeStream().stream {}
}

/// A clock that moves only when the test says so.
final class HandClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        func duration(to other: Self) -> Duration { other.offset - offset }
        static func < (one: Self, other: Self) -> Bool { one.offset < other.offset }
    }

    let journal = Journal()
    var now: Instant { Instant(offset: state.withLock { $0.now }) }
    let minimumResolution = Duration.zero
    private struct State {
        var now: Duration = .zero
        var sleeps: [(end: Duration, bell: AsyncStream<Void>.Continuation)] = []
    }
    private let state = Locked(State())

    /// Ends every sleep so far. The time is then the end of the longest one.
    func ring() {
        let due = state.withLock { state in
            state.now = state.sleeps.reduce(state.now) { max($0, $1.end) }
            return state.sleeps
        }
        for sleep in due { sleep.bell.yield() }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let (rings, bell) = AsyncStream.makeStream(of: Void.self)
        state.withLock { $0.sleeps.append((deadline.offset, bell)) }
        journal.note("sleeps \(deadline.offset.text)")
        for await _ in rings { return }
        throw CancellationError()
    }
}

extension Log {
    static let silent = Log(format: .logfmt) { _ in }
}
