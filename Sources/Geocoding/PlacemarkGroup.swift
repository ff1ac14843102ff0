/// Places that have something in common.
public struct PlacemarkGroup: Hashable, Sendable {
    /// What they have in common, as the first of them calls it. Blank for places that don't say, and for mere neighbours.
    public let name: String
    /// In the order in which they came. Never empty.
    public internal(set) var placemarks: [Placemark]

    /// By what places can be grouped.
    public enum Level: String, CaseIterable, Sendable {
        case country, administrativeArea, locality, postalCode
    }
}

extension Sequence<Placemark> {
    /// One group for each country, region, city or postcode, in the order in which they first occur.
    ///
    /// Spelling doesn't matter, and a name is one only within what is around it: there is a Springfield in many states.
    public func grouped(by level: PlacemarkGroup.Level) -> [PlacemarkGroup] {
        var groups: [PlacemarkGroup] = []
        var positions: [[String]: Int] = [:]
        for placemark in self {
            let key = placemark.key(at: level)
            if let position = positions[key] {
                groups[position].placemarks.append(placemark)
            } else {
                positions[key] = groups.count
                groups.append(PlacemarkGroup(name: placemark.name(at: level), placemarks: [placemark]))
            }
        }
        return groups
    }

    /// Each place with the first one before it that has a group and is at most `metres` away; else in a group of its own.
    ///
    /// All of a group are so near to its first. A chain of neighbours, which could reach across a city, is no group.
    public func grouped(within metres: Double) -> [PlacemarkGroup] {
        var groups: [PlacemarkGroup] = []
        for placemark in self {
            let near = groups.firstIndex {
                $0.placemarks.first?.coordinate.isWithin(metres, of: placemark.coordinate) ?? false
            }
            if let near {
                groups[near].placemarks.append(placemark)
            } else {
                groups.append(PlacemarkGroup(name: "", placemarks: [placemark]))
            }
        }
        return groups
    }
}

extension Placemark {
    fileprivate func name(at level: PlacemarkGroup.Level) -> String {
        let name =
            switch level {
            case .country: country
            case .administrativeArea: administrativeArea
            case .locality: locality
            case .postalCode: postalCode
            }
        return name?.nonBlank ?? ""
    }

    /// What is equal for two places of one group.
    fileprivate func key(at level: PlacemarkGroup.Level) -> [String] {
        let country = country.flatMap { Country(countryCode ?? $0)?.code } ?? country ?? ""
        let region = Folding.loose(administrativeArea ?? "")
        return switch level {
        case .country: [country]
        case .administrativeArea: [country, region]
        case .locality: [country, region, Folding.loose(locality ?? "")]
        case .postalCode: [country, PostcodeKey(postalCode ?? "", in: Country(country)).text]
        }
    }
}
