/// Buffers the body of a request between the connection, which delivers it, and the handler, which reads it. It does no
/// I/O.
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
    private(set) var received = 0
    private var thrownAway = 0
    private var failure: (any Error)?
    /// Gets the next piece when there is one.
    private var reader: Reader?
    /// All of it has arrived.
    private(set) var isWhole = false

    init(limit: Int) {
        self.limit = limit
    }

    var hasRoom: Bool { failure != nil || held < Self.room }

    /// The rest is received, and dropped.
    var isDropped: Bool { failure != nil && !isWhole }

    var isHopeless: Bool { thrownAway > Self.patience }

    mutating func add(_ piece: [UInt8]) {
        received += piece.count
        if received > limit { fail(BodyError.tooLong(limit: limit)) }
        guard failure == nil else {
            thrownAway += piece.count
            return
        }
        // A body may come in chunks of one byte. The reader gets those that wait as one piece.
        if let last = pieces.indices.last, pieces[last].count + piece.count <= Self.room {
            pieces[last] += piece
        } else {
            pieces.append(piece)
        }
        held += piece.count
        serveReader()
    }

    mutating func end() {
        isWhole = true
        serveReader()
    }

    /// Unless the body is whole, drops it: an incomplete body is useless. Later pieces are dropped, too.
    mutating func fail(_ error: any Error) {
        guard failure == nil, !isWhole else { return }
        failure = error
        (pieces, held) = ([], 0)
        serveReader()
    }

    /// `reader` gets the next piece, or the end.
    mutating func read(_ reader: @escaping Reader) {
        precondition(self.reader == nil, "the body of a request has one reader at a time")
        self.reader = reader
        serveReader()
    }

    mutating func cancelRead() {
        reader?(.failure(CancellationError()))
        reader = nil
    }

    private mutating func serveReader() {
        guard let reader, let result = next() else { return }
        self.reader = nil
        reader(result)
    }

    private mutating func next() -> Result<[UInt8]?, any Error>? {
        if let failure { return .failure(failure) }
        guard !pieces.isEmpty else { return isWhole ? .success(nil) : nil }
        let piece = pieces.removeFirst()
        held -= piece.count
        return .success(piece)
    }
}
