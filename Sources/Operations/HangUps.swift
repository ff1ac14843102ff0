/// Reports each SIGHUP, which means that a process should read its files again.
package final class HangUps: Sendable {
    private let listeners = Locked<[@Sendable () -> Void]>([])

    package init() {}

    package func listen(_ listener: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    package func tell() {
        for listener in listeners.withLock({ $0 }) { listener() }
    }
}
