/// The body of a request between libmicrohttpd, which brings it, and the handler, which takes it. Pure: whoever owns
/// it locks it, and resumes whom it names.
struct IncomingBody {
    typealias Reader = @Sendable (Result<[UInt8]?, any Error>) -> Void

    /// What is held for the handler at most, give or take a piece: then the client has to wait.
    static let room = 64 << 10

    /// How much of an unwanted body is read and dropped: to a client that is still sending, a close looks like a
    /// failure, so the answer waits for the end. If the end is farther away, the connection is closed.
    static let patience = 16 << 20

    private let limit: Int
    private var pieces: [[UInt8]] = []
    private var held = 0
    private var received = 0
    private var thrownAway = 0
    private var ending: Ending?
    /// The handler takes no more: what comes is dropped.
    private(set) var isUnwanted = false
    /// The handler has begun to take.
    private(set) var isWanted = false
    var reader: Reader?

    private enum Ending {
        case whole
        case broken(any Error)
    }

    init(limit: Int) {
        self.limit = limit
    }

    var hasRoom: Bool { isUnwanted || held < Self.room }

    var isHopeless: Bool { thrownAway > Self.patience }

    mutating func add(_ piece: UnsafeRawBufferPointer) {
        received += piece.count
        if received > limit { end(throwing: BodyError.tooLong(limit: limit)) }
        guard !isUnwanted else {
            thrownAway += piece.count
            return
        }
        pieces.append(Array(piece))
        held += piece.count
    }

    mutating func end() {
        if ending == nil { ending = .whole }
    }

    /// What is held already is lost, too: half a body is none.
    mutating func end(throwing error: any Error) {
        guard ending == nil else { return }
        ending = .broken(error)
        discard()
    }

    mutating func discard() {
        isUnwanted = true
        pieces = []
        held = 0
    }

    /// The next piece, or the end, if either is here. Nil to wait.
    mutating func next() -> Result<[UInt8]?, any Error>? {
        isWanted = true
        if !pieces.isEmpty {
            let piece = pieces.removeFirst()
            held -= piece.count
            return .success(piece)
        }
        return switch ending {
        case .whole: .success(nil)
        case .broken(let error): .failure(error)
        case nil: isUnwanted ? .success(nil) : nil
        }
    }

    /// What to call now that something has changed: the reader, if there is something for it.
    mutating func wakes() -> [@Sendable () -> Void] {
        guard let reader, let result = next() else { return [] }
        self.reader = nil
        return [{ reader(result) }]
    }
}
