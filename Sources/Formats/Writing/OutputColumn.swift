import Geocoding

/// One column of an output about an address and its place. All writers and API responses use this table: a new column
/// is one line of ``all``, and one line of docs/api.md.
package struct OutputColumn: Sendable {
    /// The object that the column describes. Nested formats put the column there.
    enum Part: Sendable {
        case contact, address, place
    }

    package let name: String
    let part: Part
    let habit: Habit
    private let read: @Sendable (ContactPlace) -> Value?

    /// The outputs that show the value in a different way, and so don't list the column.
    private let saidOtherwise: Set<Form>

    /// The kinds of output that differ in their columns.
    enum Form: Sendable {
        case table, geoJSON, kml, ndjson, page
    }

    /// The outputs that list a column.
    enum Habit: Sendable {
        case always
        /// Listed in tables and pages. Elsewhere only if it is requested.
        case inTables
        /// Listed if each address is a row or a feature. Elsewhere only if it is requested.
        case inRows
        /// Listed in each output that does not name its sources otherwise, unless no added column is wanted.
        case source
        case added
    }

    /// A value in the notation of JSON, or a text.
    package enum Value: Hashable, Sendable {
        case text(String)
        case number(String)
        case truth(Bool)

        package var text: String {
            switch self {
            case .text(let text), .number(let text): text
            case .truth(let isTrue): "\(isTrue)"
            }
        }
    }

    /// Nil if the value is unknown.
    func value(_ place: ContactPlace) -> Value? { read(place) }

    private init(
        _ name: String, _ part: Part, _ habit: Habit = .always, saidOtherwise: Set<Form> = [],
        _ read: @escaping @Sendable (ContactPlace) -> Value?
    ) {
        (self.name, self.part, self.habit, self.read) = (name, part, habit, read)
        self.saidOtherwise = saidOtherwise
    }

    func isListed(in form: Form) -> Bool { !saidOtherwise.contains(form) }

    /// A text that may be blank but is always present.
    private static func text(
        _ name: String, _ part: Part, _ path: any KeyPath<ContactPlace, String> & Sendable,
        saidOtherwise: Set<Form> = []
    ) -> Self {
        Self(name, part, saidOtherwise: saidOtherwise) { .text($0[keyPath: path]) }
    }

    private static func place(
        _ name: String, _ habit: Habit = .always, saidOtherwise: Set<Form> = [],
        _ read: @escaping @Sendable (KnownPlace) -> String?
    ) -> Self {
        Self(name, .place, habit, saidOtherwise: saidOtherwise) { read($0.place).map(Value.text) }
    }

    private static func number(
        _ name: String, saidOtherwise: Set<Form> = [], _ read: @escaping @Sendable (KnownPlace) -> String?
    ) -> Self {
        Self(name, .place, saidOtherwise: saidOtherwise) { read($0.place).map(Value.number) }
    }
}

extension OutputColumn {
    /// The forms that write the place as a geometry, and list only addresses with a place.
    private static let maps: Set<Form> = [.geoJSON, .kml]

    /// The columns in the order of a table.
    static let all: [Self] = [
        text("key", .contact, \.sourceKey), text("name", .contact, \.name, saidOtherwise: [.kml]),
        text("label", .address, \.label),
        text("street", .address, \.address.street), text("city", .address, \.address.city),
        text("region", .address, \.address.region), text("postcode", .address, \.address.postcode),
        text("country", .address, \.address.country),
        place("status", saidOtherwise: maps) { $0.status.rawValue },
        number("latitude", saidOtherwise: maps) { $0.coordinate.map { "\($0.latitude)" } },
        number("longitude", saidOtherwise: maps) { $0.coordinate.map { "\($0.longitude)" } },
        place("precision") { $0.precision?.rawValue },
        // More than two decimals of a confidence have no meaning.
        number("confidence") { $0.confidence.map { "\(($0 * 100).rounded() / 100)" } },
        number("area_confidence") { $0.areaConfidence.map { "\(($0 * 100).rounded() / 100)" } },
        place("provider") { $0.provider },
        // A placemark of KML only needs the whole name.
        text("first_name", .contact, \.firstName, saidOtherwise: [.kml]),
        text("last_name", .contact, \.lastName, saidOtherwise: [.kml]),
        text("nickname", .contact, \.nickname, saidOtherwise: [.kml]),
        place("matched_address", .inTables) { $0.placemark?.addressText() },
        place("matched_street", .added) { $0.placemark?.thoroughfare },
        place("matched_house_number", .added) { $0.placemark?.subThoroughfare },
        place("matched_postcode", .added) { $0.placemark?.postalCode },
        place("matched_city", .added) { $0.placemark?.locality },
        place("matched_region", .added) { $0.placemark?.administrativeArea },
        place("matched_country", .added) { $0.placemark?.country?.name ?? $0.placemark?.countryName },
        place("matched_country_code", .added) { $0.placemark?.country?.code },
        Self("weak", .place, .inTables) { $0.precision == nil ? nil : .truth($0.place.isWeak) },
        place("reason", .inRows) { $0.reason }, place("geocoded_at", .added) { $0.geocodedAt },
        place("hash", .added) { $0.hash },
        place("attribution", .source, saidOtherwise: maps.union([.page])) {
            $0.coordinate == nil ? nil : $0.attribution
        },
    ]
}

/// Requested columns in addition to the usual ones: `all`, `none`, or names with commas between them.
package struct AddedColumns: Hashable, Sendable {
    /// Nil if nothing was requested: a table then has its usual columns.
    private let names: Set<String>?

    /// The default columns of each format.
    package static let usual = Self(names: nil)
    static let none = Self(names: [])
    package static let all = Self(names: Set(choices))
    private init(names: Set<String>?) { self.names = names }

    /// Nil if a word is not a column that can be added.
    package init?(_ text: String) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed.lowercased() }
        switch words {
        case ["all"]: names = Set(Self.choices)
        case ["none"]: names = []
        default:
            guard words.allSatisfy(Self.choices.contains) else { return nil }
            names = Set(words)
        }
    }

    /// The columns that can be added.
    package static let choices = OutputColumn.all.filter { $0.habit != .always }.map(\.name)

    /// The union of both requests.
    package func with(_ other: Self) -> Self {
        guard let names, let others = other.names else { return names == nil ? other : self }
        return Self(names: names.union(others))
    }

    private func has(_ column: OutputColumn, in form: OutputColumn.Form) -> Bool {
        guard column.habit != .always else { return true }
        if column.habit == .source { return names?.isEmpty != true }
        let isUsual =
            switch column.habit {
            case .inTables: form == .table || form == .page
            case .inRows: form != .ndjson
            case .always, .source, .added: false
            }
        return names.map { $0.contains(column.name) || isUsual && !$0.isEmpty } ?? isUsual
    }

    /// The columns of these parts in an output of this form.
    func columns(of parts: OutputColumn.Part..., in form: OutputColumn.Form) -> [OutputColumn] {
        OutputColumn.all.filter { parts.contains($0.part) && $0.isListed(in: form) && has($0, in: form) }
    }
}

extension AddedColumns {
    /// The added values of `place`, by name: nil if unknown.
    package func values(of place: KnownPlace) -> [(name: String, value: OutputColumn.Value?)] {
        let place = ContactPlace(place)
        return columns(of: .place, in: .ndjson).filter { $0.habit != .always }.map { ($0.name, $0.value(place)) }
    }
}

extension Placemark {
    /// The country, even if its provider gave only the code or only the name.
    fileprivate var country: Country? { countryCode.flatMap(Country.init) ?? countryName.flatMap(Country.init) }
}
