import Geocodes
import Geocoding

/// The columns that a copy of a CSV file has for each address of a row.
struct PlaceColumns {
    private let columns: [OutputColumn]

    let blank: [String]
    let refused: [String]

    init(adding added: AddedColumns) {
        // The status ends what a copy always has.
        let all = added.columns(of: .place, inTable: true)
        let usual = all.filter { $0.habit == .always }
        columns =
            usual.filter { $0.name != "status" } + usual.filter { $0.name == "status" }
            + all.filter { $0.habit != .always }
        blank = columns.map { _ in "" }
        refused = columns.map { $0.name == "status" ? "refused" : $0.name == "reason" ? "the row can't be read" : "" }
    }

    func cells(of place: ContactPlace) -> [String] { columns.map { $0.value(place)?.text ?? "" } }

    /// `latitude`, … for the first address, `work latitude`, `address 2 latitude`, … for the others; `waypost latitude`
    /// where the file has a column of such a name itself.
    func names(beside contact: ContactColumns) -> [String] {
        var taken = Set(contact.header.map(ContactField.key))
        return contact.addresses.enumerated().flatMap { index, address in
            columns.map { column in
                let plain = index == 0 ? column.name : "\(address.group.name) \(column.name)"
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

extension AddressGroup {
    fileprivate var name: String {
        if key.isEmpty { return "address" }
        return label.isEmpty ? "address \(key)" : label
    }
}
