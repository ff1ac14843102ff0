// CCurl, too, declares `sigset_t`: see ListeningSocket.
import CCurl
import CLinux
import Glibc
import Processes

/// The thread of one server: it waits for its sockets, and is the executor of ``ServerLoop``.
///
/// It is also a preferred executor of tasks. Whatever the actor, a task that waited for a continuation resumes on Swift's
/// own threads, and only then returns to the actor's. A task that prefers this thread resumes here.
///
/// A handler that ignores its cancellation goes on after the server has stopped. So the thread lives as long as the
/// actor, and from the stop on only runs jobs.
final class LoopThread: SerialExecutor, TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// The thread waits, so a new job must ring the bell.
        var isAsleep = false
        /// Waits for sockets once, and handles their events. Nil once the server has stopped.
        var turn: (@Sendable () -> Void)?
        var isEnding = false
        var identity: pthread_t?
    }

    private let state = Locked(State())
    private let poller = epoll_create1(Int32(EPOLL_CLOEXEC))
    private let bell = eventfd(0, Int32(EFD_CLOEXEC))

    init() throws(ServerError) {
        guard poller >= 0, bell >= 0 else {
            throw ServerError(description: "the HTTP server can't start: \(SystemError(code: errno))")
        }
        watch(bell, number: .max, for: EPOLLIN.rawValue | EPOLLET.rawValue)
    }

    deinit {
        for descriptor in [poller, bell] where descriptor >= 0 { close(descriptor) }
    }

    func start(_ turn: @escaping @Sendable () -> Void) throws(ServerError) {
        state.withLock { $0.turn = turn }
        do throws(SystemError) { try tryToStartThread { self.run() } } catch {
            state.withLock { $0.turn = nil }
            throw ServerError(description: "the HTTP server can't start: \(error)")
        }
    }

    /// Only jobs are run from now on. The thread lets go of the turn even if it is just about to wait in one.
    func stop() {
        state.withLock { $0.turn = nil }
        eventfd_write(bell, 1)
    }

    /// Ends the thread once all jobs are done.
    func end() {
        state.withLock { $0.isEnding = true }
        eventfd_write(bell, 1)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let rings = state.withLock { state in
            state.jobs.append(job)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if rings { eventfd_write(bell, 1) }
    }

    func isIsolatingCurrentContext() -> Bool? {
        state.withLock { $0.identity }.map { pthread_equal(pthread_self(), $0) != 0 }
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the server's own thread")
    }

    private func run() {
        // Other threads handle signals. OpenSSL writes to closed sockets, and SIGPIPE would end the process.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        name_this_thread("http")
        state.withLock { $0.identity = pthread_self() }
        var batch: [UnownedJob] = []
        while true {
            let (turn, isEnding) = state.withLock { state in
                swap(&state.jobs, &batch)
                state.isAsleep = state.turn == nil && batch.isEmpty
                return (state.turn, state.isEnding)
            }
            for job in batch {
                job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
            if let turn {
                turn()
            } else if batch.isEmpty {
                if isEnding { return }
                var count: eventfd_t = 0
                eventfd_read(bell, &count)
            }
            batch.removeAll(keepingCapacity: true)
        }
    }
}

/// Called on the thread.
extension LoopThread {
    /// Reports the events of a descriptor under this number.
    func watch(_ descriptor: Int32, number: UInt64, for events: UInt32) {
        var event = epoll_event(events: events, data: epoll_data_t(u64: number))
        epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event)
    }

    func ignore(_ descriptor: Int32) {
        epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, nil)
    }

    /// Waits for events, for a job, or until the time is over. A negative time has no end.
    func wait(for events: inout [epoll_event], milliseconds: Int32) -> Int {
        let waits = state.withLock { state in
            state.isAsleep = state.jobs.isEmpty && milliseconds != 0
            return state.isAsleep
        }
        let count = epoll_wait(poller, &events, Int32(events.count), waits ? milliseconds : 0)
        if waits { state.withLock { $0.isAsleep = false } }
        return max(0, Int(count))
    }
}

/// Runs `body` on Swift's own threads, for work that would delay the other connections of a server's thread.
func elsewhere<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
    try await withTaskExecutorPreference(globalConcurrentExecutor) { try await concurrently(body) }
}

@concurrent
private func concurrently<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
    // Without any work before the call the compiler omits the switch, and `body` begins on the caller's thread.
    _ = Task.isCancelled
    return try await body()
}
