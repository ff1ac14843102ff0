import Processes
import Testing

@testable import HTTP

/// The state of a request and its reply, event by event, without a socket.
struct ExchangeStateTests {
    private typealias State = ExchangeState
    private let short = Array("piece".utf8)
    private let full = [UInt8](repeating: 120, count: IncomingBody.room)
    private let ok = ServerResponse(status: 200, body: .bytes(Array("fine".utf8)))
    private let stream = ServerResponse(status: 200, body: .stream { _ in })

    /// A request after its head was read.
    private func begun() -> State { State(largestBody: 1 << 30) }

    /// A request whose reply is being sent.
    private func sending(_ answer: ServerResponse) -> State {
        var state = begun()
        state.endBody()
        let isTaken = state.take(answer)
        #expect(isTaken)
        #expect(state.responseToSend()?.status == 200)
        return state
    }

    /// The results for a reader of the body, or a writer of the reply.
    private final class Seen: Sendable {
        let results = Locked([String]())

        func read(_ result: Result<[UInt8]?, any Error>) {
            let text =
                switch result {
                case .success(let piece): piece.map { "\($0.count) bytes" } ?? "end"
                case .failure(let error): "\(error)"
                }
            results.withLock { $0.append(text) }
        }

        func wrote(_ result: Result<Void, any Error>) {
            let text = if case .failure(let error) = result { "\(error)" } else { "room" }
            results.withLock { $0.append(text) }
        }

        var all: [String] { results.withLock { $0 } }
    }

    @Test func `a request waits for its handler, and then its reply is sent`() {
        var state = begun()
        state.endBody()
        #expect(state.responseToSend() == nil && state.phase == .working)
        #expect(state.take(ok) == true)
        #expect(state.responseToSend() != nil && state.phase == .sending)
        #expect(state.responseToSend() == nil, "a reply is sent once")
        #expect(!state.isDone)
        state.endResponse()
        #expect(state.isDone)
    }

    @Test func `a reply waits for the end of a short body, whose bytes are dropped`() {
        var state = begun()
        state.declaredLength = IncomingBody.patience
        #expect(state.take(ok) == true)
        for _ in 0..<10 {
            #expect(state.wantsBody)
            #expect(state.receive(full) == true)
        }
        #expect(state.responseToSend() == nil)
        state.endBody()
        #expect(state.responseToSend() != nil && !state.closes)
    }

    @Test(arguments: [(true, false, 0), (false, true, 0), (false, false, IncomingBody.patience + 1)])
    func `a reply does not wait for a body that will not be read`(
        closes: Bool, expectsContinue: Bool, length: Int
    ) {
        for answer in expectsContinue ? [ok, stream] : [ok] {
            var state = begun()
            (state.closes, state.expectsContinue, state.declaredLength) = (closes, expectsContinue, length)
            #expect(state.take(answer) == true)
            #expect(state.responseToSend() != nil && state.closes)
            let seen = Seen()
            #expect(state.reads { seen.read($0) } == false)
            #expect(seen.all == ["brokenOff"])
            state.endResponse()
            #expect(state.isDone && !state.wantsBody)
        }
    }

    @Test(arguments: [(true, 0), (false, IncomingBody.patience + 1)])
    func `a stream reads the body while it is sent, also on a connection that closes`(closes: Bool, length: Int) {
        var state = begun()
        (state.closes, state.declaredLength) = (closes, length)
        #expect(state.take(stream) == true)
        #expect(state.responseToSend() != nil && state.wantsBody)
        state.endResponse()
        #expect(state.isDone && !state.wantsBody)
    }

