import Formats
import Geocoding
import Glibc

extension FuzzTarget {
    /// A copy has the rows and cards of its source.
    static let copy = FuzzTarget(
        name: "copy", seeds: csv.seeds + vCard.seeds,
        run: { bytes in
            copyTable(bytes)
            copyCards(bytes)
        })
}

private func copyTable(_ bytes: [UInt8]) {
    let files = FuzzFolder.shared
    guard let source = try? ContactsCSV(CSVReader(bytes)) else { return }
    attempt {
        var copy = try CSVCopy(of: source, to: OutputFile(path: files.output))
        while let keys = try copy.read(limit: 3) { try copy.write(places(of: keys)) }
        try copy.finish().commit()
    }
    let (before, after) = (records(bytes), records(files.written))
    precondition(before.count == after.count, "a copy has \(after.count) rows of \(before.count)")
    guard case .fields(_, let header)? = before.first else { return }
    for case (.fields(_, let old), let new) in zip(before, after) {
        guard case .fields(_, let fields) = new else { preconditionFailure("a row of the copy can't be read") }
        let count = min(old.count, header.count)
        precondition(zip(old[..<count], fields).allSatisfy(==) && fields.count >= old.count, "a row is another one")
    }
}

private func copyCards(_ bytes: [UInt8]) {
    let files = FuzzFolder.shared
    files.put(bytes)
    guard var copy = try? VCardCopy(of: files.input, to: OutputFile(path: files.output)),
        // UTF-16 is refused here.
        let first = try? copy.read(limit: 2)
    else { return }
    attempt {
        var next: [String]? = first
        while let keys = next {
            try copy.write(places(of: keys))
            next = try copy.read(limit: 2)
        }
        try copy.finish().commit()
    }
    precondition(cards(bytes) == cards(files.written), "a copy has other cards")
}

/// Any text may be the stored address, and only an equal one gets its place.
private func places(of keys: [String]) -> [String: [ContactPlace]] {
    let places = ["1 High St", "a", "b"].enumerated().map { index, street in
        ContactPlace(
            id: index, position: index + 1, sourceKey: "", name: "", label: "", address: Address(street: street),
            status: .located, coordinate: Coordinate(latitude: 1.5, longitude: -2.5), provider: "photon")
    }
    return Dictionary(keys.map { ($0, places) }) { first, _ in first }
}

private func records(_ bytes: [UInt8]) -> [CSVRecord] {
    var reader = CSVReader(bytes)
    var records: [CSVRecord] = []
    while let record = try? reader.next() { records.append(record) }
    return records
}

/// The friends without their positions; nil for a card that is refused.
private func cards(_ bytes: [UInt8]) -> [Friend?] {
    var reader = ContactsVCard(bytes)
    var cards: [Friend?] = []
    while let entry = try? reader.next() {
        switch entry {
        case .contact(_, var friend):
            for place in friend.addresses.indices { friend.addresses[place].position = nil }
            cards.append(friend)
        case .refused: cards.append(nil)
        case .noted: break
        }
    }
    return cards
}
