import CLinux
import Glibc
import Processes

/// A thread for one connection, so that waiting for the server blocks nothing else. It is the executor of the
/// connection's actor.
///
/// Unchecked: `jobs` and the two flags are touched only under `lock`; `identity` is written once,
/// before `init` returns, and only read after that.
final class ConnectionThread: SerialExecutor, @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wakeup = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [UnownedJob] = []
    private var isWaiting = false
    private var isStopping = false
    private var identity = pthread_t()

    init() {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(wakeup, nil)
        let own = Unmanaged.passRetained(self)
        let failure = pthread_create(
            &identity, nil,
            { context in
                context.map { Unmanaged<ConnectionThread>.fromOpaque($0).takeRetainedValue() }?.loop()
                return nil
            }, own.toOpaque())
        if failure != 0 { exitWithoutThread(.noThread(failure)) }
        pthread_detach(identity)
    }

    deinit {
        pthread_mutex_destroy(lock)
        pthread_cond_destroy(wakeup)
        lock.deallocate()
        wakeup.deallocate()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        pthread_mutex_lock(lock)
        jobs.append(UnownedJob(job))
        if isWaiting { pthread_cond_signal(wakeup) }
        pthread_mutex_unlock(lock)
    }

    /// Ends the thread when all its jobs are done.
    func stop() {
        pthread_mutex_lock(lock)
        isStopping = true
        pthread_cond_signal(wakeup)
        pthread_mutex_unlock(lock)
    }

    func isIsolatingCurrentContext() -> Bool? {
        pthread_equal(pthread_self(), identity) != 0
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the connection's own thread")
    }

    private func loop() {
        name_this_thread("postgres")
        var batch: [UnownedJob] = []
        while wait(for: &batch) {
            for job in batch {
                job.runSynchronously(on: asUnownedSerialExecutor())
            }
            batch.removeAll(keepingCapacity: true)
        }
    }

    /// Moves the waiting jobs into `batch`; false if there are none and the thread is stopping.
    private func wait(for batch: inout [UnownedJob]) -> Bool {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while jobs.isEmpty && !isStopping {
            isWaiting = true
            pthread_cond_wait(wakeup, lock)
            isWaiting = false
        }
        swap(&jobs, &batch)
        return !batch.isEmpty
    }
}
