import CCurl
import Glibc
import Processes

/// The thread that runs all transfers of a client.
///
/// Unchecked: the variables under "For any thread" are used only under `lock`, and all others only on the thread
/// itself. The one exception is `curl_multi_wakeup`, which libcurl permits on other threads. It is called under `lock`,
/// so that it is never called after ``end()``.
final class TransferLoop: @unchecked Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Event {
        case begin(Call, Call.Answer)
        case cancel(Call)
    }

    // For any thread.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var events: [Event] = []
    private var isStopped = false
    private var isStarted = false
    private var isGone = false
    private var outlook = Outlook()
    private var leaving: [CheckedContinuation<Void, Never>] = []

    // Only for the loop's thread.
    private let options: HTTPClient.Options
    private let multi: UnsafeMutableRawPointer
    private var running: [UnsafeMutableRawPointer: Call] = [:]
    private var lines: [String: Line] = [:]
    /// Calls with a departure, the earliest first. Each is begun a lead time before its departure opens.
    private var scheduled: [Call] = []
    /// When the first of them must begin; nil if none waits.
    private var nextBeginning: Instant?
    private let wire = Wire()

    /// The part of the connection forecast that other threads may read.
    struct Outlook {
        /// How long a new connection takes.
        var connectTime: Duration = .zero
        /// True if the next call finds a kept connection.
        var isWarm = false
    }

    /// The calls to one server: how many run, and which ones wait.
    private final class Line {
        var running = 0
        var waiting: [Call] = []
    }

    init(_ options: HTTPClient.Options) {
        precondition(Self.isReady, "libcurl can't be set up")
        guard let multi = curl_multi_init() else { preconditionFailure("out of memory") }
        self.options = options
        self.multi = multi
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}

/// Called by other threads.
extension TransferLoop {
    func hand(_ event: Event) {
        let isTaken = locked {
            guard !isStopped else { return false }
            events.append(event)
            if isStarted { curl_multi_wakeup(multi) } else { start() }
            return true
        }
        // A cancellation needs no action, because its call has ended with the loop.
        if !isTaken, case .begin(let call, let answer) = event {
            // Resumes the continuation directly: a cancellation can come before the start, so the thread may still use
            // the call.
            answer.resume(returning: .failure(call.failure(.closed, Self.closed)))
        }
    }

    /// Ends all calls, and then the thread.
    func stop(then continuation: CheckedContinuation<Void, Never>? = nil) {
        let isLate = locked {
            if !isStopped, isStarted { curl_multi_wakeup(multi) }
            if !isStarted { isGone = true }
            isStopped = true
            if !isGone, let continuation { leaving.append(continuation) }
            return isGone
        }
        if isLate { continuation?.resume() }
    }

    /// Starts the thread with the first event, so an unused client has no thread.
    private func start() {
        isStarted = true
        startThread { self.run() }
    }

    var currentOutlook: Outlook { locked { outlook } }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }
}

