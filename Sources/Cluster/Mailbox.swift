import Processes

/// Events for one reader, which takes all gathered events at once.
///
/// An `AsyncStream` delivers events one by one, so its reader can't handle a hundred as one batch.
final class Mailbox<Event: Sendable>: Sendable {
    private let gathered = Locked<[Event]>([])
    private let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func send(_ event: Event) {
        let isFirst = gathered.withLock { events in
            events.append(event)
            return events.count == 1
        }
        // The reader takes all events at once, so the first one wakes it for the others.
        if isFirst { waker.yield() }
    }

    /// Passes the gathered events to `body`, again and again, until `body` returns false.
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
