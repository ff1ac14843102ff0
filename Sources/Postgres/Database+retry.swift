extension Database {
    /// Runs `body` until it succeeds, with growing pauses after temporary errors.
    ///
    /// Throws the last error after `tries` runs, when the next pause would end after `deadline`, and at once if the
    /// error is not temporary: `isTemporary` decides. `body` must be safe to run twice, see
    /// ``DatabaseError/isWorthRetrying``. `beforePause` gets each error that is followed by another run. This is the
    /// only retry loop around the database.
    package static func retrying<Value: Sendable>(
        until deadline: ContinuousClock.Instant? = nil, atMost tries: Int = .max,
        where isTemporary: @Sendable (DatabaseError) -> Bool = \.isWorthRetrying,
        beforePause: @Sendable (DatabaseError) -> Void = { _ in }, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        var backoff = Backoff()
        var tried = 0
        while true {
            do { return try await body() } catch let error as DatabaseError where isTemporary(error) {
                tried += 1
                let pause = backoff.next()
                let isOver = tried >= tries || deadline.map { ContinuousClock.now + pause >= $0 } ?? false
                if isOver { throw error }
                beforePause(error)
                try await Task.sleep(for: pause)
            }
        }
    }
}

/// Pauses between tries. Each pause has a random length, and its ceiling doubles each time. So fifty processes that
/// lost the same server don't all come back in the same instant.
package struct Backoff: Sendable {
    private var ceiling: Duration
    private let longest: Duration

    package init(first: Duration = .milliseconds(50), longest: Duration = .seconds(2)) {
        ceiling = first
        self.longest = longest
    }

    package mutating func next() -> Duration {
        defer { ceiling = min(ceiling * 2, longest) }
        return ceiling * Double.random(in: 0.5...1)
    }
}
