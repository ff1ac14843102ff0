/// The reason why the queue can't do what a person requested.
package struct QueueError: Error, Equatable, CustomStringConvertible {
    package enum Cause: Sendable {
        case noSuchLane, noSuchWorker, laneExists, contradiction, other
    }

    package let description: String
    package let cause: Cause

    init(_ description: String, cause: Cause = .other) {
        self.description = description
        self.cause = cause
    }

    static func noLane(_ name: String) -> Self {
        Self("there is no lane called \"\(name)\"", cause: .noSuchLane)
    }
}
