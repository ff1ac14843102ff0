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
        let numbers = kinds.withLock { kinds in
            kinds.indices.filter { kinds[$0].isEmpty || kinds[$0].contains(kind) }
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
                    try damage(at: blob.offset) { try transform(try block(numbers[place])) }
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

    package static let coreCount = min(8, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
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
