import Access
import Polling
import Synchronization
import Testing

@testable import API

struct BroadcastTests {
    private let caller = Caller(account: 1, accountName: "default", token: nil, scopes: [.read])

    private let clock = TestClock()

    /// A broadcast whose pauses the test ends. Its looks return the items of `states` one after the other.
    private func broadcast(
        _ states: [String], effort: Duration = .zero
    ) -> (broadcast: Broadcast, goOn: AsyncStream<Void>.Continuation, looks: Counter) {
        let (pauses, goOn) = AsyncStream.makeStream(of: Void.self)
        let looks = Counter()
        let source = PauseSource(pauses)
        let broadcast = Broadcast(
            now: { clock.now },
            pause: { length in
                clock.advance(by: length)
                try await source.next()
            },
            look: { _, _ in
                clock.advance(by: effort)
                return Array(states[min(looks.next(), states.count - 1)].utf8)
            })
        return (broadcast, goOn, looks)
    }

    @Test func `one query serves all listeners of an account, and each gets each change once`() async throws {
        let (broadcast, goOn, looks) = broadcast(["a", "a", "b"])
        var one = await broadcast.events(for: caller).makeAsyncIterator()
        #expect(await one.next() == Array("a".utf8))
        var other = await broadcast.events(for: caller).makeAsyncIterator()
        #expect(await other.next() == Array("a".utf8))
        goOn.yield()
        goOn.yield()
        goOn.finish()
        #expect(await one.next() == Array("b".utf8))
        #expect(await other.next() == Array("b".utf8))
        #expect(looks.count == 3)
    }

    @Test func `a slow query runs less often, but events never stop`() async throws {
        for (effort, pause) in [
            (Duration.milliseconds(100), Duration.seconds(1)), (.milliseconds(500), .milliseconds(4_500)),
            (.seconds(5), .seconds(15)),
        ] {
            let (broadcast, goOn, looks) = broadcast(["a", "b"], effort: effort)
            let began = clock.now
            var listener = await broadcast.events(for: caller).makeAsyncIterator()
            #expect(await listener.next() == Array("a".utf8))
            goOn.yield()
            #expect(await listener.next() == Array("b".utf8))
            #expect(clock.now - began >= effort * 2 + pause)
            goOn.finish()
            #expect(looks.count == 2)
        }
    }

    @Test func `without a change, the last event is repeated after fifteen seconds`() async throws {
        let (broadcast, goOn, looks) = broadcast(["a"])
        var listener = await broadcast.events(for: caller).makeAsyncIterator()
        #expect(await listener.next() == Array("a".utf8))
        for _ in 0..<15 { goOn.yield() }
        goOn.finish()
        #expect(await listener.next() == Array("a".utf8))
        #expect(looks.count == 16)
    }

    @Test func `an event that has not changed is not sent again`() async throws {
        let (broadcast, goOn, _) = broadcast(["a", "a", "b"])
        let began = clock.now
        let reading = Task {
            var listener = await broadcast.events(for: caller).makeAsyncIterator()
            return [await listener.next(), await listener.next()]
        }
        goOn.yield()
        // The second pause begins after the second look.
        try await pollUntil { clock.now - began >= .seconds(2) }
        // The reader would take a second "a" before the third look.
        for _ in 0..<100 { await Task.yield() }
        goOn.yield()
        goOn.finish()
        #expect(await reading.value == [Array("a".utf8), Array("b".utf8)])
    }

    @Test(.timeLimit(.minutes(1))) func `the task that looks ends with its last listener`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let broadcast = Broadcast(
            pause: { _ in
                do { try await Task.sleep(for: .seconds(600)) } catch {
                    end.yield()
                    throw error
                }
            }, look: { _, _ in [1] })
        do {
            var listener = await broadcast.events(for: caller).makeAsyncIterator()
            #expect(await listener.next() == [1])
        }
        for await _ in ends { break }
    }

    @Test func `queries stop when the last listener is gone`() async throws {
        let (broadcast, _, _) = broadcast(["a"])
        do {
            var listener = await broadcast.events(for: caller).makeAsyncIterator()
            #expect(await listener.next() != nil)
            #expect(await broadcast.watched == 1)
        }
        try await pollUntil { await broadcast.watched == 0 }
    }
}

private final class Counter: Sendable {
    private let value = Atomic(0)

    func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
    var count: Int { value.load(ordering: .relaxed) }
}

private actor PauseSource {
    private var iterator: AsyncStream<Void>.Iterator

    init(_ stream: AsyncStream<Void>) {
        iterator = stream.makeAsyncIterator()
    }

    func next() async throws {
        var iterator = iterator
        guard await iterator.next(isolation: #isolation) != nil else { throw CancellationError() }
        self.iterator = iterator
    }
}
