/// Where a request and its answer stand. A state machine without I/O: each event is a method, and what it returns is to
/// be done.
///
/// The events come from libmicrohttpd's thread, from the handler's task and from the watch over limits;
/// ``ServerExchange`` locks the state for each of them.
///
///     awaitingHead ─ begin ─► head ─ advance ─► body ─ advance ─► sending ─ complete ─► over
///                               └──────── an answer that closes ────────┘
///
/// `cut` leads from each of these to `isCut`, and from there only `complete` leads on.
struct ExchangeState: Sendable {
    enum Phase: Sendable {
        /// libmicrohttpd is about to read the head.
        case awaitingHead
        /// The head was read and the handler works. The body is not read before libmicrohttpd is told to.
        case head
        /// The body is read, or was.
        case body
        /// libmicrohttpd has the answer.
        case sending
        /// The connection is being closed: the client is gone, or has to go.
        case isCut
        case over
    }

    /// What a suspended connection waits for. libmicrohttpd does nothing about it until it is resumed.
    enum Suspension: Sendable {
        case untilBodyIsTaken
        case untilAnswered
        case untilWritten
    }

    /// What libmicrohttpd is to do next.
    enum Step: Sendable {
        case goOn
        /// To be carried out before the lock is released: from then on anybody may resume the connection.
        case suspend
        case send(ServerResponse)
        case hangUp
    }

    /// What an event asks for besides its result, to be carried out after the lock is released.
    struct Effects: Sendable {
        var cancels: Task<Void, Never>?
        var wakes: [@Sendable () -> Void] = []
        /// The connection was suspended, and is to be resumed.
        var resumes = false
    }

    private(set) var phase = Phase.awaitingHead
    private(set) var suspension: Suspension?
    private(set) var answer: ServerResponse?
    private(set) var status: Int?
    /// The bytes of the answer's body that libmicrohttpd has taken.
    private(set) var bytes = 0
    /// The handler's.
    var task: Task<Void, Never>?

    /// An error is to be shown to a person.
    var acceptsHTML = false

    /// The answer closes the connection, because the next request might begin anywhere.
    var closes = false
    /// The client sends no body before it is told to (`Expect: 100-continue`).
    var expectsContinue = false
    /// How long the client says the body is; 0 where it says nothing.
    var declaredLength = 0

    private var body: IncomingBody
    private var outgoing = OutgoingBody()
    /// For how long only the client kept the answer from going out.
    private var waitedForClient: Duration = .zero

    init(largestBody: Int) {
        body = IncomingBody(limit: largestBody)
    }

    var hasBegun: Bool { phase != .awaitingHead }
    var isSending: Bool { phase == .sending }
    var isSuspended: Bool { suspension != nil }
    /// Nothing that the handler still does reaches the client.
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

    /// libmicrohttpd is at the end of the head, or of the whole request, or comes back there after a suspension.
    mutating func advance() -> (Step, Effects) {
        switch phase {
        case .head: (advanceFromHead(), Effects())
        case .body: advanceFromBody()
        case .awaitingHead, .sending, .isCut, .over: (.hangUp, Effects())
        }
    }

    /// An answer at this place closes the connection, for the body stays unread. So it is kept for the end of the
    /// body, where that is near: see ``IncomingBody/patience``.
    private mutating func advanceFromHead() -> Step {
        let isFar = closes || expectsContinue || declaredLength > IncomingBody.patience
        if let answer, isFar { return queue(answer) }
        // Who takes the body tells the client to send it, and who answers without it spares the client the sending.
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

    /// A piece of the body is here. After `suspend` it was not taken, and comes again.
    mutating func receive(_ piece: UnsafeRawBufferPointer) -> (Step, Effects) {
        guard !isBroken, !body.isHopeless else { return (.hangUp, Effects()) }
        guard body.hasRoom else {
            suspension = .untilBodyIsTaken
            return (.suspend, Effects())
        }
        body.add(piece)
        return (.goOn, Effects(wakes: body.wakes()))
    }

    /// The handler wants the next piece of the body, and gives the `reader` that gets it.
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

/// The answer.
extension ExchangeState {
    /// Takes the answer, unless there is one. Returns nil when it is too late.
    mutating func answer(_ response: ServerResponse) -> Effects? {
        guard answer == nil, !isBroken else { return nil }
        answer = response
        // A stream may go on reading.
        if case .bytes = response.body { body.end(throwing: BodyError.brokenOff) }
        return Effects(resumes: resume())
    }

    /// libmicrohttpd has the answer with this status, and so many bytes of its body.
    mutating func note(status: Int, bytes: Int) {
        (self.status, self.bytes) = (status, bytes)
    }

    enum Writing: Sendable {
        case goOn
        case waitForRoom
        case isGone
    }

    /// The handler writes a piece of a streamed answer.
    mutating func write(_ piece: [UInt8]) -> (Writing, Effects) {
        guard !isBroken else { return (.isGone, Effects()) }
        outgoing.add(piece)
        return (outgoing.hasRoom ? .goOn : .waitForRoom, Effects(resumes: resume(from: .untilWritten)))
    }

    /// A number for a handler that is about to wait for room, by which a cancellation finds it.
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

    /// The handler has written a streamed answer, or failed to.
    mutating func endAnswer(_ how: OutgoingBody.Ending) -> Effects {
        outgoing.end(how)
        return Effects(resumes: resume(from: .untilWritten))
    }

    /// libmicrohttpd wants bytes of a streamed answer. After `wait` it is to be suspended, as after ``Step/suspend``.
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
    /// Breaks off. Returns nil when the request is over.
    mutating func cut() -> Effects? {
        guard phase != .over else { return nil }
        phase = .isCut
        return breakOff()
    }

    enum Expiry: Sendable {
        case isInTime
        /// Only the handler was waited for, and the client can be told.
        case isAnswerable
        case mustBeCut
    }

    /// What to do at the end of the time that a request has until its answer begins.
    var expiry: Expiry {
        switch phase {
        case .sending, .over: .isInTime
        case .body where suspension == .untilAnswered && answer == nil: .isAnswerable
        case .awaitingHead, .head, .body, .isCut: .mustBeCut
        }
    }

    /// Counts the time in which only the client was waited for, and tells whether it is too long for what it has got.
    mutating func isReadTooSlowly(after time: Duration, idleLimit: Duration, slowest: Int) -> Bool {
        guard phase == .sending, suspension == nil else { return false }
        waitedForClient += time
        return waitedForClient > idleLimit + .seconds(bytes / slowest)
    }

    /// The handler of an answer that has no end by itself, and is being sent.
    var endlessTask: Task<Void, Never>? {
        phase == .sending && answer?.isEndless == true ? task : nil
    }

    /// libmicrohttpd is done with the request.
    mutating func complete() -> Effects {
        phase = .over
        var effects = breakOff()
        effects.resumes = false
        // A streamed answer may hold the request, whose body holds the exchange.
        (task, answer) = (nil, nil)
        return effects
    }

    private mutating func breakOff() -> Effects {
        body.end(throwing: BodyError.brokenOff)
        outgoing.end(.broken)
        return Effects(cancels: task, wakes: outgoing.wakes() + body.wakes(), resumes: resume())
    }

    /// Clears the suspension, and tells whether there was one.
    private mutating func resume() -> Bool {
        defer { suspension = nil }
        return suspension != nil
    }

    private mutating func resume(from reason: Suspension) -> Bool {
        suspension == reason && resume()
    }
}
