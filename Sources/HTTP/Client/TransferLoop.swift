import CCurl
import CLinux
import Glibc
import Processes

/// A thread that runs the transfers of several clients.
///
/// A process has few of them, however many clients it has: see ``join(_:)``. They are more than one because the check of
/// a departure may block the thread for a moment: ``Exchange`` waits there for the slot.
///
/// Unchecked: the variables under "For any thread" are used only under `lock`, and all others only on the thread
/// itself. The one exception is `curl_multi_wakeup`, which libcurl permits on other threads. It is called under `lock`,
/// so that it is never called after ``end()``.
final class TransferLoop: @unchecked Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Event {
        case begin(Call, Call.Answer)
        case cancel(Call)
        case leave(ClientCalls, CheckedContinuation<Void, Never>?)
    }

    // For any thread.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var events: [Event] = []
    private var isStopped = false
    private var isStarted = false
    private var isGone = false
    private var leaving: [CheckedContinuation<Void, Never>] = []

    // Only for the loop's thread.
    private let multi: UnsafeMutableRawPointer
    private var running: [UnsafeMutableRawPointer: Call] = [:]
    private var clients: [ObjectIdentifier: ClientCalls] = [:]
    /// When the first scheduled call must begin; nil if none waits.
    private var nextBeginning: Instant?
    private let mostKept: Int
    fileprivate let wire = Wire()

    private init(_ options: HTTPClient.Options) {
        precondition(Self.isReady, "libcurl can't be set up")
        guard let multi = curl_multi_init() else { preconditionFailure("out of memory") }
        self.multi = multi
        mostKept = options.mostKept
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}

/// The loops of the process.
extension TransferLoop {
    private struct Membership: Sendable {
        let loop: TransferLoop
        /// A loop that keeps connections to private addresses must not lend them to a client that may not open any.
        let permitsPrivateAddresses: Bool
        var clients: Int
    }

    /// How many loops clients of one kind have at most.
    static let most = 8
    private static let memberships = Locked<[Membership]>([])

    /// Returns a loop for another client: a new one, or the one with the fewest clients.
    static func join(_ options: HTTPClient.Options) -> TransferLoop {
        memberships.withLock { all in
            let fitting = all.indices.filter { all[$0].permitsPrivateAddresses == options.permitsPrivateAddresses }
            if fitting.count >= most, let place = fitting.min(by: { all[$0].clients < all[$1].clients }) {
                all[place].clients += 1
                return all[place].loop
            }
            let loop = TransferLoop(options)
            all.append(
                Membership(loop: loop, permitsPrivateAddresses: options.permitsPrivateAddresses, clients: 1))
            return loop
        }
    }

    /// Ends all calls of a client, and then the thread if it was the last client.
    func leave(_ client: ClientCalls, then continuation: CheckedContinuation<Void, Never>? = nil) {
        let isLast = Self.memberships.withLock { all in
            guard !client.hasLeft, let place = all.firstIndex(where: { $0.loop === self }) else { return nil as Bool? }
            client.hasLeft = true
            all[place].clients -= 1
            if all[place].clients > 0 { return false }
            all.remove(at: place)
            return true
        }
        switch isLast {
        case true?: stop(then: continuation)
        case false?: hand(.leave(client, continuation))
        case nil: continuation?.resume()
        }
    }
}

/// The calls of one client, used only on the thread of its loop.
///
/// Unchecked: `outlook` and `isClosed` are used only under the lock of the loop, `hasLeft` only under that of
/// ``TransferLoop/join(_:)``, and all others on the loop's thread.
final class ClientCalls: @unchecked Sendable {
    let options: HTTPClient.Options
    let wire: Wire
    var forecast = ConnectionForecast()
    var lines: [String: Line] = [:]
    /// Calls with a departure, the earliest first. Each is begun a lead time before its departure opens.
    var scheduled: [Call] = []
    var outlook = Outlook()
    var isClosed = false
    var hasLeft = false

    /// The part of the connection forecast that other threads may read.
    struct Outlook {
        /// How long a new connection takes.
        var connectTime: Duration = .zero
        /// True if the next call finds a kept connection.
        var isWarm = false
    }

    /// The calls to one server: how many run, and which ones wait.
    final class Line {
        var running = 0
        var waiting: [Call] = []
    }

    init(_ options: HTTPClient.Options, on loop: TransferLoop) {
        (self.options, wire) = (options, loop.wire)
    }
}

/// Called by other threads.
extension TransferLoop {
    func hand(_ event: Event) {
        let refusal = locked { () -> (kind: HTTPError.Kind, reason: String)? in
            if case .leave(let client, _) = event { client.isClosed = true }
            let isOver = if case .begin(let call, _) = event { call.client.isClosed } else { false }
            if isStopped || isOver { return (.closed, Self.closed) }
            if !isStarted {
                switch event {
                case .begin: if let problem = start() { return (.unreachable, "\(problem)") }
                // The task was cancelled before its call: the beginning follows.
                case .cancel: break
                case .leave: return (.closed, Self.closed)
                }
            }
            events.append(event)
            curl_multi_wakeup(multi)
            return nil
        }
        guard let refusal else { return }
        switch event {
        case .begin(let call, let answer):
            // Resumes the continuation directly: a cancellation can come before the start, so the thread may still use
            // the call.
            answer.resume(returning: .failure(call.failure(refusal.kind, refusal.reason)))
        // The call has ended with the loop.
        case .cancel: break
        case .leave(_, let continuation): continuation?.resume()
        }
    }

