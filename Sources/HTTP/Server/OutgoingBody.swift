/// Buffers a streamed response between the handler, which writes it, and libmicrohttpd, which sends it. It does no I/O,
/// like ``IncomingBody``.
struct OutgoingBody {
    typealias Writer = @Sendable (Result<Void, any Error>) -> Void

    /// How many bytes are held for the client, plus at most one piece. Above it the handler has to wait.
    static let room = 64 << 10

    private var pieces: [[UInt8]] = []
    /// How many bytes of the first piece were sent.
    private var offset = 0
    private var held = 0
    private(set) var ending: Ending?
    private var writers: [(turn: Int, writer: Writer)] = []
    private var turns = 0

    enum Ending {
        case whole
        case broken
    }

    enum Step {
        case sent(Int)
        case wait
        case end
        case fail
    }

    var hasRoom: Bool { held < Self.room }

    mutating func add(_ piece: [UInt8]) {
        guard ending == nil, !piece.isEmpty else { return }
        pieces.append(piece)
        held += piece.count
    }

    mutating func end(_ how: Ending) {
        if ending == nil { ending = how }
        guard how == .broken else { return }
        ending = .broken
        pieces = []
        held = 0
    }

    /// Copies held bytes into the buffer.
    mutating func send(to buffer: UnsafeMutableRawBufferPointer) -> Step {
        if ending == .broken { return .fail }
        var count = 0
        while let piece = pieces.first, count < buffer.count {
            let part = min(piece.count - offset, buffer.count - count)
            piece.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + part]))
            }
            count += part
            offset += part
            guard offset == piece.count else { break }
            offset = 0
            pieces.removeFirst()
        }
        held -= count
        if count > 0 { return .sent(count) }
        return ending == nil ? .wait : .end
    }

    /// A number for a writer that is about to wait. A cancellation finds the writer by it.
    mutating func turn() -> Int {
        turns += 1
        return turns
    }

    mutating func wait(_ turn: Int, _ writer: @escaping Writer) {
        writers.append((turn, writer))
    }

    /// The closures to call after a change: all waiting writers, if there is room or never will be.
    mutating func wakes() -> [@Sendable () -> Void] {
        guard hasRoom || ending == .broken else { return [] }
        defer { writers = [] }
        let result: Result<Void, any Error> = ending == .broken ? .failure(BodyError.brokenOff) : .success(())
        return writers.map { waiting in { waiting.writer(result) } }
    }

    /// Removes one waiting writer, whose task was cancelled.
    mutating func remove(_ turn: Int) -> Writer? {
        guard let place = writers.firstIndex(where: { $0.turn == turn }) else { return nil }
        return writers.remove(at: place).writer
    }
}
