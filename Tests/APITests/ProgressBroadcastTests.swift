import Synchronization
import Testing

@testable import API

struct ProgressBroadcastTests {
    private let caller = Caller(account: 1, accountName: "default", token: nil, scopes: [.read])

    /// A broadcast whose beats the test gives, and whose looks take what stands in `states` next.
    private func broadcast(
        _ states: [String]
    ) -> (broadcast: ProgressBroadcast, beat: AsyncStream<Void>.Continuation, looks: Counter) {
        let (beats, beat) = AsyncStream.makeStream(of: Void.self)
        let looks = Counter()
        let source = BeatSource(beats)
        let broadcast = ProgressBroadcast(beat: { try await source.next() }) { _ in
            Array(states[min(looks.next(), states.count - 1)].utf8)
        }
        return (broadcast, beat, looks)
    }

    @Test func `all listeners of an account hear each change once, from one look`() async throws {
        let (broadcast, beat, looks) = broadcast(["a", "a", "b"])
        var one = await broadcast.events(for: caller).makeAsyncIterator()
        #expect(await one.next() == Array("a".utf8))
        var other = await broadcast.events(for: caller).makeAsyncIterator()
        #expect(await other.next() == Array("a".utf8))
        beat.yield()
        beat.yield()
        beat.finish()
        #expect(await one.next() == Array("b".utf8))
        #expect(await other.next() == Array("b".utf8))
        #expect(looks.count == 3)
    }

    @Test func `silence is broken by the last event after fifteen beats`() async throws {
        let (broadcast, beat, looks) = broadcast(["a"])
        var listener = await broadcast.events(for: caller).makeAsyncIterator()
        #expect(await listener.next() == Array("a".utf8))
        for _ in 0..<15 { beat.yield() }
        beat.finish()
        #expect(await listener.next() == Array("a".utf8))
        #expect(looks.count == 16)
    }

    @Test func `nobody looks any more when the last listener is gone`() async throws {
        let (broadcast, _, _) = broadcast(["a"])
        do {
            var listener = await broadcast.events(for: caller).makeAsyncIterator()
            #expect(await listener.next() != nil)
            #expect(await broadcast.watched == 1)
        }
        while await broadcast.watched > 0 { await Task.yield() }
    }
}

private final class Counter: Sendable {
    private let value = Atomic(0)

    func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
    var count: Int { value.load(ordering: .relaxed) }
}

private actor BeatSource {
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