    /// Ends all calls, and then the thread.
    private func stop(then continuation: CheckedContinuation<Void, Never>?) {
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
    private func start() -> SystemError? {
        do throws(SystemError) { try tryToStartThread { self.run() } } catch { return error }
        isStarted = true
        return nil
    }

    func outlook(of client: ClientCalls) -> ClientCalls.Outlook { locked { client.outlook } }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }
}

/// Runs on the thread.
extension TransferLoop {
    private func run() {
        name_this_thread("transfers")
        // Other threads handle signals. OpenSSL writes to closed sockets, and SIGPIPE would end the process.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        // By default curl keeps four times as many connections as there are calls now, which is none after a burst.
        curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, mostKept)
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
                clients[ObjectIdentifier(call.client)] = call.client
                enter(call)
            case .cancel(let call):
                cancel(call)
            case .leave(let client, let continuation):
                end(client)
                continuation?.resume()
            }
        }
        nextBeginning = nil
        for client in clients.values { beginScheduled(of: client) }
        var count: Int32 = 0
        curl_multi_perform(multi, &count)
        while let message = curl_multi_info_read(multi, &count) {
            finish(message.pointee.easy_handle, message.pointee.data.result)
        }
        locked {
            for client in clients.values {
                let forecast = client.forecast
                client.outlook = ClientCalls.Outlook(
                    connectTime: forecast.connectTime, isWarm: forecast.isWarm(at: .now))
            }
        }
        return isStopped
    }

    /// Begins the calls that are due. A call with a kept connection begins one millisecond before its departure opens.
    /// Any other begins earlier, by the time that a new connection takes.
    private func beginScheduled(of client: ClientCalls) {
        let (now, options) = (Instant.now, client.options)
        var (place, reserved) = (0, 0)
        while place < client.scheduled.count, let departure = client.scheduled[place].departure {
            let isWarm = client.forecast.isWarm(after: reserved, at: now)
            let lead = max(isWarm ? .zero : client.forecast.connectTime, .milliseconds(1))
            guard departure.opens - lead <= now else {
                nextBeginning = min(nextBeginning ?? departure.opens, departure.opens - lead)
                if isWarm { reserved += 1 }
                place += 1
                continue
            }
            let call = client.scheduled.remove(at: place)
            if let closes = departure.closes, closes < now {
                _ = departure.mayLeave(at: now)
                call.end(.failure(.missed(host: call.request.url.authority)))
                continue
            }
            call.isWarm = isWarm
            client.forecast.begin(isWarm: isWarm, at: now)
            // A failing warm-up must not delay calls for long.
            let limit = call.purpose == .connection ? min(.seconds(2), options.totalLimit) : options.totalLimit
            begin(call, deadline: max(now, departure.opens) + limit)
        }
    }

    private func enter(_ call: Call) {
        // Cancelled before it began.
        guard !call.isCancelled else { return call.fail(.cancelled, "cancelled") }
        let client = call.client
        if let departure = call.departure {
            let place = client.scheduled.lastIndex { $0.departure.map { $0.opens <= departure.opens } ?? true }
            return client.scheduled.insert(call, at: place.map { $0 + 1 } ?? 0)
        }
        let line = client.lines[call.host] ?? ClientCalls.Line()
        client.lines[call.host] = line
        line.waiting.append(call)
        advance(call.host, of: client)
    }

    /// Begins waiting calls to this server, up to its limit.
    private func advance(_ host: String, of client: ClientCalls) {
        guard let line = client.lines[host] else { return }
        while line.running < client.options.callsPerHost, !line.waiting.isEmpty {
            let call = line.waiting.removeFirst()
            line.running += 1
            begin(call, deadline: .now + client.options.totalLimit)
        }
        if line.running == 0 { client.lines[host] = nil }
    }

    private func leave(_ call: Call) {
        guard call.departure == nil else { return }
        call.client.lines[call.host]?.running -= 1
        advance(call.host, of: call.client)
    }

    private func begin(_ call: Call, deadline: ContinuousClock.Instant) {
        let exchange = Exchange(call, within: ContinuousClock.now.duration(to: deadline))
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
        case .connection: if code == CURLE_OK { call.client.forecast.learn(exchange.age(at: now)) }
        case .request: call.client.forecast.end(keeping: exchange.isKept(code), at: now)
        }
    }

    private func cancel(_ call: Call) {
        call.isCancelled = true
        let client = call.client
        if let exchange = call.exchange {
            running[exchange.handle] = nil
            curl_multi_remove_handle(multi, exchange.handle)
            call.fail(.cancelled, "cancelled")
            leave(call)
        } else if let place = client.scheduled.firstIndex(where: { $0 === call }) {
            client.scheduled.remove(at: place)
            call.fail(.cancelled, "cancelled")
        } else if let line = client.lines[call.host], let place = line.waiting.firstIndex(where: { $0 === call }) {
            line.waiting.remove(at: place)
            call.fail(.cancelled, "cancelled")
        }
    }

    /// Ends all calls of a client.
    private func end(_ client: ClientCalls) {
        for (handle, call) in running where call.client === client {
            running[handle] = nil
            curl_multi_remove_handle(multi, handle)
            call.fail(.closed, Self.closed)
        }
        for call in client.scheduled { call.fail(.closed, Self.closed) }
        for call in client.lines.values.flatMap(\.waiting) { call.fail(.closed, Self.closed) }
        (client.scheduled, client.lines) = ([], [:])
        clients[ObjectIdentifier(client)] = nil
    }

    private func end() {
        for client in clients.values { end(client) }
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
