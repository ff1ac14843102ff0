import Geocoding

/// Copies a file of vCards byte by byte, and adds the positions of located addresses.
///
/// In version 4.0 each ADR gets the parameter GEO. In older versions the card gets one line GEO, for the first located
/// address. Existing positions stay unchanged, and so does every card that can't be read.
package struct VCardCopy: SourceCopy {
    private let file: OutputFile
    private let options: ReadingOptions
    private let parameters: VCardParameters
    private let source: HeldBytes
    private var cards: VCardCards
    private var keys = SourceKeys()
    private var pending: [Card] = []

    private struct Card {
        let card: VCardCard
        let key: String
        let addresses: VCardAddresses
    }

    /// The most bytes that wait for their places. Above it, fewer contacts are read at once, because cards may contain
    /// photos.
    private static let mostHeld = 8 << 20

    /// Copies `source`, which must not be UTF-16, to `file`. `options` must be those of the import.
    package init(
        of source: String, to file: OutputFile, options: ReadingOptions = ReadingOptions(),
        adding added: AddedColumns = .usual
    ) throws {
        let input = try InputFile(path: source)
        self.file = file
        self.options = options
        parameters = VCardParameters(adding: added)
        self.source = HeldBytes(name: input.name, read: input.read)
        cards = VCardCards(ByteWindow(chunkSize: 256 << 10, read: self.source.read))
    }

    package mutating func read(limit: Int) throws -> [String]? {
        while pending.count < limit, pending.isEmpty || source.count < Self.mostHeld {
            guard let item = try cards.next() else { break }
            if case .card(let card) = item,
                let (friend, addresses) = try? VCardContact(card: card, options: options).friend(keys: &keys)
            {
                pending.append(Card(card: card, key: friend.sourceKey, addresses: addresses))
            } else if pending.isEmpty {
                try file.write(source.take(upTo: cards.offset))
            }
        }
        return pending.isEmpty ? nil : pending.map(\.key)
    }

    package mutating func write(_ places: [String: [ContactPlace]]) throws {
        for card in pending {
            for addition in additions(to: card, places[card.key] ?? []) {
                try file.write(source.take(upTo: addition.offset))
                try file.write(addition.text.utf8)
            }
        }
        try file.write(source.take(upTo: cards.offset))
        pending = []
    }

    package mutating func finish() throws -> OutputFile {
        try file.write(source.take(upTo: .max))
        return file
    }

    private func additions(to card: Card, _ places: [ContactPlace]) -> [(offset: Int, text: String)] {
        let lineEnd = source.lineEnd(after: card.card.start)
        let located = zip(card.addresses.found, zip(card.addresses.properties, places)).compactMap {
            address, pair -> (property: VCardProperty, coordinate: Coordinate, place: KnownPlace)? in
            // If the address was changed since the import, its place does not fit.
            let isSame = address.position == nil && pair.1.address == address.address
            guard isSame, let coordinate = pair.1.finalCoordinate else { return nil }
            return (property: pair.0, coordinate: coordinate, place: pair.1.place)
        }
        guard card.card.version == "4.0" else {
            guard card.card.first("GEO") == nil, let first = located.first else { return [] }
            let group = first.property.name.group.isEmpty ? "" : "\(first.property.name.group.lowercased())."
            return [(card.card.end, "\(group)GEO:\(VCardPosition.pair(first.coordinate))\(lineEnd)")]
        }
        return located.compactMap { property, coordinate, place in
            // The parameters go on lines of their own, so that no existing line gets longer.
            guard property.name.word == "ADR", property.values(of: "GEO").isEmpty else { return nil }
            let source = place.provider.map { [";X-WAYPOST-PROVIDER=\($0)"] } ?? []
            let all = [";GEO=\"\(VCardPosition.uri(coordinate))\""] + source + parameters.of(place)
            let geo = all.map { "\(lineEnd) \($0)" }.joined() + "\(lineEnd) "
            return property.line.nameEnd.map { ($0, geo) }
        }
    }
}
