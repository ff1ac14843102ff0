/// The hash table of one section, which finds entries by the bytes of their key.
///
/// A slot contains the number of a key's first entry plus one, or zero if it is free. A key is in the slot of its hash
/// or in one of the next slots.
package struct KeyTable {
    private let image: TownImage
    private let slots: UnsafePointer<UInt32>
    private let mask: Int
    private let entries: UnsafePointer<StoredKey>
    private let count: Int

    package init(_ image: TownImage, slots: TownImage.Section, entries: TownImage.Section) {
        self.image = image
        self.slots = image.pointer(to: slots)
        mask = image.count(of: slots) - 1
        self.entries = image.pointer(to: entries)
        count = image.count(of: entries)
    }

    /// The rows with this key, in their stored order.
    package func rows(of key: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<StoredKey> {
        var slot = Int(truncatingIfNeeded: Self.hash(key)) & mask
        while slots[slot] != 0 {
            let first = Int(slots[slot]) - 1
            let offset = entries[first].key
            if image.text(at: offset).elementsEqual(bytes: key) {
                var end = first + 1
                // Equal keys share one text.
                while end < count, entries[end].key == offset { end += 1 }
                return UnsafeBufferPointer(start: entries + first, count: end - first)
            }
            slot = (slot + 1) & mask
        }
        return UnsafeBufferPointer(start: nil, count: 0)
    }

    /// The rows whose keys begin with `prefix`. It uses that the keys are sorted by their bytes.
    func rows(from prefix: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<StoredKey> {
        let first = index { isBefore(image.text(at: $0), prefix) }
        let end = index { offset in
            let key = image.text(at: offset)
            return isBefore(key, prefix) || key.prefix(prefix.count).elementsEqual(prefix)
        }
        return UnsafeBufferPointer(start: entries + first, count: end - first)
    }

    /// The first entry whose key does not come before the wanted one.
    private func index(_ isBefore: (UInt32) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(entries[middle].key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func isBefore(_ key: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        key.lexicographicallyPrecedes(other)
    }

    /// The hash tables of the image, with their entries.
    private static let sections: [(slots: TownImage.Section, entries: TownImage.Section)] = [
        (.nameSlots, .names), (.postcodeSlots, .postcodeKeys), (.regionSlots, .regionKeys),
    ]

    /// Sorts the entries by the bytes of their keys. Of the places with one name, those with more people come first.
    static func sort(_ image: TownImage) {
        let places = image.pointer(to: .places, as: StoredPlace.self)
        for (_, section) in sections {
            func people(_ row: UInt32) -> Int {
                if section != .names { return 0 }
                return row & StoredKey.postcodeName == 0
                    ? Int(places[Int(row % StoredKey.postcodeName)].population) : -1
            }
            let entries = UnsafeMutableBufferPointer(
                start: UnsafeMutablePointer(mutating: image.pointer(to: section, as: StoredKey.self)),
                count: image.count(of: section))
            // Most keys differ in their first eight bytes, so few texts are read.
            var sorted = entries.map { entry in
                let key = image.text(at: entry.key)
                return (start: (0..<8).reduce(UInt64(0)) { $0 << 8 | ($1 < key.count ? UInt64(key[$1]) : 0) }, entry)
            }
            sorted.sort {
                if $0.start != $1.start { return $0.start < $1.start }
                let (one, other) = ($0.1, $1.1)
                // Equal keys share one text.
                if one.key != other.key {
                    return image.text(at: one.key).lexicographicallyPrecedes(image.text(at: other.key))
                }
                return (-people(one.row), one.row) < (-people(other.row), other.row)
            }
            for (index, element) in sorted.enumerated() { entries[index] = element.1 }
        }
    }

    /// Fills the hash tables of an image, whose slots are zero.
    static func fill(_ image: TownImage) {
        for (table, section) in sections {
            let slots = UnsafeMutablePointer(mutating: image.pointer(to: table, as: UInt32.self))
            let mask = image.count(of: table) - 1
            let entries = image.pointer(to: section, as: StoredKey.self)
            for index in 0..<image.count(of: section) where index == 0 || entries[index].key != entries[index - 1].key {
                var slot = Int(truncatingIfNeeded: hash(image.text(at: entries[index].key))) & mask
                while slots[slot] != 0 { slot = (slot + 1) & mask }
                slots[slot] = UInt32(index + 1)
            }
        }
    }

    /// FNV-1a with a final mixing step, because only the low bits are used.
    private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash ^ hash >> 29
    }
}

extension UnsafeBufferPointer<UInt8> {
    func elementsEqual(bytes other: Self) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }
}

/// A country's two letters as one number, in the form of the image.
package struct CountryKey: Hashable {
    package let value: UInt16

    package init(_ value: UInt16) { self.value = value }

    package init(_ code: some StringProtocol) {
        value = code.utf8.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

    package var code: String {
        String(decoding: [UInt8(value >> 8), UInt8(value & 255)], as: UTF8.self)
    }
}
