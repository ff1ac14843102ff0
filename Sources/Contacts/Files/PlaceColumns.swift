import Geocodes
import Geocoding

/// The columns that a copy of a CSV file has for each address of a row.
enum PlaceColumns {
    private static let fields = ["latitude", "longitude", "precision", "confidence", "provider", "status"]

    static let blank = fields.map { _ in "" }
    static let refused = fields.map { $0 == "status" ? "refused" : "" }

    static func cells(of place: ContactPlace) -> [String] {
        [
            place.coordinate.map { "\($0.latitude)" } ?? "", place.coordinate.map { "\($0.longitude)" } ?? "",
            place.precision?.rawValue ?? "", place.confidenceText ?? "", place.provider ?? "", place.status.rawValue,
        ]
    }

    /// `latitude`, … for the first address, `work latitude`, `address 2 latitude`, … for the others; `waypost latitude`
    /// where the file has a column of such a name itself.
    static func names(beside columns: ContactColumns) -> [String] {
        var taken = Set(columns.header.map(ContactField.key))
        return columns.addresses.enumerated().flatMap { index, address in
            fields.map { field in
                let plain = index == 0 ? field : "\(address.group.name) \(field)"
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
