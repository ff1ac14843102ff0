import Glibc

/// A value that threads share; a lock lets one thread at a time use it.
///
/// It is for values that don't fit in an atomic. It uses `pthread_mutex`, because ThreadSanitizer doesn't understand
/// `Synchronization.Mutex` and gives false reports.
///
/// `@unchecked Sendable` is safe because the value is reachable only inside ``withLock(_:)``.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    @usableFromInline var value: Value

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

    /// Runs `body` while holding the lock. It must be short, and must not use the same lock again.
    ///
    /// Inlinable: as a generic function of another room it would look up the metadata of its types at each call.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body(&value)
    }

    @usableFromInline func lock() { pthread_mutex_lock(mutex) }
    @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }
}
