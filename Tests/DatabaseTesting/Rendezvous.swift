import Foundation

/// Lets threads wait for each other. The bodies of transactions are synchronous, and so is this.
package final class Rendezvous: Sendable {
    private let condition = NSCondition()
    // Touched only under the condition's lock.
    private nonisolated(unsafe) var missing: Int

    package init(of count: Int) {
        missing = count
    }

    package func arriveAndWait() {
        condition.lock()
        defer { condition.unlock() }
        missing -= 1
        if missing <= 0 { condition.broadcast() }
        while missing > 0 { condition.wait() }
    }
}
