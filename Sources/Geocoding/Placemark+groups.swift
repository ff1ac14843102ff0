/// Placemarks that belong together, in their original order.
public struct PlacemarkGroup: Hashable, Sendable {
    /// The name from the first of them. Nil for the group of placemarks without it, and for groups by nearness.
    public package(set) var name: String?
    public package(set) var placemarks: [Placemark]
}

extension Placemark {
    /// The levels by which placemarks can be grouped.
    public enum Level: Sendable, CaseIterable {
        case country, administrativeArea, locality, postalCode
    }

    private var countryKey: String? {
        guard let country = countryCode.flatMap(Country.init) ?? countryName.flatMap(Country.init) else {
            return Self.key(countryName ?? countryCode)
        }
        return country.code
    }

    /// Equal for two placemarks in one country, region, city or postcode; nil for placemarks without that part. The key
    /// of a city contains its region and country, because there are many Springfields.
    fileprivate func key(_ level: Level) -> [String?]? {
        switch level {
        case .country: countryKey.map { [$0] }
        case .administrativeArea: Self.key(administrativeArea).map { [countryKey, $0] }
        case .locality: Self.key(locality).map { [countryKey, Self.key(administrativeArea), $0] }
        case .postalCode: Self.key(postalCode).map { [countryKey, $0.filter { $0 != " " }] }
        }
    }

    private static func key(_ text: String?) -> String? {
        let folded = Folding.loose(text ?? "")
        return folded.isEmpty ? nil : folded
    }

    fileprivate func name(_ level: Level) -> String? {
        switch level {
        case .country: countryName ?? countryCode.flatMap(Country.init)?.name ?? countryCode
        case .administrativeArea: administrativeArea
        case .locality: locality
        case .postalCode: postalCode
        }
    }
}

extension Collection<Placemark> {
    /// Groups by country, region, city or postcode, whatever the spelling. The groups are in the order of their first
    /// placemarks. Placemarks without that part form one group at the end.
    public func grouped(by level: Placemark.Level) -> [PlacemarkGroup] {
        var groups: [PlacemarkGroup] = []
        var nameless = PlacemarkGroup(name: nil, placemarks: [])
        var positions: [[String?]: Int] = [:]
        for placemark in self {
            guard let key = placemark.key(level) else {
                nameless.placemarks.append(placemark)
                continue
            }
            if let position = positions[key] {
                groups[position].placemarks.append(placemark)
            } else {
                positions[key] = groups.count
                groups.append(PlacemarkGroup(name: placemark.name(level), placemarks: [placemark]))
            }
        }
        return nameless.placemarks.isEmpty ? groups : groups + [nameless]
    }

    /// Groups by nearness: two placemarks share a group if steps of at most `metres`, from placemark to placemark,
    /// connect them. The groups do not depend on the order of the placemarks. They are in the order of their first
    /// placemarks.
    public func grouped(within metres: Double) -> [PlacemarkGroup] {
        let placemarks = Array(self)
        var sets = DisjointSets(count: placemarks.count)
        // From south to north, so that each is compared only with those in a narrow band of latitude. Each degree of
        // latitude is at least as long as the first one.
        let band = metres / 110_574
        let northward = placemarks.indices.sorted { one, other in
            placemarks[one].coordinate.latitude < placemarks[other].coordinate.latitude
        }
        for (position, one) in northward.enumerated() {
            let limit = placemarks[one].coordinate.latitude + band
            for other in northward[(position + 1)...] {
                guard placemarks[other].coordinate.latitude <= limit else { break }
                guard !sets.areJoined(one, other), placemarks[one].isWithin(metres, of: placemarks[other]) else {
                    continue
                }
                sets.join(one, other)
            }
        }
        var groups: [Int: [Int]] = [:]
        for index in placemarks.indices { groups[sets.root(of: index), default: []].append(index) }
        return groups.values.sorted { $0[0] < $1[0] }.map { members in
            PlacemarkGroup(name: nil, placemarks: members.map { placemarks[$0] })
        }
    }
}

/// The numbers from 0 that were joined, directly or through others.
private struct DisjointSets {
    private var parents: [Int]

    init(count: Int) {
        parents = Array(0..<count)
    }

    mutating func root(of number: Int) -> Int {
        var number = number
        while parents[number] != number {
            parents[number] = parents[parents[number]]
            number = parents[number]
        }
        return number
    }

    mutating func areJoined(_ one: Int, _ other: Int) -> Bool {
        root(of: one) == root(of: other)
    }

    mutating func join(_ one: Int, _ other: Int) {
        parents[root(of: one)] = root(of: other)
    }
}