    @Test func `an unwanted body is read up to a limit, then the connection is closed`() {
        var state = begun()
        #expect(state.take(ok) == true)
        for _ in 0...(IncomingBody.patience / full.count) { #expect(state.receive(full) == true) }
        #expect(state.receive(short) == false)
    }

    @Test func `a client that expects 100 Continue gets it when the handler reads`() {
        var state = begun()
        state.expectsContinue = true
        #expect(!state.wantsBody)
        let seen = Seen()
        #expect(state.reads { seen.read($0) } == true)
        #expect(state.wantsBody)
        #expect(state.receive(short) == true)
        #expect(seen.all == ["5 bytes"])
        #expect(state.reads { seen.read($0) } == false, "it is told once")
    }

    @Test func `a full buffer makes the client wait until the handler takes a piece`() {
        var state = begun()
        #expect(state.receive(full) == true)
        #expect(!state.wantsBody)
        let seen = Seen()
        #expect(state.reads { seen.read($0) } == false)
        #expect(seen.all == ["\(full.count) bytes"])
        #expect(state.wantsBody)
    }

    @Test func `a reader gets the end of the body, and a cancelled one its cancellation`() {
        var state = begun()
        let (first, second) = (Seen(), Seen())
        #expect(state.reads { first.read($0) } == false)
        state.cancelRead()
        #expect(first.all == ["CancellationError()"])
        #expect(state.reads { second.read($0) } == false)
        state.endBody()
        #expect(second.all == ["end"])
        state.cancelRead()
        #expect(second.all == ["end"])
    }

    @Test func `a reader whose task is cancelled gets a piece that is there, or its cancellation`() {
        var state = begun()
        #expect(state.receive(short) == true)
        let seen = Seen()
        for _ in 1...2 { #expect(state.reads(isCancelled: true) { seen.read($0) } == false) }
        #expect(seen.all == ["5 bytes", "CancellationError()"])
    }

    @Test func `only the first reply counts, and none after the end`() {
        var state = begun()
        #expect(state.take(ok) == true)
        #expect(state.take(ok) == false)
        var cut = begun()
        cut.end()
        #expect(cut.take(ok) == false)
        #expect(cut.responseToSend() == nil && !cut.wantsBody)
    }

    @Test func `a request cut off in its body fails its reader, and the body is lost`() {
        var state = begun()
        let seen = Seen()
        #expect(state.reads { seen.read($0) } == false)
        state.end()
        #expect(seen.all == ["brokenOff"])
        var held = begun()
        #expect(held.receive(full) == true)
        held.end()
        #expect(held.reads { seen.read($0) } == false)
        #expect(seen.all == ["brokenOff", "brokenOff"])
    }

    @Test func `a streamed reply may read the body while it is sent`() {
        var state = begun()
        #expect(state.take(stream) == true)
        #expect(state.responseToSend() != nil && state.wantsBody)
        let seen = Seen()
        #expect(state.receive(short) == true)
        #expect(state.reads { seen.read($0) } == false)
        #expect(seen.all == ["5 bytes"])
        state.endResponse()
        #expect(!state.isDone, "the next request begins only after the body")
        #expect(state.receive(short) == true)
        state.endBody()
        #expect(state.isDone && !state.closes)
    }

    @Test func `a writer waits for room, and sending makes room`() {
        var state = sending(stream)
        let seen = Seen()
        let turn = state.turn()
        state.waitForRoom(turn, isCancelled: false) { seen.wrote($0) }
        #expect(seen.all == [])
        state.makeRoom()
        state.makeRoom()
        #expect(seen.all == ["room"])
        state.waitForRoom(state.turn(), isCancelled: true) { seen.wrote($0) }
        let last = state.turn()
        state.waitForRoom(last, isCancelled: false) { seen.wrote($0) }
        state.cancelWait(last)
        #expect(seen.all == ["room", "CancellationError()", "CancellationError()"])
    }

    @Test func `a writer fails once the request is over`() {
        var state = sending(stream)
        let seen = Seen()
        let turn = state.turn()
        state.waitForRoom(turn, isCancelled: false) { seen.wrote($0) }
        state.end()
        state.waitForRoom(state.turn(), isCancelled: false) { seen.wrote($0) }
        #expect(seen.all == ["brokenOff", "brokenOff"])
    }

    @Test func `a timeout is answered if only the handler was late, else the connection is cut`() {
        var state = begun()
        #expect(state.expiry == .mustBeCut)
        state.endBody()
        #expect(state.expiry == .isAnswerable)
        #expect(sending(ok).expiry == .isInTime)
        state.end()
        #expect(state.expiry == .isInTime)
    }

    @Test func `a slow client has the idle limit, and the time for the bytes that were sent`() {
        var state = sending(stream)
        func isTooSlow(_ seconds: Int, sent: Int) -> Bool {
            state.isReadTooSlowly(after: .seconds(seconds), sent: sent, idleLimit: .seconds(10), slowest: 1)
        }
        #expect(!isTooSlow(10, sent: 0))
        #expect(!isTooSlow(5, sent: 5), "five bytes at a byte a second")
        #expect(isTooSlow(1, sent: 5))
    }

    @Test func `after any sequence of events, each reader and each writer got one result`() {
        for _ in 1...300 {
            var events: [Int] = []
            var state = begun()
            state.expectsContinue = Bool.random()
            let (readers, writers) = (Seen(), Seen())
            var (reads, writes) = (0, 0)
            for _ in 0..<40 {
                events.append(Int.random(in: 0..<9))
                switch events.last {
                case 0 where state.wantsBody: _ = state.receive(full)
                case 1 where state.wantsBody && Int.random(in: 0..<5) == 0: state.endBody()
                case 2 where readers.all.count == reads:
                    reads += 1
                    _ = state.reads(isCancelled: Bool.random()) { readers.read($0) }
                case 3: state.cancelRead()
                case 4: _ = state.take(Bool.random() ? ok : stream)
                case 5: _ = state.responseToSend()
                case 6 where state.phase == .sending:
                    writes += 1
                    state.waitForRoom(state.turn(), isCancelled: Bool.random()) { writers.wrote($0) }
                case 7: state.makeRoom()
                case 8 where Int.random(in: 0..<10) == 0: state.end()
                default: break
                }
                #expect(readers.all.count <= reads && writers.all.count <= writes, "\(events)")
            }
            state.end()
            #expect(readers.all.count == reads, "a reader waits for ever: \(events)")
            #expect(writers.all.count == writes, "a writer waits for ever: \(events)")
        }
    }
}

extension ExchangeState {
    fileprivate mutating func reads(isCancelled: Bool = false, _ reader: @escaping IncomingBody.Reader) -> Bool {
        read(isCancelled: isCancelled, reader)
    }
}
