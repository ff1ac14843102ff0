import Geocoding

/// The columns that a copy of a CSV file adds for each address of a row.
struct PlaceColumns {
    private let columns: [OutputColumn]

    private let blank: [OutputColumn.Value]
    private let refused: [OutputColumn.Value]

    init(adding added: AddedColumns) {
        // The status is the last of the columns that a copy always adds.
        let all = added.columns(of: .place, in: .table)
        let usual = all.filter { $0.habit == .always }
        columns =
            usual.filter { $0.name != "status" } + usual.filter { $0.name == "status" }
            + all.filter { $0.habit != .always }
        blank = columns.map { _ in .text("") }
        refused = columns.map {
            .text($0.name == "status" ? "refused" : $0.name == "reason" ? "the row can't be read" : "")
        }
    }

    /// The cells of a row with these addresses. Nil means that the row lacks one of the header's addresses.
    func cells(of places: [ContactPlace?]) -> [OutputColumn.Value] {
        let best = places.compactMap(\.self).reduce(nil) { best, place in
            best.map { place.isBetter(than: $0) ? place : $0 } ?? place
        }
        return ([best] + (places.count > 1 ? places : [])).flatMap { $0.map(cells) ?? blank }
    }

    /// The cells of a row that could not be read. `count` is the number of addresses in a row of the file.
    func refusal(addresses count: Int) -> [OutputColumn.Value] {
        refused + Array(repeating: blank, count: count > 1 ? count : 0).joined()
    }

    private func cells(of place: ContactPlace) -> [OutputColumn.Value] { columns.map { $0.value(place) ?? .text("") } }

    /// The first columns, such as `latitude`, are for the contact's best address. If the header has several addresses,
    /// each gets columns too, such as `work latitude` or `address 2 latitude`. A name that the file itself has becomes
    /// `waypost latitude`. The first `count` columns are the file's own.
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
    /// The number of columns at the end of the header that an earlier copy has added.
    static func count(behind contact: ContactColumns) -> Int {
        let header = contact.header.map(plain)
        return header.indices.lazy.map { header[$0...] }.first { isOurs($0, groups(of: contact)) }?.count ?? 0
    }

    /// The empty name for the best address, then one for each address if there are several.
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

    /// Returns whether these columns are those of a copy: for each group the usual columns and perhaps some added ones.
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
    /// Returns whether this place is more precise. If both are equally precise, the first in the file is better.
    fileprivate func isBetter(than other: ContactPlace) -> Bool {
        guard let precision, let coarser = other.precision else {
            return Self.order.firstIndex(of: status) ?? 0 < Self.order.firstIndex(of: other.status) ?? 0
        }
        return precision < coarser
    }

    private static let order: [GeocodeStatus] = [.located, .needsReview, .waiting, .failed, .forgotten, .notFound]
}

extension AddressGroup {
    var name: String {
        if key.isEmpty { return "address" }
        return label.isEmpty ? "address \(key)" : label
    }
}
