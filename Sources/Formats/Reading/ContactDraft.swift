import Geocoding

/// A contact under construction: the valid addresses, and notes on the others.
struct ContactDraft {
    private(set) var friend: Friend
    private let line: Int
    private let country: String
    private var notes: [ContactEntry] = []
    private var addressCount = 0

    init(_ friend: Friend, line: Int, options: ReadingOptions) {
        (self.friend, self.line) = (friend, line)
        if friend.name.isEmpty {
            let parts = [friend.firstName, friend.lastName].filter { !$0.isEmpty }.joined(separator: " ")
            self.friend.name = parts.isEmpty ? friend.nickname : parts
        }
        country = options.country
    }

    /// The contact, followed by notes on the parts that were left out.
    var entries: [ContactEntry] { [.contact(line: line, friend)] + notes }

    /// Adds an address unless it is empty. `line` is its line in the source.
    mutating func add(_ address: Address, label: String, position: WrittenPosition, line: Int) {
        var address = address
        var pin: Coordinate?
        switch position {
        case .none: if address.isEmpty { return }
        case .known(let coordinate): pin = coordinate.isNullIsland ? nil : coordinate
        case .wrong: break
        }
        addressCount += 1
        guard addressCount <= ContactLimits.addresses else {
            if addressCount == ContactLimits.addresses + 1 {
                note(line, "more than 1,000 addresses; the others were left out")
            }
            return
        }
        if address.country.isEmpty { address.country = country }
        guard address.hasPlace else {
            note(line, "address \(addressCount) has neither street, city nor country")
            return
        }
        friend.addresses.append(LabelledAddress(label: label, address: address, position: pin))
        switch position {
        case .wrong: note(line, "the position of address \(addressCount) is none on Earth")
        case .known where pin == nil:
            note(line, "the position of address \(addressCount) is 0, 0, which means unknown")
        case .known, .none: break
        }
    }

    mutating func note(_ line: Int, _ reason: String) {
        notes.append(.noted(line: line, reason: reason))
    }
}

/// The keys that a source has had so far, with their lines. It stores 16 bytes for each key, however long the key is.
struct KeyLines {
    private var lines: [Int: Int] = [:]

    /// Refuses a key that the source has had before. `word` is the key's name in the reason.
    mutating func enter(_ key: String, line: Int, as word: String = "key") throws(UnusableContact) {
        let hash = ExactText(key).hashValue
        if let earlier = lines[hash] {
            throw UnusableContact(reason: "line \(earlier) has the same \(word) as line \(line)")
        }
        lines[hash] = line
    }
}
