import Processes

/// Gathers keys while earlier ones are being looked up, and looks up all of them at once: a statement for thirty costs
/// little more than one.
final class Gathered<Key: Sendable, Value: Sendable>: Sendable {
    private struct State {
        var waiting: [(key: Key, race: Race<Value>)] = []
        var running = 0
    }

    private static var mostAtOnce: Int { 64 }
    private static var mostRunning: Int { 2 }

    private let state = Locked(State())
    private let look: @Sendable ([Key]) async throws -> [Value]

    /// `look` returns a value for each key, in the same order.
    init(_ look: @escaping @Sendable ([Key]) async throws -> [Value]) {
        self.look = look
    }

    func value(of key: Key) async throws -> Value {
        let race = Race<Value>()
        let starts = state.withLock { state in
            state.waiting.append((key, race))
            guard state.running < Self.mostRunning else { return false }
            state.running += 1
            return true
        }
        if starts { Task { await run() } }
        return try await race.value()
    }

    private func run() async {
        while let batch = next() {
            let found: Result<[Value], any Error>
            do { found = .success(try await look(batch.map(\.key))) } catch { found = .failure(error) }
            for (index, waiter) in batch.enumerated() {
                waiter.race.finish(
                    found.flatMap { values in
                        index < values.count ? .success(values[index]) : .failure(TooFewValues())
                    })
            }
        }
    }

    private func next() -> [(key: Key, race: Race<Value>)]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            let batch = Array(state.waiting.prefix(Self.mostAtOnce))
            state.waiting.removeFirst(batch.count)
            return batch
        }
    }
}

/// A look-up returned fewer values than keys.
private struct TooFewValues: Error {}
