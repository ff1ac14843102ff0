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
