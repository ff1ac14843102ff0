import Formats
import Geocoding

extension FuzzTarget {
    /// An export reads back as the exported places.
    static let export = FuzzTarget(
        name: "export", seeds: ndjson.seeds,
        run: { bytes in
            var contacts = NDJSONContacts()
            contacts.feed(Array(bytes.dropFirst()))
            contacts.end()
            var friends: [Friend] = []
            while let entry = contacts.next() {
                if case .contact(_, let friend) = entry, !friend.addresses.isEmpty { friends.append(friend) }
            }
            guard !friends.isEmpty else { return }
            for (format, source) in formats { check(friends, format, source) }
        })

    private static let formats: [(PlaceFormat, SourceFormat)] = [
        (.csv, .csv), (.geoJSON, .geoJSON), (.ndjson, .ndjson), (.vCard, .vCard),
    ]
}

private func check(_ friends: [Friend], _ format: PlaceFormat, _ source: SourceFormat) {
    let path = FuzzFolder.shared.output
    attempt {
        var writer = try format.writer(to: path, attribution: [])
        for (number, friend) in friends.enumerated() {
            for place in places(of: friend, number: number) { try writer.write(place) }
        }
        try writer.finish().commit()
        var reader = try source.reader(path: path, options: ReadingOptions())
        var rest = friends[...]
        while let entry = try reader.next() {
            guard case .contact(_, let friend) = entry, friend == rest.popFirst() else {
                fatalError("\(format) does not keep a friend")
            }
        }
        precondition(rest.isEmpty, "\(format) loses friends")
    }
}

private func places(of friend: Friend, number: Int) -> [ContactPlace] {
    friend.addresses.enumerated().map { index, labelled in
        var place = ContactPlace(
            id: index, friend: number, position: index + 1, sourceKey: friend.sourceKey, name: friend.name,
            label: labelled.label, address: labelled.address, status: .located,
            coordinate: labelled.position ?? Coordinate(latitude: 1.5, longitude: -2.5),
            provider: labelled.position == nil ? "photon" : "contact")
        (place.firstName, place.lastName, place.nickname) = (friend.firstName, friend.lastName, friend.nickname)
        return place
    }
}
