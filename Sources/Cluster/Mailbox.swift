import Operations

/// Events for one reader, who takes all that gathered at once.
///
/// An `AsyncStream` hands them out one by one, and whoever answers each singly never sees that a hundred belong
/// together.
final class Mailbox<Event: Sendable>: Sendable {
    private let gathered = Locked<[Event]>([])
    private let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func send(_ event: Event) {
        gathered.withLock { $0.append(event) }
        waker.yield()
    }

    /// Hands over what gathered, again and again, until `body` returns false.
    func read(_ body: ([Event]) -> Bool) async {
        for await _ in wakes {
            let events = gathered.withLock { events in
                defer { events = [] }
                return events
            }
            if !events.isEmpty, !body(events) { return }
        }
    }
}
