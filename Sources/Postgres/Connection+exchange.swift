import CLibpq
import Glibc

/// One caller's turn on a connection.
struct Use {
    let cancellation: Cancellation
    let limit: Duration?
    let deadline: ContinuousClock.Instant?

    init(_ cancellation: Cancellation, within limit: Duration?) {
        self.cancellation = cancellation
        self.limit = limit
        deadline = limit.map { .now + $0 }
    }
}

/// The reason why we stopped waiting for the server.
private enum Interruption {
    case cancelled
    case timeLimit(Duration, of: String)

    func error(running statement: String) -> any Error {
        switch self {
        case .cancelled: CancellationError()
        case .timeLimit(let limit, let what): DatabaseError.timeLimit(limit, of: what, running: statement)
        }
    }
}

extension Connection {
    /// How long the server may take to confirm a cancel before we close the connection.
    private static let cancelGrace: Duration = .seconds(5)

    /// Sends a statement and waits for all of its results.
    ///
    /// `shielded` is for statements that clean up: they run even if their caller was cancelled.
    func exchange(
        _ statement: String, within limit: Duration? = nil, shielded: Bool = false,
        _ send: (OpaquePointer) -> Int32
    ) throws -> Rows.Result {
        guard let session else { throw Self.closed(running: statement) }
        if !shielded { try sendAhead() }
        let patience = try shielded ? Patience(within: Self.cancelGrace) : patience(within: limit, statement)
        guard send(session) == 1 else { throw failure(nil, running: statement) }
        return try collect(statement, patience)
    }

    /// How long the next exchange may take. Throws if its time is already over.
    func patience(within limit: Duration?, _ statement: String) throws -> Patience {
        var patience = Patience(of: use, within: limit)
        patience.isOfCommit = statement == "COMMIT"
        if let interruption = patience.interruption(.now) { throw interruption.error(running: statement) }
        return patience
    }

    /// Reads the results of everything that was sent in a pipeline, and leaves pipeline mode. `text` returns the text of
    /// the command at a place.
    func collectPipeline(_ text: (Int) -> String, _ patience: Patience) throws -> PipelineOutcomes {
        let statement = text(0)
        guard let session else { throw Self.closed(running: statement) }
        var patience = patience
        var outcomes = PipelineOutcomes()
        var failed: Rows.Result?
        var isAtEnd = false
        try flush(statement, &patience)
        while true {
            while PQisBusy(session) == 1 {
                try wait(POLLIN, statement, &patience)
                if PQconsumeInput(session) == 0 { break }
            }
            guard let pointer = PQgetResult(session) else {
                // Nil ends the results of one command. After the end of the pipeline it ends everything.
                if isAtEnd || PQstatus(session) != CONNECTION_OK { break }
                continue
            }
            let result = Rows.Result(pointer)
            switch PQresultStatus(pointer) {
            case PGRES_PIPELINE_SYNC: isAtEnd = true
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                outcomes.results.append(result)
            case PGRES_PIPELINE_ABORTED: break
            default: failed = failed ?? result
            }
        }
        if failed != nil || PQstatus(session) != CONNECTION_OK {
            let failure = failure(failed, running: text(outcomes.results.count))
            outcomes.error =
                failure.isConnectionLost ? failure : patience.interrupted?.error(running: statement) ?? failure
        }
        guard PQexitPipelineMode(session) == 1 else { throw outcomes.error ?? failure(nil, running: statement) }
        try refuseUnconfirmedCommit(statement)
        return outcomes
    }

    /// Reads all results. Returns the last one with rows, or else the last one; or throws the first error.
    func collect(_ statement: String, _ patience: Patience) throws -> Rows.Result {
        guard let session else { throw Self.closed(running: statement) }
        var patience = patience
        var last: Rows.Result?
        var failed: Rows.Result?
        try flush(statement, &patience)
        while true {
            while PQisBusy(session) == 1 {
                try wait(POLLIN, statement, &patience)
                // The last message of a killed backend is in the buffer: leave it to PQgetResult.
                if PQconsumeInput(session) == 0 { break }
            }
            guard let pointer = PQgetResult(session) else { break }
            let result = Rows.Result(pointer)
            switch PQresultStatus(pointer) {
            case PGRES_TUPLES_OK: last = result
            case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                if last.map({ PQresultStatus($0.pointer) }) != PGRES_TUPLES_OK { last = result }
            case PGRES_COPY_IN, PGRES_COPY_OUT: return result
            default: failed = failed ?? result
            }
        }
        if let failed {
            let failure = failure(failed, running: statement)
            if let interruption = patience.interrupted, !failure.isConnectionLost {
                throw interruption.error(running: statement)
            }
            throw failure
        }
        guard let last else { throw failure(nil, running: statement) }
        try refuseUnconfirmedCommit(statement)
        return last
    }

    /// Throws if the server acknowledged a commit that no synchronous standby has.
    private func refuseUnconfirmedCommit(_ statement: String) throws {
        guard remarks?.isCommitUnconfirmed == true else { return }
        close()
        throw Self.unknownOutcome(of: statement)
    }

    private static func unknownOutcome(of statement: String) -> DatabaseError {
        DatabaseError(
            message: "a commit was not confirmed in time, so its outcome is unknown", statement: statement,
            hint:
                "check that PostgreSQL's disk is not overloaded, and that it reaches its synchronous standby, if it has one",
            isConnectionLost: true,
            isWorthRetrying: true)
    }

