/// The state of one request and its response. It is a state machine without I/O: each event is a method, and its result
/// says what to do.
///
/// The events come from libmicrohttpd's thread, from the handler's task and from the watch over limits.
/// ``ServerExchange`` locks the state for each event.
///
///     awaitingHead ─ begin ─► head ─ advance ─► body ─ advance ─► sending ─ complete ─► over
///                               └─────── a response that closes ────────┘
///
/// `cut` leads from each of these states to `isCut`, and only `complete` leads on from there.
struct ExchangeState: Sendable {
    enum Phase: Sendable {
        /// libmicrohttpd is about to read the head.
        case awaitingHead
        /// The head was read and the handler works. The body is not read yet.
        case head
        /// The body is being read, or was read.
        case body
        /// libmicrohttpd has the response.
        case sending
        /// The connection is being closed: the client is gone, or we close it.
        case isCut
        case over
    }

    /// The event that a suspended connection waits for. libmicrohttpd ignores the connection until it is resumed.
    enum Suspension: Sendable {
        case untilBodyIsTaken
        case untilAnswered
        case untilWritten
    }

    /// The next action for libmicrohttpd.
    enum Step: Sendable {
        case goOn
        /// To be carried out before the lock is released. After that any thread may resume the connection.
        case suspend
        case send(ServerResponse)
        case hangUp
    }

    /// Further actions of an event, to be carried out after the lock is released.
    struct Effects: Sendable {
        var cancels: Task<Void, Never>?
        var wakes: [@Sendable () -> Void] = []
        /// The connection was suspended and must be resumed.
        var resumes = false
    }

    private(set) var phase = Phase.awaitingHead
    private(set) var suspension: Suspension?
    private(set) var answer: ServerResponse?
    private(set) var status: Int?
    /// How many bytes of the response's body libmicrohttpd has taken.
    private(set) var bytes = 0
    /// The task of the handler.
    var task: Task<Void, Never>?

    /// A person will read the error, so it is written as HTML.
    var acceptsHTML = false

    /// The response closes the connection, because the start of the next request is unknown.
    var closes = false
    /// The client waits for permission before it sends the body (`Expect: 100-continue`).
    var expectsContinue = false
    /// The length of the body according to the head; 0 if there is none.
    var declaredLength = 0

    private var body: IncomingBody
    private var outgoing = OutgoingBody()
    /// How long the response was delayed only by the client.
    private var waitedForClient: Duration = .zero

    init(largestBody: Int) {
        body = IncomingBody(limit: largestBody)
    }

    var hasBegun: Bool { phase != .awaitingHead }
    var isSending: Bool { phase == .sending }
    var isSuspended: Bool { suspension != nil }
    /// True if no further output of the handler can reach the client.
    var isBroken: Bool { phase == .isCut || phase == .over }
}

/// The request.
extension ExchangeState {
    mutating func begin() {
        if phase == .awaitingHead { phase = .head }
    }

    /// The request has no body.
    mutating func endBody() {
        body.end()
    }

    /// Called at the end of the head and of the whole request, and again there after a suspension.
    mutating func advance() -> (Step, Effects) {
        switch phase {
        case .head: (advanceFromHead(), Effects())
        case .body: advanceFromBody()
        case .awaitingHead, .sending, .isCut, .over: (.hangUp, Effects())
        }
    }

    /// A response at this point closes the connection, because the body stays unread. So the response waits for the end
    /// of the body if that is near: see ``IncomingBody/patience``.
    private mutating func advanceFromHead() -> Step {
        let isFar = closes || expectsContinue || declaredLength > IncomingBody.patience
        if let answer, isFar { return queue(answer) }
        // If the handler reads the body, the client is told to send it. If the handler responds without it, the client
        // need not send it.
        if expectsContinue, answer == nil, !body.isWanted {
            suspension = .untilBodyIsTaken
            return .suspend
        }
        phase = .body
        return .goOn
    }

    private mutating func advanceFromBody() -> (Step, Effects) {
        body.end()
        let effects = Effects(wakes: body.wakes())
        guard let answer else {
            suspension = .untilAnswered
            return (.suspend, effects)
        }
        return (queue(answer), effects)
    }

    private mutating func queue(_ answer: ServerResponse) -> Step {
        phase = .sending
        return .send(answer)
    }

    /// Takes a piece of the body. After `suspend` the piece was not taken, and is delivered again.
    mutating func receive(_ piece: UnsafeRawBufferPointer) -> (Step, Effects) {
        guard !isBroken, !body.isHopeless else { return (.hangUp, Effects()) }
        guard body.hasRoom else {
            suspension = .untilBodyIsTaken
            return (.suspend, Effects())
        }
        body.add(piece)
        return (.goOn, Effects(wakes: body.wakes()))
    }

    /// The handler wants the next piece of the body; `reader` will get it.
    mutating func read(isCancelled: Bool, _ reader: @escaping IncomingBody.Reader) -> Effects {
        precondition(body.reader == nil, "the body of a request has one reader at a time")
        var effects = Effects()
        if let result = body.next() {
            effects.wakes = [{ reader(result) }]
        } else if isCancelled {
            return Effects(wakes: [{ reader(.failure(CancellationError())) }])
        } else {
            body.reader = reader
        }
        effects.resumes = body.hasRoom && resume(from: .untilBodyIsTaken)
        return effects
    }

