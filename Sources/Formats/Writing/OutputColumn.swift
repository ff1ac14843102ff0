import Geocoding

/// What an output lists of an address and its place. All writers read this table, and so do the answers of the API: a new
/// column is a line of ``all``, and a line in docs/api.md.
package struct OutputColumn: Sendable {
    /// What it is about. Formats that nest put it there.
    enum Part: Sendable {
        case contact, address, place
    }

    package let name: String
    let part: Part
    let habit: Habit
    private let read: @Sendable (ContactPlace) -> Value?

    /// The outputs that say it in a way of their own: they don't list it.
    private let saidOtherwise: Set<Form>

    /// The kinds of output, as far as they list different columns.
    enum Form: Sendable {
        case table, geoJSON, kml, ndjson, page
    }

    /// When it is listed.
    enum Habit: Sendable {
        case always
        /// In tables and on pages, and elsewhere if it is asked for.
        case inTables
        /// Where an address is a row or a feature, and elsewhere if it is asked for.
        case inRows
        case added
    }

    /// As it is written in JSON, and as a text.
    package enum Value: Hashable, Sendable {
        case text(String)
        case number(String)

        package var text: String {
            switch self {
            case .text(let text), .number(let text): text
            }
        }
    }

    /// Nil where nothing is known.
    func value(_ place: ContactPlace) -> Value? { read(place) }

    private init(
        _ name: String, _ part: Part, _ habit: Habit = .always, saidOtherwise: Set<Form> = [],
        _ read: @escaping @Sendable (ContactPlace) -> Value?
    ) {
        (self.name, self.part, self.habit, self.read) = (name, part, habit, read)
        self.saidOtherwise = saidOtherwise
    }

    func isListed(in form: Form) -> Bool { !saidOtherwise.contains(form) }

    /// A text that may be blank, but is always there.
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
    /// Those that put a geometry where a place is, and list only what has one.
    private static let maps: Set<Form> = [.geoJSON, .kml]

    /// In the order of a table.
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
        // Hundredths are all that a confidence means.
        number("confidence") { $0.confidence.map { "\(($0 * 100).rounded() / 100)" } },
        place("provider") { $0.provider },
        // Of a placemark of KML the whole name is enough.
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
        place("reason", .inRows) { $0.reason }, place("geocoded_at", .added) { $0.geocodedAt },
        place("hash", .added) { $0.hash },
    ]
}

/// The columns that are asked for beside the usual ones: `all`, `none`, or names with commas between.
package struct AddedColumns: Hashable, Sendable {
    /// Nil if none was asked for: a table then has its usual columns.
    private let names: Set<String>?

    /// What each format lists by default.
    package static let usual = Self(names: nil)
    static let none = Self(names: [])
    private init(names: Set<String>?) { self.names = names }

    /// Nil where one of the words is no column that can be added.
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

    /// What can be added.
    package static let choices = OutputColumn.all.filter { $0.habit != .always }.map(\.name)

    /// Both, if columns are asked for twice.
    package func with(_ other: Self) -> Self {
        guard let names, let others = other.names else { return names == nil ? other : self }
        return Self(names: names.union(others))
    }

    private func has(_ column: OutputColumn, in form: OutputColumn.Form) -> Bool {
        guard column.habit != .always else { return true }
        let isUsual =
            switch column.habit {
            case .inTables: form == .table || form == .page
            case .inRows: form != .ndjson
            case .always, .added: false
            }
        return names.map { $0.contains(column.name) || isUsual && !$0.isEmpty } ?? isUsual
    }

    /// What a form of output lists of these parts.
    func columns(of parts: OutputColumn.Part..., in form: OutputColumn.Form) -> [OutputColumn] {
        OutputColumn.all.filter { parts.contains($0.part) && $0.isListed(in: form) && has($0, in: form) }
    }
}

extension AddedColumns {
    /// What is added for `place`, by name: nil where nothing is known.
    package func values(of place: KnownPlace) -> [(name: String, value: OutputColumn.Value?)] {
        guard names?.isEmpty == false else { return [] }
        let place = ContactPlace(place)
        return columns(of: .place, in: .ndjson).filter { $0.habit != .always }.map { ($0.name, $0.value(place)) }
    }
}

extension Placemark {
    /// Also where its provider says the one and not the other.
    fileprivate var country: Country? { countryCode.flatMap(Country.init) ?? countryName.flatMap(Country.init) }
}