/// Runs on the thread.
extension TransferLoop {
    private func run() {
        // Other threads handle signals. OpenSSL writes to closed sockets, and SIGPIPE would end the process.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        // By default curl keeps four times as many connections as there are calls now, which is none after a burst.
        curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, options.mostKept)
        while !work() {
            let pause = nextBeginning.map { (Instant.now.duration(to: $0) / .milliseconds(1)).rounded(.up) } ?? 60_000
            curl_multi_poll(multi, nil, 0, Int32(max(0, min(pause, 60_000))), nil)
        }
        end()
    }

    /// Does all work that is due now. Returns true when the loop has to end.
    private func work() -> Bool {
        let (events, isStopped) = locked {
            defer { self.events = [] }
            return (self.events, self.isStopped)
        }
        for event in events {
            switch event {
            case .begin(let call, let answer):
                call.answer = answer
                enter(call)
            case .cancel(let call):
                cancel(call)
            }
        }
        beginScheduled()
        var count: Int32 = 0
        curl_multi_perform(multi, &count)
        while let message = curl_multi_info_read(multi, &count) {
            finish(message.pointee.easy_handle, message.pointee.data.result)
        }
        let outlook = Outlook(connectTime: wire.forecast.connectTime, isWarm: wire.forecast.isWarm(at: .now))
        locked { self.outlook = outlook }
        return isStopped
    }

    /// Begins the calls that are due. A call with a kept connection begins one millisecond before its departure opens.
    /// Any other begins earlier, by the time that a new connection takes.
    private func beginScheduled() {
        let now = Instant.now
        var (place, reserved) = (0, 0)
        nextBeginning = nil
        while place < scheduled.count, let departure = scheduled[place].departure {
            let isWarm = wire.forecast.isWarm(after: reserved, at: now)
            let lead = max(isWarm ? .zero : wire.forecast.connectTime, .milliseconds(1))
            guard departure.opens - lead <= now else {
                nextBeginning = min(nextBeginning ?? departure.opens, departure.opens - lead)
                if isWarm { reserved += 1 }
                place += 1
                continue
            }
            let call = scheduled.remove(at: place)
            if let closes = departure.closes, closes < now {
                _ = departure.mayLeave(at: now)
                call.end(.failure(.missed(host: call.request.url.authority)))
                continue
            }
            call.isWarm = isWarm
            wire.forecast.begin(isWarm: isWarm, at: now)
            // A failing warm-up must not delay calls for long.
            let limit = call.purpose == .connection ? min(.seconds(2), options.totalLimit) : options.totalLimit
            begin(call, deadline: max(now, departure.opens) + limit)
        }
    }

    private func enter(_ call: Call) {
        // Cancelled before it began.
        guard !call.isCancelled else { return call.fail(.cancelled, "cancelled") }
        if let departure = call.departure {
            let place = scheduled.lastIndex { $0.departure.map { $0.opens <= departure.opens } ?? true }
            return scheduled.insert(call, at: place.map { $0 + 1 } ?? 0)
        }
        let line = lines[call.host] ?? Line()
        lines[call.host] = line
        line.waiting.append(call)
        advance(call.host)
    }

    /// Begins waiting calls to this server, up to its limit.
    private func advance(_ host: String) {
        guard let line = lines[host] else { return }
        while line.running < options.callsPerHost, !line.waiting.isEmpty {
            let call = line.waiting.removeFirst()
            line.running += 1
            begin(call, deadline: .now + options.totalLimit)
        }
        if line.running == 0 { lines[host] = nil }
    }

    private func leave(_ call: Call) {
        guard call.departure == nil else { return }
        lines[call.host]?.running -= 1
        advance(call.host)
    }

    private func begin(_ call: Call, deadline: ContinuousClock.Instant) {
        let exchange = Exchange(call, options, wire, within: ContinuousClock.now.duration(to: deadline))
        call.deadline = deadline
        call.exchange = exchange
        running[exchange.handle] = call
        curl_multi_add_handle(multi, exchange.handle)
    }

    private func finish(_ handle: UnsafeMutableRawPointer, _ code: CURLcode) {
        guard let call = running.removeValue(forKey: handle), let exchange = call.exchange else { return }
        note(call, exchange, code)
        curl_multi_remove_handle(multi, handle)
        let result = exchange.result(code)
        if case .success(let response) = result, let location = exchange.redirect, let deadline = call.deadline {
            do {
                try call.follow(location, status: response.status)
                return begin(call, deadline: deadline)
            } catch {
                call.end(.failure(error))
            }
        } else {
            call.end(result)
        }
        leave(call)
    }

    /// Updates the forecast at the end of an exchange.
    private func note(_ call: Call, _ exchange: Exchange, _ code: CURLcode) {
        let now = Instant.now
        switch call.purpose {
        case .connection: if code == CURLE_OK { wire.forecast.learn(exchange.age(at: now)) }
        case .request: wire.forecast.end(keeping: exchange.isKept(code), at: now)
        }
    }

    private func cancel(_ call: Call) {
        call.isCancelled = true
        if let exchange = call.exchange {
            running[exchange.handle] = nil
            curl_multi_remove_handle(multi, exchange.handle)
            call.fail(.cancelled, "cancelled")
            leave(call)
        } else if let place = scheduled.firstIndex(where: { $0 === call }) {
            scheduled.remove(at: place)
            call.fail(.cancelled, "cancelled")
        } else if let line = lines[call.host], let place = line.waiting.firstIndex(where: { $0 === call }) {
            line.waiting.remove(at: place)
            call.fail(.cancelled, "cancelled")
        }
    }

    private func end() {
        for (handle, call) in running {
            curl_multi_remove_handle(multi, handle)
            call.fail(.closed, Self.closed)
        }
        for call in scheduled { call.fail(.closed, Self.closed) }
        for line in lines.values {
            for call in line.waiting { call.fail(.closed, Self.closed) }
        }
        running = [:]
        // After this, no thread may wake the loop.
        let leaving = locked {
            curl_multi_cleanup(multi)
            isGone = true
            return self.leaving
        }
        for continuation in leaving { continuation.resume() }
    }

    private static let closed = "the HTTP client was closed"
}
