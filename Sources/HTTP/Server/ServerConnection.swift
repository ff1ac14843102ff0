import CLinux
import Glibc
import Processes

/// One connection of a client, from accept to close: its socket and the bytes on their way.
final class ServerConnection {
    let number: UInt64
    let descriptor: Int32
    let isOverLoopback: Bool
    /// The address of the client, without its port.
    let client: [UInt8]
    let isOfTrustedProxy: Bool
    /// The connections of a group count together: see ``AddressRange/group(_:)``.
    let group: [UInt8]
    /// The last request had a valid token.
    let isKnown = Locked(false)
    /// Nil for plain HTTP.
    let tls: TLSSession?

    var framing: RequestFraming
    /// The request under way.
    var exchange: ServerExchange?
    /// It was opened above the limit of connections, so it is served only routes that are always answered.
    var isReserve = false
    /// When it was accepted, or its last response was sent.
    var quietSince: ContinuousClock.Instant
    /// When bytes last came or went.
    var movedAt: ContinuousClock.Instant
    /// Nothing more is read or written, and what the client still sends is dropped. Nil before that.
    var lingersUntil: ContinuousClock.Instant?
    private var dropped = 0
    /// The connection closes when `pending` is zero.
    var isLast = false
    /// The client may still be sending a body that nobody reads.
    var isUnread = false
    /// It is among those that the loop advances before it waits.
    var isReady = false

    /// Bytes that were received, and not parsed yet.
    private var input: [UInt8] = []
    /// How many bytes of `input` were parsed.
    private var parsed = 0
    /// The socket may have bytes, or the news of its end.
    var mayRead = true
    /// The client has ended its side: it sends no more.
    var hasEnded = false
    /// The socket was shut down by the client, or broke.
    var isHungUp = false

    private var output: [[UInt8]] = []
    /// How many bytes of the first piece were sent.
    private var sent = 0
    /// How many bytes wait to be sent.
    private(set) var pending = 0
    private(set) var isClosed = false

    /// How many bytes of a streamed response are held for the client, plus at most one piece. Above it the handler has
    /// to wait.
    static let room = 64 << 10
    /// Pieces are joined up to this size, so that a small response is one piece.
    private static let joined = 16 << 10
    /// How many bytes are dropped after the last response, before the connection is closed in any case.
    private static let mostDropped = 1 << 20

    init(
        _ number: UInt64, on socket: AcceptedSocket, of options: HTTPServer.Options, tls: TLSSession?,
        at now: ContinuousClock.Instant
    ) {
        self.number = number
        self.tls = tls
        descriptor = socket.descriptor
        isOverLoopback = socket.isOverLoopback
        client = socket.client
        isOfTrustedProxy = options.trustedProxies?.contains(client) ?? false
        group = AddressRange.group(client)
        framing = RequestFraming(largestHead: options.largestHead, largestBody: options.largestBody)
        (quietSince, movedAt) = (now, now)
    }

    /// Nil while a request is under way.
    var quiet: ContinuousClock.Instant? { exchange == nil ? quietSince : nil }
    /// When the connection began to wait for its client, if the client has sent no valid token. Nil for other clients.
    var strange: ContinuousClock.Instant? {
        guard !isKnown.withLock({ $0 }) else { return nil }
        guard let exchange else { return quietSince }
        return pending > 0 || exchange.state.wantsBody ? exchange.began : nil
    }
    var isLeaving: Bool { lingersUntil != nil || isClosed }

    /// Notes what `epoll` reports.
    func note(_ events: UInt32) {
        if events & ~EPOLLOUT.rawValue != 0 { mayRead = true }
        if events & EPOLLRDHUP.rawValue != 0 { hasEnded = true }
        if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { isHungUp = true }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        Glibc.close(descriptor)
    }
}

/// Bytes from the client.
extension ServerConnection {
    /// Takes the next part of a request. Nil if it was not received yet.
    func nextPart() throws(HeadError) -> RequestFraming.Part? {
        let (taken, part) = try input.withUnsafeBufferPointer { bytes throws(HeadError) in
            try framing.next(in: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[parsed...]))
        }
        parsed += taken
        if parsed == input.count {
            input.removeAll(keepingCapacity: input.capacity <= Self.joined)
            parsed = 0
        }
        return part
    }

    /// True if bytes wait to be parsed, such as those of the next request.
    var hasInput: Bool { parsed < input.count }

    /// Receives bytes into `input`.
    func receive() -> Transfer {
        input.removeFirst(parsed)
        parsed = 0
        return withBuffer { buffer in
            let transfer = read(into: buffer)
            if case .done(let count) = transfer { input.append(contentsOf: buffer[..<count]) }
            return transfer
        }
    }

    /// Drops what the client still sends. Returns false at its end, or when it is too much.
    func drop() -> Bool {
        while mayRead {
            switch withBuffer({ plainReceive(from: descriptor, into: $0) }) {
            case .done(let count):
                dropped += count
                if dropped > Self.mostDropped { return false }
            case .wait: mayRead = false
            case .end, .broken: return false
            }
        }
        return true
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        let transfer = tls.map { $0.receive(into: buffer) } ?? plainReceive(from: descriptor, into: buffer)
        switch transfer {
        // A buffer that is not full has emptied the socket. The end of the connection needs another read.
        case .done(let count): mayRead = tls != nil || hasEnded || count == buffer.count
        case .wait: mayRead = false
        case .end, .broken: break
        }
        return transfer
    }

    private func withBuffer<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16, body)
    }
}

/// Bytes to the client.
extension ServerConnection {
    func queue(_ bytes: [UInt8], at now: ContinuousClock.Instant) {
        guard !bytes.isEmpty else { return }
        // Until now the client waited for the server.
        if pending == 0 { movedAt = now }
        pending += bytes.count
        if let last = output.indices.last, output[last].count + bytes.count <= Self.joined {
            output[last] += bytes
        } else {
            output.append(bytes)
        }
    }

    /// Sends what the socket has room for. Returns false if the connection is broken.
    func flush() -> Bool {
        while let first = output.first {
            let transfer = first.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return tls.map { $0.send(rest) } ?? plainSend(rest, on: descriptor, isLast: output.count == 1)
            }
            switch transfer {
            case .done(let count):
                pending -= count
                sent += count
                if sent == first.count {
                    output.removeFirst()
                    sent = 0
                }
            case .wait: return true
            case .end, .broken: return false
            }
        }
        return true
    }

    /// Ends our side. The client still reads what was sent.
    func finish() {
        tls?.finish()
        shutdown(descriptor, Int32(SHUT_WR))
    }
}

private func plainReceive(from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
    if count > 0 { return .done(count) }
    if count == 0 { return .end }
    return errno == EAGAIN || errno == EINTR ? .wait : .broken
}

private func plainSend(_ bytes: UnsafeRawBufferPointer, on descriptor: Int32, isLast: Bool) -> Transfer {
    let flags = Int32(MSG_NOSIGNAL) | (isLast ? 0 : Int32(MSG_MORE))
    let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
    if count >= 0 { return .done(count) }
    return errno == EAGAIN || errno == EINTR ? .wait : .broken
}
