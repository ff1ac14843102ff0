import Synchronization

/// Counts events.
package final class Counter: Instrument {
    package static let typeName = "counter"

    private let count = Atomic(0)

    /// Adds `amount`, which can't be negative.
    package func add(_ amount: Int = 1) {
        precondition(amount >= 0, "a counter only grows; what goes down is a gauge")
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    package var value: Int { count.load(ordering: .relaxed) }

    package var samples: [Sample] { [Sample(value: Double(value))] }
}

/// Exports a count that is kept elsewhere: by the system, or for the whole cluster.
package final class Total: SettableInstrument {
    package static let typeName = "counter"

    private let value = Gauge()

    /// Sets the total count since the beginning.
    package func set(_ count: Double) { value.set(count) }

    /// Calls `read` at each scrape from now on. It must return at once.
    package func read(_ read: @escaping @Sendable () -> Double) { value.read(read) }

    package var samples: [Sample] { value.samples }
}

/// Shows a current amount.
package final class Gauge: SettableInstrument {
    package static let typeName = "gauge"

    private let bits = Atomic(Double(0).bitPattern)
    private let reader = Locked<(@Sendable () -> Double)?>(nil)

    package func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    /// Adds `amount`, which may be negative.
    package func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (exchanged, original) = bits.compareExchange(expected: old, desired: new, ordering: .relaxed)
            if exchanged { return }
            old = original
        }
    }

    /// Calls `read` at each scrape from now on, and ignores a value that was set. It must return at once.
    package func read(_ read: @escaping @Sendable () -> Double) {
        reader.withLock { $0 = read }
    }

    package var value: Double {
        let read = reader.withLock { $0 }
        return read?() ?? Double(bitPattern: bits.load(ordering: .relaxed))
    }

    package var samples: [Sample] { [Sample(value: value)] }
}

/// Counts values by size, so that Prometheus can calculate a quantile over all processes.
package final class Histogram: Instrument {
    package static let typeName = "histogram"

    /// Bounds for waits between a moment and a day, in seconds.
    package static let waits: [Double] = [0.1, 1, 5, 15, 60, 300, 900, 3_600, 10_800, 43_200, 86_400]

    /// Bounds for durations between a query in memory and a very slow provider.
    package static let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

    private struct State {
        var counts: [Int]
        var sum = 0.0
    }

    let buckets: [Double]
    /// A lock, because the sum and the counts must be of the same values.
    private let state: Locked<State>

    init(buckets: [Double]) {
        precondition(zip(buckets, buckets.dropFirst()).allSatisfy(<), "a histogram's buckets go up")
        self.buckets = buckets
        state = Locked(State(counts: Array(repeating: 0, count: buckets.count + 1)))
    }

    package func observe(_ value: Double) {
        let bucket = buckets.firstIndex { value <= $0 } ?? buckets.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }

    /// Observes several values under one lock.
    package func observe(_ values: [Double]) {
        guard !values.isEmpty else { return }
        state.withLock { state in
            for value in values {
                state.counts[buckets.firstIndex { value <= $0 } ?? buckets.count] += 1
                state.sum += value
            }
        }
    }

    /// Observes a duration in seconds.
    package func observe(_ duration: Duration) {
        observe(duration / .seconds(1))
    }

    package var samples: [Sample] {
        let state = state.withLock { $0 }
        var count = 0
        var samples = zip(buckets + [.infinity], state.counts).map { bound, inBucket in
            count += inBucket
            return Sample(suffix: "_bucket", label: ("le", number(bound)), value: Double(count))
        }
        samples.append(Sample(suffix: "_sum", value: state.sum))
        samples.append(Sample(suffix: "_count", value: Double(count)))
        return samples
    }
}
