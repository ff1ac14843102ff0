import Glibc

/// A value that threads share, touched by one of them at a time.
///
/// `pthread_mutex` and not `Synchronization.Mutex`, which ThreadSanitizer can't see through and so reports falsely.
///
/// `@unchecked Sendable` is safe because the value is reachable only inside ``with(_:)``.
final class Guarded<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` alone. It must be short, and must not come back to the same lock.
    func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