    /// Sends what libpq still has in its buffer. It also reads meanwhile, so that the two sides can't wait for each
    /// other.
    func flush(_ statement: String, _ patience: inout Patience) throws {
        guard let session else { throw Self.closed(running: statement) }
        while true {
            switch PQflush(session) {
            case 0: return
            case 1:
                try wait(POLLIN | POLLOUT, statement, &patience)
                if PQconsumeInput(session) == 0 { return }
            default: return  // the reason comes out of PQgetResult
            }
        }
    }

    /// Waits until the socket is ready. If the caller's time ends first, it sends a cancel request and waits until the
    /// server confirms it.
    func wait(_ events: Int32, _ statement: String, _ patience: inout Patience) throws {
        while true {
            switch poll(events, until: patience.deadline) {
            case .ready: return
            case .interrupted: interrupt.clear()
            case .late: break
            }
            let now = ContinuousClock.now
            if patience.interrupted != nil {
                guard now < patience.graceEnd else { throw abandon(statement) }
            } else if let interruption = patience.interruption(now) {
                patience.interrupted = interruption
                patience.graceEnd = now + Self.cancelGrace
                // A cancelled commit would be acknowledged and visible, even if no synchronous standby has it. Without
                // a cancel it stays invisible until a standby confirms it.
                if patience.isOfCommit {
                    close()
                    throw Self.unknownOutcome(of: statement)
                }
                guard askServerToCancel() else { throw abandon(statement) }
            }
        }
    }

    /// Waits on the connection's own thread for input, an interrupt or the deadline. Throws if the caller is cancelled or
    /// the server closes the connection.
    func waitForInput(until deadline: ContinuousClock.Instant? = nil) throws {
        guard let session else { throw Self.closed(running: nil) }
        if use?.cancellation.isCancelled == true { throw CancellationError() }
        switch poll(POLLIN, until: deadline) {
        case .ready: guard PQconsumeInput(session) == 1 else { throw failure(nil, running: nil) }
        case .interrupted: interrupt.clear()
        case .late: break
        }
    }

    private enum PollOutcome { case ready, interrupted, late }

    private func poll(_ events: Int32, until deadline: ContinuousClock.Instant?) -> PollOutcome {
        var milliseconds: Int32 = -1
        if let deadline {
            let left = (deadline - .now).components
            // Rounded up: otherwise the loop would spin during the last millisecond.
            milliseconds = Int32(clamping: left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1)
            if milliseconds <= 0 { return .late }
        }
        return withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { files in
            files.initializeElement(at: 0, to: pollfd(fd: PQsocket(session), events: Int16(events), revents: 0))
            files.initializeElement(at: 1, to: pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0))
            let count = Glibc.poll(files.baseAddress, 2, milliseconds)
            if count < 0 { return .interrupted }  // a signal; look again
            if files[1].revents != 0 { return .interrupted }
            return count == 0 ? .late : .ready
        }
    }

    /// Returns false if the server doesn't take the request. Then the session is useless.
    func askServerToCancel() -> Bool {
        CancelRequest.send(for: session, within: Int32(Self.cancelGrace.components.seconds))
    }

    /// Closes the connection to a server that doesn't even answer a cancel.
    private func abandon(_ statement: String) -> DatabaseError {
        close()
        return DatabaseError(
            message: "the server is silent: it did not answer a cancel within \(Self.cancelGrace.formattedSeconds)",
            statement: statement, isConnectionLost: true, isWorthRetrying: true)
    }

    static func closed(running statement: String?) -> DatabaseError {
        DatabaseError(
            message: "the connection is closed", statement: statement, isConnectionLost: true, isWorthRetrying: true)
    }

    func failure(_ result: Rows.Result?, running statement: String?) -> DatabaseError {
        func field(_ code: Character) -> String? {
            PQresultErrorField(result?.pointer, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
        }
        let state = field("C")
        let isLost = PQstatus(session) != CONNECTION_OK
        var message = field("M") ?? String(cString: PQerrorMessage(session)).trimmingNewlines
        // The lines that follow are libpq's guess at the cause.
        if isLost { message = message.split(separator: "\n").first.map(String.init) ?? message }
        return DatabaseError(
            message: DatabaseError.redacted(message, sqlState: state), sqlState: state, statement: statement,
            hint: field("H") ?? DatabaseError.hint(sqlState: state)
                ?? (isLost ? "try again when the database is back" : nil), isConnectionLost: isLost,
            isWorthRetrying: isLost
                || state.map { DatabaseError.isTemporary(sqlState: $0, routine: field("R")) } ?? false)
    }
}

/// How long one exchange may take, and the reason if it was interrupted.
struct Patience {
    private let use: Use?
    private let limit: Duration?
    private let ownDeadline: ContinuousClock.Instant?
    fileprivate var isOfCommit = false
    fileprivate var interrupted: Interruption?
    fileprivate var graceEnd = ContinuousClock.now

    init(of use: Use? = nil, within limit: Duration?) {
        self.use = use
        self.limit = limit
        ownDeadline = limit.map { .now + $0 }
    }

    /// The next deadline: of the statement, of the caller, or of the cancel.
    fileprivate var deadline: ContinuousClock.Instant? {
        if interrupted != nil { return graceEnd }
        guard let ownDeadline, let theirs = use?.deadline else { return ownDeadline ?? use?.deadline }
        return min(ownDeadline, theirs)
    }

    fileprivate func interruption(_ now: ContinuousClock.Instant) -> Interruption? {
        if use?.cancellation.isCancelled == true { return .cancelled }
        if let limit, let ownDeadline, now >= ownDeadline { return .timeLimit(limit, of: "the statement") }
        if let limit = use?.limit, let deadline = use?.deadline, now >= deadline {
            return .timeLimit(limit, of: "the transaction")
        }
        return nil
    }
}
