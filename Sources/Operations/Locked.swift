import Glibc

/// A value that threads share, touched by one of them at a time.
///
/// For what atomics can't hold. It stands on `pthread_mutex` and not on `Synchronization.Mutex`, which
/// ThreadSanitizer can't see through and so reports falsely.
///
/// `@unchecked Sendable` is safe because the value is reachable only inside ``withLock(_:)``.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        let result = pthread_mutex_init(mutex, nil)
        precondition(result == 0, "can't create a mutex: \(SystemError(code: result))")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` alone. It must be short, and must not come back to the same lock.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
