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
    private func begun() -> State {
        var state = State(largestBody: 1 << 30)
        state.begin()
        return state
    }

    /// A request whose reply libmicrohttpd is sending.
    private func sending(_ answer: ServerResponse) -> State {
        var state = begun()
        _ = state.answer(answer)
        #expect(state.advance().0 == .goOn)
        #expect(state.advance().0 == .send)
        state.note(status: answer.status, bytes: answer.bytes.count)
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

    @Test func `a request waits for its handler, and the reply resumes it`() {
        var state = begun()
        #expect(state.advance().0 == .goOn)
        #expect(state.advance().0 == .suspend)
        #expect(state.isSuspended)
        #expect(state.answer(ok)?.resumes == true)
        #expect(!state.isSuspended)
        #expect(state.advance().0 == .send)
        #expect(state.isSending)
    }

    @Test func `a reply waits for the end of a short body, whose bytes are dropped`() {
        var state = begun()
        state.declaredLength = IncomingBody.patience
        _ = state.answer(ok)
        #expect(state.advance().0 == .goOn)
        for _ in 0..<10 { #expect(state.receive(full).0 == .goOn) }
        #expect(state.advance().0 == .send)
    }

    @Test(arguments: [(true, false, 0), (false, true, 0), (false, false, IncomingBody.patience + 1)])
    func `a reply does not wait for a body that will not be read`(
        closes: Bool, expectsContinue: Bool, length: Int
    ) {
        var state = begun()
        (state.closes, state.expectsContinue, state.declaredLength) = (closes, expectsContinue, length)
        _ = state.answer(ok)
        #expect(state.advance().0 == .send)
    }

    @Test func `an unwanted body is read up to a limit, then the connection is closed`() {
        var state = begun()
        _ = state.answer(ok)
        _ = state.advance()
        for _ in 0...(IncomingBody.patience / full.count) { #expect(state.receive(full).0 == .goOn) }
        #expect(state.receive(short).0 == .hangUp)
    }

    @Test func `a client that expects 100 Continue gets it when the handler reads`() {
        var state = begun()
        state.expectsContinue = true
        #expect(state.advance().0 == .suspend)
        let seen = Seen()
        #expect(state.read(isCancelled: false) { seen.read($0) }.resumes)
        #expect(state.advance().0 == .goOn)
        for wake in state.receive(short).1.wakes { wake() }
        #expect(seen.all == ["5 bytes"])
    }

    @Test func `a full buffer suspends the connection until the handler takes a piece`() {
        var state = begun()
        _ = state.advance()
        #expect(state.receive(full).0 == .goOn)
        #expect(state.receive(short).0 == .suspend)
        let seen = Seen()
        let effects = state.read(isCancelled: false) { seen.read($0) }
        #expect(effects.resumes)
        for wake in effects.wakes { wake() }
        #expect(seen.all == ["\(full.count) bytes"])
        #expect(state.receive(short).0 == .goOn)
    }

    @Test func `a reader gets the end of the body, and a cancelled one its cancellation`() {
        var state = begun()
        _ = state.advance()
        let (first, second) = (Seen(), Seen())
        _ = state.read(isCancelled: false) { first.read($0) }
        for wake in state.cancelRead().wakes { wake() }
        #expect(first.all == ["CancellationError()"])
        _ = state.read(isCancelled: false) { second.read($0) }
        for wake in state.advance().1.wakes { wake() }
        #expect(second.all == ["end"])
        #expect(state.cancelRead().wakes.isEmpty)
    }

    @Test func `only the first reply counts, and none after a cut`() {
        var state = begun()
        #expect(state.answer(ok) != nil)
        #expect(state.answer(ok) == nil)
        var cut = begun()
        _ = cut.cut()
        #expect(cut.answer(ok) == nil)
        #expect(cut.advance().0 == .hangUp)
    }

    @Test func `a cut resumes a suspended connection once, and the body is lost`() {
        var state = begun()
        _ = state.advance()
        let seen = Seen()
        #expect(state.receive(full).0 == .goOn)
        #expect(state.receive(short).0 == .suspend)
        let first = state.cut()
        #expect(first?.resumes == true)
        _ = state.read(isCancelled: false) { seen.read($0) }.wakes.map { $0() }
        #expect(seen.all == ["brokenOff"])
        let second = state.cut()
        #expect(second?.resumes == false && second?.wakes.isEmpty == true)
        _ = state.complete()
        #expect(state.cut() == nil)
    }

    @Test func `a request cut off in its body fails its reader`() {
        var state = begun()
        _ = state.advance()
        let seen = Seen()
        _ = state.read(isCancelled: false) { seen.read($0) }
        for wake in state.cut()?.wakes ?? [] { wake() }
        #expect(seen.all == ["brokenOff"])
        #expect(state.receive(short).0 == .hangUp)
    }

    @Test func `a writer waits for room, and sending makes room`() {
        var state = sending(stream)
        #expect(state.write([UInt8](repeating: 1, count: OutgoingBody.room)).0 == .waitForRoom)
        let seen = Seen()
        let turn = state.turn()
        #expect(state.waitForRoom(turn, isCancelled: false) { seen.wrote($0) }.wakes.isEmpty)
        for wake in fill(&state, 1_000).1.wakes { wake() }
        #expect(seen.all == ["room"])
        #expect(state.bytes == 1_000)
    }

    @Test func `a reply without pending bytes suspends the connection until more is written`() {
        var state = sending(stream)
        guard case .wait = fill(&state, 10).0 else { return #expect(Bool(false), "nothing was written") }
        #expect(state.write(short).1.resumes)
        guard case .sent(5) = fill(&state, 10).0 else { return #expect(Bool(false), "five bytes were written") }
        guard case .wait = fill(&state, 10).0 else { return #expect(Bool(false), "all was sent") }
        #expect(state.endAnswer(.whole).resumes)
        guard case .end = fill(&state, 10).0 else { return #expect(Bool(false), "the answer is whole") }
    }

    @Test func `a truncated reply is not completed`() {
        var state = sending(stream)
        _ = state.write(short)
        _ = state.endAnswer(.broken)
        guard case .fail = fill(&state, 10).0 else { return #expect(Bool(false), "the answer is broken") }
        var cut = sending(stream)
        _ = cut.cut()
        #expect(cut.write(short).0 == .isGone)
    }

    @Test func `a timeout is answered if only the handler was late, else the connection is cut`() {
        var state = begun()
        #expect(state.expiry == .mustBeCut)
        _ = state.advance()
        #expect(state.expiry == .mustBeCut)
        _ = state.advance()
        #expect(state.expiry == .isAnswerable)
        #expect(sending(ok).expiry == .isInTime)
        _ = state.complete()
        #expect(state.expiry == .isInTime)
    }

    @Test func `only the time spent waiting for the client counts as slow`() {
        var state = sending(stream)
        func isTooSlow(_ seconds: Int) -> Bool {
            state.isReadTooSlowly(after: .seconds(seconds), idleLimit: .seconds(10), slowest: 1)
        }
        _ = fill(&state, 10)
        #expect(!isTooSlow(100), "the handler was waited for")
        _ = state.write(short)
        #expect(!isTooSlow(10))
        _ = fill(&state, 10)
        _ = state.write(short)
        #expect(!isTooSlow(5), "five bytes at a byte a second")
        #expect(isTooSlow(1))
    }

    @Test func `no sequence of events resumes a connection that is not suspended`() {
        for _ in 1...300 {
            var events: [Int] = []
            var state = begun()
            state.expectsContinue = Bool.random()
            var (isSuspended, readers) = (false, 0)
            let seen = Seen()
            func carryOut(_ effects: State.Effects) {
                #expect(!effects.resumes || isSuspended, "\(events)")
                if effects.resumes { isSuspended = false }
                for wake in effects.wakes { wake() }
            }
            for _ in 0..<40 {
                events.append(Int.random(in: 0..<7))
                switch events.last {
                case 0 where !isSuspended && !state.isSending, 1 where !isSuspended && !state.isSending:
                    let (step, effects) = state.advance()
                    carryOut(effects)
                    if step == .suspend { isSuspended = true }
                case 2 where !isSuspended:
                    let (step, effects) = state.receive(full)
                    carryOut(effects)
                    if step == .suspend { isSuspended = true }
                case 3 where seen.all.count == readers:
                    readers += 1
                    carryOut(state.read(isCancelled: Bool.random()) { seen.read($0) })
                case 4: carryOut(state.cancelRead())
                case 5: if let effects = state.answer(ok) { carryOut(effects) }
                case 6 where Int.random(in: 0..<10) == 0:
                    if let effects = state.cut() { carryOut(effects) }
                default: break
                }
                #expect(state.isSuspended == isSuspended, "\(events)")
            }
            if !isSuspended {
                carryOut(state.complete())
                #expect(seen.all.count == readers, "a reader waits for ever: \(events)")
            }
        }
    }

    private func fill(_ state: inout State, _ count: Int) -> (OutgoingBody.Step, State.Effects) {
        withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { state.fill($0) }
    }
}

extension ExchangeState {
    fileprivate mutating func receive(_ piece: [UInt8]) -> (Step, Effects) {
        piece.withUnsafeBytes { receive($0) }
    }
}

extension ExchangeState.Step {
    fileprivate enum Kind { case goOn, suspend, send, hangUp }

    fileprivate static func == (step: Self, kind: Kind) -> Bool {
        switch (step, kind) {
        case (.goOn, .goOn), (.suspend, .suspend), (.send, .send), (.hangUp, .hangUp): true
        default: false
        }
    }
}
