import Geocoding
import JSON

/// The properties of a feature, under the names of our own export, of OpenStreetMap and of the geocoders.
struct FeatureProperties {
    private let members: [String: JSONValue]

    init(_ properties: JSONValue?) {
        // `addr:postcode`, `postal_code` and `postalCode` differ only in case and separators.
        let pairs = (properties?.object ?? [:]).sorted { $0.key < $1.key }.map { name, value in
            (name.lowercased().filter { $0.isLetter || $0.isNumber }, value)
        }
        members = Dictionary(pairs) { first, _ in first }
    }

    /// Returns whether the place is an answer of ours: then our export names its provider.
    var isOurAnswer: Bool { members["provider"] != nil && members["provider"] != .text("contact") }

    /// The first of the names with a value. A value that is neither a text nor a number is skipped, because its meaning
    /// is different.
    func text(_ part: Part, limit: TextLimit = .text) throws(UnusableContact) -> String {
        for name in part.names {
            switch members[name] {
            case .text, .number:
                let text = try ContactMembers(members).text(name, limit: limit)
                if !text.isEmpty { return text }
            default: continue
            }
        }
        return ""
    }

    /// The name to show. Without a whole name it is composed of its parts.
    func name() throws(UnusableContact) -> String {
        let whole = try text(.name)
        guard whole.isEmpty else { return whole }
        return [try text(.firstName), try text(.lastName)].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The label, but not that of Pelias, which is the whole address of a place.
    func label() throws(UnusableContact) -> String {
        members["gid"] == nil ? try text(.label) : ""
    }

    func address() throws(UnusableContact) -> Address {
        var address = Address(
            street: try street(), city: try text(.city), region: try text(.region), postcode: try text(.postcode),
            country: try text(.country))
        let whole = try text(.whole)
        guard address.street.isEmpty, !whole.isEmpty else { return address }
        guard address.city.isEmpty else {
            address.street = whole
            return address
        }
        return Address(line: whole, beside: address)
    }

    private func street() throws(UnusableContact) -> String {
        let first = [try text(.street), try text(.houseNumber)].filter { !$0.isEmpty }.joined(separator: " ")
        return [first, try text(.street2)].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    enum Part {
        case key, id, name, firstName, lastName, nickname
        case label, street, houseNumber, street2, whole, city, region, postcode, country

        /// The possible names, the most reliable first.
        fileprivate var names: [String] {
            switch self {
            case .key: ["key"]
            case .id: ["id", "uid", "uuid", "gid", "osmid"]
            case .name: ["name", "title", "fullname", "contact"]
            case .firstName: ["firstname", "givenname"]
            case .lastName: ["lastname", "familyname", "surname"]
            case .nickname: ["nickname"]
            case .label: ["label", "addresslabel"]
            case .street: ["street", "addrstreet", "streetname", "streetaddress", "addressline1", "addrplace", "road"]
            case .houseNumber: ["housenumber", "addrhousenumber", "houseno", "streetnumber"]
            case .street2: ["street2", "addressline2", "addrunit", "unit"]
            case .whole: ["address", "fulladdress", "addrfull", "formattedaddress", "formatted"]
            case .city: ["city", "addrcity", "town", "village", "locality", "municipality"]
            case .region: ["region", "state", "addrstate", "addrprovince", "province", "county"]
            case .postcode: ["postcode", "addrpostcode", "postalcode", "zip", "zipcode"]
            case .country: ["country", "addrcountry", "countryname", "countrycode"]
            }
        }
    }
}
