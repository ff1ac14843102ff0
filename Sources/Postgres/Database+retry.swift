extension Database {
    /// Does `body` again while it fails by what passes by itself, with growing pauses, until it succeeds or `deadline` has come.
    /// The last failure is thrown, at the latest where the next pause would end behind the deadline.
    ///
    /// The one loop in which anything is asked of a database twice. Who calls it says what passes; what is run again must
    /// be safe to run twice, see ``DatabaseError/isWorthRetrying``. `beforePause` is told of each failure after which it goes on.
    package static func retrying<Value: Sendable>(
        until deadline: ContinuousClock.Instant? = nil, atMost tries: Int = .max,
        where isPassing: @Sendable (DatabaseError) -> Bool = \.isWorthRetrying,
        beforePause: @Sendable (DatabaseError) -> Void = { _ in }, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        var backoff = Backoff()
        var tried = 0
        while true {
            do { return try await body() } catch let error as DatabaseError where isPassing(error) {
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
