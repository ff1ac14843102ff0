/// Why the queue can't do what a person asked for.
package struct QueueError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    static func noLane(_ name: String) -> Self {
        Self("there is no lane called \"\(name)\"; 'waypost lanes list' shows those there are")
    }
}
