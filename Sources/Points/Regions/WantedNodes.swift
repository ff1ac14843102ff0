import Formats

/// The nodes whose positions are needed, sorted by id, each with the object that needs it.
///
/// A house of a way needs 24 bytes here, and no second array of ids and positions.
struct WantedNodes: Sendable {
    /// An id in two parts, so that an element has 12 bytes.
    struct Wish: Sendable {
        private let low: UInt32
        private let high: Int32
        let target: UInt32

        init(_ id: Int64, for target: UInt32) {
            (low, high, self.target) = (UInt32(truncatingIfNeeded: id), Int32(truncatingIfNeeded: id >> 32), target)
        }

        var id: Int64 { Int64(high) << 32 | Int64(low) }
    }

    private(set) var wishes: [Wish] = []

    /// This bit of a target says that it is an index of `positions`, and not of `houses`.
    static let isPosition: UInt32 = 1 << 31

    mutating func add(_ id: Int64, house: Int) { wishes.append(Wish(id, for: UInt32(house))) }
    mutating func add(_ id: Int64, position: Int) { wishes.append(Wish(id, for: UInt32(position) | Self.isPosition)) }

    mutating func sort() { wishes.sort { $0.id < $1.id } }

    /// Finds wishes for nodes that mostly come in the order of their ids.
    struct Finder {
        let wishes: UnsafeBufferPointer<Wish>
        private var place = 0
        private var last = Int64.max

        init(_ wishes: UnsafeBufferPointer<Wish>) { self.wishes = wishes }

        /// The first wish for this id.
        mutating func place(of id: Int64) -> Int? {
            if id < last || place + 64 < wishes.count && wishes[place + 64].id < id {
                place = firstPlace(notBefore: id)
            }
            last = id
            while place < wishes.count, wishes[place].id < id { place += 1 }
            return place < wishes.count && wishes[place].id == id ? place : nil
        }

        private func firstPlace(notBefore id: Int64) -> Int {
            var (low, high) = (0, wishes.count)
            while low < high {
                let middle = (low + high) / 2
                if wishes[middle].id < id { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}

/// A node that was found.
struct PlacedNode: Sendable {
    /// The first of its wishes.
    let wish: Int
    let position: MapPosition
}
