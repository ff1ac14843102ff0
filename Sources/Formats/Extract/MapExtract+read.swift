import Dispatch
import Glibc
import Processes

extension MapExtract {
    /// Reads the blocks that may have objects of a kind, on several threads.
    ///
    /// `transform` runs for several blocks at once. `combine` gets the results one after the other, in the order of the
    /// file, so two runs give the same result. The first error in the order of the file is thrown.
    /// `onProgress` gets the number of bytes of the file that are done.
    package func read<Part: Sendable>(
        _ kind: MapKinds, threads: Int = MapExtract.coreCount, onProgress: @Sendable (Int) -> Void = { _ in },
        transform: @Sendable (MapBlock) throws -> Part, combine: @Sendable (Part) throws -> Void
    ) throws {
        let range = try range(of: kind)
        let numbers = try range.filter { number in
            let known = kinds.withLock { $0[number] }
            try damage(at: blobs[number].offset) { try check(known, of: number, in: range, for: kind) }
            return known.isEmpty || known.contains(kind)
        }
        let handedOut = Locked(0)
        let parts = Locked(OrderedParts<Part>())
        DispatchQueue.concurrentPerform(iterations: max(1, min(threads, numbers.count))) { _ in
            while true {
                let place = handedOut.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard place < numbers.count, !parts.withLock({ $0.failure != nil }) else { return }
                let blob = blobs[numbers[place]]
                let part = Result {
                    try damage(at: blob.offset) {
                        let block = try block(numbers[place])
                        try check(block.kinds, of: numbers[place], in: range, for: kind)
                        return try transform(block)
                    }
                }
                // One thread combines and the others wait for it, so finished parts don't pile up.
                parts.withLock {
                    $0.add(part, at: place, combine)
                    onProgress(blob.offset + blob.size)
                }
            }
        }
        if let failure = parts.withLock(\.failure) { throw failure }
    }

    /// The blocks that may have objects of a kind, if the header is right.
    private func range(of kind: MapKinds) throws -> Range<Int> {
        guard isSorted else { return blobs.indices }
        let end = kind == .relations ? blobs.count : try firstBlock(notBefore: kind.next)
        return try firstBlock(notBefore: kind)..<min(blobs.count, end + 1)
    }

    /// Throws for a block that is not sorted although the header promises it. The first block of a range may also have
    /// objects of the kind before, and its last one those of the kind after.
    private func check(_ found: MapKinds, of number: Int, in range: Range<Int>, for kind: MapKinds) throws(MapDamage) {
        var allowed = kind
        if number == range.lowerBound { allowed.formUnion(kind.before) }
        if number == range.upperBound - 1 { allowed.formUnion(kind.after) }
        guard !isSorted || found.objects.isSubset(of: allowed) else { throw .unsorted }
    }

    /// The first block of a sorted file with objects of a kind or of a later one.
    private func firstBlock(notBefore kind: MapKinds) throws -> Int {
        var (low, high) = (0, blobs.count)
        while low < high {
            let middle = (low + high) / 2
            if try block(middle).kinds.objects.rawValue < kind.rawValue { low = middle + 1 } else { high = middle }
        }
        return low
    }

    package static let coreCount = min(8, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}

extension MapDamage {
    fileprivate static let unsorted = MapDamage(
        "its objects are not in the order that the file promises",
        advice: "sort the file: osmium sort FILE -o map.osm.pbf")
}

/// Brings the results of several threads into the order of the file.
private struct OrderedParts<Part: Sendable>: Sendable {
    private var waiting: [Int: Result<Part, any Error>] = [:]
    private var next = 0
    private(set) var failure: (any Error)?

    mutating func add(_ part: Result<Part, any Error>, at place: Int, _ combine: (Part) throws -> Void) {
        waiting[place] = part
        while failure == nil, let part = waiting.removeValue(forKey: next) {
            next += 1
            do { try combine(try part.get()) } catch { failure = error }
        }
    }
}
