import Formats

/// The changes that turn a friend's stored addresses into those of the source. As many rows as possible stay unchanged.
struct AddressChanges {
    /// An address with its place among the friend's addresses: 1, 2, …
    typealias Placed = (position: Int, address: HashedAddress)

    private(set) var removed: [Int] = []
    /// Rows whose text, label or position changes.
    private(set) var changed: [(row: StoredAddress, to: Placed)] = []
    private(set) var added: [Placed] = []
    /// Rows with the same text that lack its hash or country code.
    private(set) var rehashed: [(row: StoredAddress, to: HashedAddress)] = []
    /// Rows that stay unchanged.
    private(set) var kept: [HashedAddress] = []

    /// True if the friend's addresses change.
    var areChanges: Bool { !removed.isEmpty || !changed.isEmpty || !added.isEmpty }

    /// Matches each row with an address. The best match has the same text, label and position. Next best are the same
    /// text and label, the same text, the same hash, and the same position.
    init(from rows: [StoredAddress], to addresses: [HashedAddress]) {
        if rows.isEmpty {
            added = addresses.enumerated().map { ($0 + 1, $1) }
            return
        }
        var rows = rows.sorted { $0.position < $1.position }
        var open: [Placed] = addresses.enumerated().map { ($0 + 1, $1) }
        match(&rows, &open) {
            $0.says($1.address.address) && $0.label.isExactly($1.address.label) && $0.position == $1.position
        }
        match(&rows, &open) { $0.says($1.address.address) && $0.label.isExactly($1.address.label) }
        match(&rows, &open) { $0.says($1.address.address) }
        match(&rows, &open) { $0.hash == $1.address.hash }
        match(&rows, &open) { $0.position == $1.position }
        removed = rows.map(\.id)
        added = open
    }

    private mutating func match(
        _ rows: inout [StoredAddress], _ open: inout [Placed], by fits: (StoredAddress, Placed) -> Bool
    ) {
        guard !rows.isEmpty else { return }
        var rest: [Placed] = []
        for placed in open {
            if let index = rows.firstIndex(where: { fits($0, placed) }) {
                take(rows.remove(at: index), for: placed)
            } else {
                rest.append(placed)
            }
        }
        open = rest
    }

    private mutating func take(_ row: StoredAddress, for placed: Placed) {
        let address = placed.address
        if row.position != placed.position || !row.label.isExactly(address.label) || !row.says(address.address) {
            changed.append((row, placed))
        } else if row.hash != address.hash || row.countryCode != address.countryCode {
            rehashed.append((row, address))
        } else {
            kept.append(address)
        }
    }
}
