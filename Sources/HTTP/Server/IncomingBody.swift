/// Buffers the body of a request between libmicrohttpd, which delivers it, and the handler, which reads it. It does no
/// I/O: its owner locks it and calls the closures that it returns.
struct IncomingBody {
    typealias Reader = @Sendable (Result<[UInt8]?, any Error>) -> Void

    /// How many bytes are held for the handler, plus at most one piece. Above it the client has to wait.
    static let room = 64 << 10

    /// How many bytes of an unwanted body are read and dropped. A client that is still sending takes a close for a
    /// failure, so the response waits for the end of the body. If the end is farther away, the connection is closed.
    static let patience = 16 << 20

    private let limit: Int
    private var pieces: [[UInt8]] = []
    private var held = 0
    private var received = 0
    private var thrownAway = 0
    private var ending: Ending?
    /// The handler reads no more, so further pieces are dropped.
    private(set) var isUnwanted = false
    /// The handler has begun to read.
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

    /// Drops the pieces that are held as well, because an incomplete body is useless.
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

    /// The next piece or the end, if there is one. Nil means: wait.
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

    /// The closures to call after a change: the reader, if there is something for it.
    mutating func wakes() -> [@Sendable () -> Void] {
        guard let reader, let result = next() else { return [] }
        self.reader = nil
        return [{ reader(result) }]
    }
}
