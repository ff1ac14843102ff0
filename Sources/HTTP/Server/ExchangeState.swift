/// The state of one request and its response. It is a state machine without I/O: each event is a method, and its result
/// says what to do. ``ServerLoop`` carries it out.
///
///     working ─ responseToSend ─► sending ─► over
///        └──────────── end ───────────────────┘
struct ExchangeState {
    typealias Writer = @Sendable (Result<Void, any Error>) -> Void

    enum Phase {
        /// The handler works, or the body is read.
        case working
        /// The response is being sent.
        case sending
        case over
    }

    private(set) var phase = Phase.working
    private(set) var answer: ServerResponse?
    private(set) var status: Int?
    /// How many bytes of the response's body were queued.
    private(set) var bytes = 0
    /// The whole response was queued.
    private var isWhole = false

    /// The connection closes after the response.
    var closes = false
    /// The client waits for permission before it sends the body (`Expect: 100-continue`).
    var expectsContinue = false
    /// The length of the body according to the head; 0 if there is none.
    var declaredLength = 0

    private var body: IncomingBody
    private var writers: [(turn: Int, writer: Writer)] = []
    private var turns = 0
    /// How long the body, or the response, was delayed only by the client.
    private var waited: (forBody: Duration, forReading: Duration) = (.zero, .zero)

    init(largestBody: Int) {
        body = IncomingBody(limit: largestBody)
    }

    /// An endless response is being sent.
    var isEndless: Bool { phase == .sending && answer?.isEndless == true }

    /// All is queued that is to be sent.
    var isDone: Bool { phase == .sending && isWhole && (body.isWhole || closes) }
}

/// The request.
extension ExchangeState {
    var isBodyWhole: Bool { body.isWhole }

    /// True if the connection should deliver more of the body. Otherwise the client has to wait.
    var wantsBody: Bool {
        phase != .over && !body.isWhole && body.hasRoom && !expectsContinue
            && !(phase == .sending && isWhole && closes)
    }

    /// Takes a piece of the body. Returns false if the connection must be closed.
    mutating func receive(_ piece: [UInt8]) -> Bool {
        guard !body.isHopeless else { return false }
        body.add(piece)
        return true
    }

    mutating func endBody() { body.end() }

    /// The client still sends a body that is dropped.
    var dropsBody: Bool { body.isDropped && !closes }

    /// The handler wants the next piece of the body. Returns true if the client must be told to send it.
    mutating func read(isCancelled: Bool, _ reader: @escaping IncomingBody.Reader) -> Bool {
        body.read(reader)
        if isCancelled { body.cancelRead() }
        defer { expectsContinue = expectsContinue && phase != .working }
        return expectsContinue && phase == .working
    }

    mutating func cancelRead() { body.cancelRead() }
}

/// The response.
extension ExchangeState {
    /// Takes the response, unless there is one already or the client is gone.
    mutating func take(_ response: ServerResponse) -> Bool {
        guard answer == nil, phase == .working else { return false }
        answer = response
        // A streamed response may read the body while it is written.
        if case .bytes = response.body { body.fail(BodyError.brokenOff) }
        return true
    }

    /// The response, once it may be sent. It waits for the end of the body if that is near: see
    /// ``IncomingBody/patience``. Otherwise the connection is closed after it.
    mutating func responseToSend() -> ServerResponse? {
        guard phase == .working, let answer else { return nil }
        if !body.isWhole {
            // A stream may read the body meanwhile, unless the client still waits for permission to send it.
            var isRead = false
            if case .stream = answer.body { isRead = !expectsContinue }
            if !isRead {
                guard closes || expectsContinue || declaredLength > IncomingBody.patience else { return nil }
                closes = true
                body.fail(BodyError.brokenOff)
            }
        }
        phase = .sending
        status = answer.status
        return answer
    }

    /// Records that a part of the response's body was queued.
    mutating func count(_ bytes: Int) { self.bytes += bytes }

    /// The whole response was queued. What the client still sends of the body is dropped.
    mutating func endResponse() {
        isWhole = true
        body.fail(BodyError.brokenOff)
        if !body.isWhole, declaredLength > IncomingBody.patience { closes = true }
    }

    /// A number for a handler that is about to wait for room. A cancellation finds the handler by it.
    mutating func turn() -> Int {
        turns += 1
        return turns
    }

    mutating func waitForRoom(_ turn: Int, isCancelled: Bool, _ writer: @escaping Writer) {
        if phase == .over { return writer(.failure(BodyError.brokenOff)) }
        if isCancelled { return writer(.failure(CancellationError())) }
        writers.append((turn, writer))
    }

    mutating func cancelWait(_ turn: Int) {
        guard let place = writers.firstIndex(where: { $0.turn == turn }) else { return }
        writers.remove(at: place).writer(.failure(CancellationError()))
    }

    /// There is room for more of the response.
    mutating func makeRoom() {
        let ready = writers
        writers = []
        for waiting in ready { waiting.writer(.success(())) }
    }
}

/// The end.
extension ExchangeState {
    /// The request is over: whole, refused, or cut. Readers and writers get an error.
    mutating func end(status: Int? = nil) {
        self.status = status ?? self.status
        phase = .over
        body.fail(BodyError.brokenOff)
        let broken = writers
        writers = []
        for waiting in broken { waiting.writer(.failure(BodyError.brokenOff)) }
        // Breaks a reference cycle: a streamed response may hold the request.
        answer = nil
    }

    enum Expiry {
        case isInTime
        /// Only the handler is late, so the client can get an error response.
        case isAnswerable
        case mustBeCut
    }

    /// The action to take when a request has no response within its time limit.
    var expiry: Expiry {
        switch phase {
        case .sending, .over: .isInTime
        case .working: body.isWhole && answer == nil ? .isAnswerable : .mustBeCut
        }
    }

    /// Adds time in which only the client caused the delay. Returns whether it is too long for the bytes of the response
    /// that were sent.
    mutating func isReadTooSlowly(after time: Duration, sent: Int, idleLimit: Duration, slowest: Int) -> Bool {
        waited.forReading += time
        return waited.forReading > idleLimit + .seconds(sent / slowest)
    }

    /// The same for the bytes of the body that were received.
    mutating func isSentTooSlowly(after time: Duration, idleLimit: Duration, slowest: Int) -> Bool {
        waited.forBody += time
        return waited.forBody > idleLimit + .seconds(body.received / slowest)
    }
}
