/// Future events, the soonest first; events at the same moment in the order in which they were added. A binary heap.
struct EventQueue<Event> {
    private var heap: [(at: Double, number: Int, event: Event)] = []
    private var added = 0

    mutating func add(_ event: Event, at moment: Double) {
        heap.append((moment, added, event))
        added += 1
        var child = heap.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func next() -> (at: Double, event: Event)? {
        guard let first = heap.first else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var soonest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && isBefore(child, soonest) {
                soonest = child
            }
            if soonest == parent { return (first.at, first.event) }
            heap.swapAt(parent, soonest)
            parent = soonest
        }
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        (heap[one].at, heap[one].number) < (heap[other].at, heap[other].number)
    }
}
