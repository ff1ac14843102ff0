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