    mutating func cancelRead() -> Effects {
        guard let reader = body.reader else { return Effects() }
        body.reader = nil
        return Effects(wakes: [{ reader(.failure(CancellationError())) }])
    }
}

/// The response.
extension ExchangeState {
    /// Takes the response, unless there is one already. Returns nil if it is too late.
    mutating func answer(_ response: ServerResponse) -> Effects? {
        guard answer == nil, !isBroken else { return nil }
        answer = response
        // A streamed response may read the body while it is written.
        if case .bytes = response.body { body.end(throwing: BodyError.brokenOff) }
        return Effects(resumes: resume())
    }

    /// Records the status and the number of body bytes that libmicrohttpd got.
    mutating func note(status: Int, bytes: Int) {
        (self.status, self.bytes) = (status, bytes)
    }

    enum Writing: Sendable {
        case goOn
        case waitForRoom
        case isGone
    }

    /// The handler writes a piece of a streamed response.
    mutating func write(_ piece: [UInt8]) -> (Writing, Effects) {
        guard !isBroken else { return (.isGone, Effects()) }
        outgoing.add(piece)
        return (outgoing.hasRoom ? .goOn : .waitForRoom, Effects(resumes: resume(from: .untilWritten)))
    }

    /// A number for a handler that is about to wait for room. A cancellation finds the handler by it.
    mutating func turn() -> Int { outgoing.turn() }

    mutating func waitForRoom(
        _ turn: Int, isCancelled: Bool, _ writer: @escaping OutgoingBody.Writer
    ) -> Effects {
        if outgoing.ending == .broken { return Effects(wakes: [{ writer(.failure(BodyError.brokenOff)) }]) }
        if isCancelled { return Effects(wakes: [{ writer(.failure(CancellationError())) }]) }
        if outgoing.hasRoom { return Effects(wakes: [{ writer(.success(())) }]) }
        outgoing.wait(turn, writer)
        return Effects()
    }

    mutating func cancelWait(_ turn: Int) -> Effects {
        guard let writer = outgoing.remove(turn) else { return Effects() }
        return Effects(wakes: [{ writer(.failure(CancellationError())) }])
    }

    /// The handler has finished a streamed response, or failed.
    mutating func endAnswer(_ how: OutgoingBody.Ending) -> Effects {
        outgoing.end(how)
        return Effects(resumes: resume(from: .untilWritten))
    }

    /// libmicrohttpd requests bytes of a streamed response. After `wait` it must be suspended, as after
    /// ``Step/suspend``.
    mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) -> (OutgoingBody.Step, Effects) {
        let step = outgoing.send(to: buffer)
        switch step {
        case .sent(let count):
            bytes += count
            return (step, Effects(wakes: outgoing.wakes()))
        case .wait:
            suspension = .untilWritten
            return (step, Effects())
        case .end, .fail: return (step, Effects())
        }
    }
}

/// The end.
extension ExchangeState {
    /// Cuts the connection. Returns nil if the request is over.
    mutating func cut() -> Effects? {
        guard phase != .over else { return nil }
        phase = .isCut
        return breakOff()
    }

    enum Expiry: Sendable {
        case isInTime
        /// Only the handler is late, so the client can get an error response.
        case isAnswerable
        case mustBeCut
    }

    /// The action to take when a request has no response within its time limit.
    var expiry: Expiry {
        switch phase {
        case .sending, .over: .isInTime
        case .body where suspension == .untilAnswered && answer == nil: .isAnswerable
        case .awaitingHead, .head, .body, .isCut: .mustBeCut
        }
    }

    /// Adds the time in which only the client caused the delay. Returns whether it is too long for the bytes that were
    /// sent.
    mutating func isReadTooSlowly(after time: Duration, idleLimit: Duration, slowest: Int) -> Bool {
        guard phase == .sending, suspension == nil else { return false }
        waitedForClient += time
        return waitedForClient > idleLimit + .seconds(bytes / slowest)
    }

    /// The handler of an endless response that is being sent.
    var endlessTask: Task<Void, Never>? {
        phase == .sending && answer?.isEndless == true ? task : nil
    }

    /// libmicrohttpd has finished the request.
    mutating func complete() -> Effects {
        phase = .over
        var effects = breakOff()
        effects.resumes = false
        // Breaks a reference cycle: a streamed response may hold the request, whose body holds the exchange.
        (task, answer) = (nil, nil)
        return effects
    }

    private mutating func breakOff() -> Effects {
        body.end(throwing: BodyError.brokenOff)
        outgoing.end(.broken)
        return Effects(cancels: task, wakes: outgoing.wakes() + body.wakes(), resumes: resume())
    }

    /// Clears the suspension, and returns whether there was one.
    private mutating func resume() -> Bool {
        defer { suspension = nil }
        return suspension != nil
    }

    private mutating func resume(from reason: Suspension) -> Bool {
        suspension == reason && resume()
    }
}
