import Geocoding

/// The columns that a copy of a CSV file has for each address of a row.
struct PlaceColumns {
    private let columns: [OutputColumn]

    private let blank: [String]
    private let refused: [String]

    init(adding added: AddedColumns) {
        // The status ends what a copy always has.
        let all = added.columns(of: .place, in: .table)
        let usual = all.filter { $0.habit == .always }
        columns =
            usual.filter { $0.name != "status" } + usual.filter { $0.name == "status" }
            + all.filter { $0.habit != .always }
        blank = columns.map { _ in "" }
        refused = columns.map { $0.name == "status" ? "refused" : $0.name == "reason" ? "the row can't be read" : "" }
    }

    /// The cells of a row whose addresses are these, nil where one of the header's is not there.
    func cells(of places: [ContactPlace?]) -> [String] {
        let best = places.compactMap(\.self).reduce(nil) { best, place in
            best.map { place.isBetter(than: $0) ? place : $0 } ?? place
        }
        return ([best] + (places.count > 1 ? places : [])).flatMap { $0.map(cells) ?? blank }
    }

    /// The cells of a row that could not be read, of a file with so many addresses in a row.
    func refusal(addresses count: Int) -> [String] {
        refused + Array(repeating: blank, count: count > 1 ? count : 0).joined()
    }

    private func cells(of place: ContactPlace) -> [String] { columns.map { $0.value(place)?.text ?? "" } }

    /// `latitude`, … for the contact's best address, and where the header has room for several, `work latitude`,
    /// `address 2 latitude`, … for each; `waypost latitude` where the file has a column of such a name itself. The file's
    /// own columns are the first `count`.
    func names(beside contact: ContactColumns, own count: Int) -> [String] {
        var taken = Set(contact.header.prefix(count).map(ContactField.key))
        return Self.groups(of: contact).flatMap { group in
            columns.map { column in
                let plain = group.isEmpty ? column.name : "\(group) \(column.name)"
                var (name, tries) = (plain, 0)
                while taken.contains(ContactField.key(name)) {
                    tries += 1
                    name = tries == 1 ? "waypost \(plain)" : "waypost \(tries) \(plain)"
                }
                taken.insert(ContactField.key(name))
                return name
            }
        }
    }
}

extension PlaceColumns {
    /// How many columns at the end of a header an earlier copy of the file put there.
    static func count(behind contact: ContactColumns) -> Int {
        let header = contact.header.map(plain)
        return header.indices.lazy.map { header[$0...] }.first { isOurs($0, groups(of: contact)) }?.count ?? 0
    }

    /// None for the best address, then each where there are several.
    private static func groups(of contact: ContactColumns) -> [String] {
        let groups = contact.addresses.map(\.group.name)
        return [""] + (groups.count > 1 ? groups : [])
    }

    /// `latitude` for `waypost latitude` and `waypost 2 latitude`
    private static func plain(_ name: String) -> String {
        guard name.hasPrefix("waypost ") else { return name }
        let rest = name.dropFirst("waypost ".count)
        let number = rest.prefix { $0.isNumber }
        return String(number.isEmpty ? rest : rest.dropFirst(number.count + 1))
    }

    /// Whether these are the columns of a copy, for each group those that it always has and some that were added.
    private static func isOurs(_ names: ArraySlice<String>, _ groups: [String]) -> Bool {
        let usual = Self(adding: .none).columns.map(\.name)
        var rest = names
        for group in groups {
            let prefix = group.isEmpty ? "" : group + " "
            guard rest.starts(with: usual.map { prefix + $0 }) else { return false }
            rest = rest.dropFirst(usual.count)
            let added = Set(AddedColumns.choices.map { prefix + $0 })
            rest = rest.drop { added.contains($0) }
        }
        return rest.isEmpty
    }
}

extension ContactPlace {
    /// Whether more is known of where it is. Of two of whom as much is known, the one that the file names first is better.
    fileprivate func isBetter(than other: ContactPlace) -> Bool {
        guard let precision, let coarser = other.precision else {
            return Self.order.firstIndex(of: status) ?? 0 < Self.order.firstIndex(of: other.status) ?? 0
        }
        return precision < coarser
    }

    private static let order: [GeocodeStatus] = [.located, .needsReview, .waiting, .failed, .forgotten, .notFound]
}

extension AddressGroup {
    fileprivate var name: String {
        if key.isEmpty { return "address" }
        return label.isEmpty ? "address \(key)" : label
    }
}
