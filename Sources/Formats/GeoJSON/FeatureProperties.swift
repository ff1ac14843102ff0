import Geocoding
import JSON

/// The properties of a feature, under the names that our own export, OpenStreetMap and the geocoders give them.
struct FeatureProperties {
    private let members: [String: JSONValue]

    init(_ properties: JSONValue?) {
        // `addr:postcode`, `postal_code` and `postalCode` differ only in case and separators.
        let pairs = (properties?.object ?? [:]).sorted { $0.key < $1.key }.map { name, value in
            (name.lowercased().filter { $0.isLetter || $0.isNumber }, value)
        }
        members = Dictionary(pairs) { first, _ in first }
    }

    /// Whether the place is an answer that we gave, by the name that its provider has in our export.
    var isOurAnswer: Bool { members["provider"] != nil && members["provider"] != .text("contact") }

    /// The first of the names that says something. What is no text is passed over: it means something else there.
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

    /// What to show, put together where it comes in parts.
    func name() throws(UnusableContact) -> String {
        let whole = try text(.name)
        guard whole.isEmpty else { return whole }
        return [try text(.firstName), try text(.lastName)].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Pelias calls the whole address of a place its label.
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

        /// The surest first.
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
