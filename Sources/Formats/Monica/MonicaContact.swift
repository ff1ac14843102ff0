import Geocoding
import JSON

/// A contact of Monica (https://www.monicahq.com), from an export or from a server's response.
///
/// Its latitude and longitude never become a pin: Monica has them from a geocoder, not from the contact, and doesn't
/// update them when the street changes.
struct MonicaContact {
    let friend: Friend
    let addresses: [(address: Address, label: String)]

    /// Reads a contact from an export, which has its own values in `properties` and related objects in `data`.
    ///
    /// Nil for a contact that https://www.monicahq.com/api/contacts calls partial. Archived contacts are left out too,
    /// as in the server's list.
    init?(exported value: JSONValue) throws(UnusableContact) {
        guard let members = value.object, let properties = members["properties"]?.object else {
            throw UnusableContact(reason: "it has no \"properties\"")
        }
        let lists = (members["data"]?.list ?? []).filter { $0.object?["type"] == .text("address") }
        let addresses = lists.flatMap { $0.object?["values"]?.list ?? [] }
            .map { ContactMembers($0.object?["properties"]?.object ?? [:]) }
        try self.init(ContactMembers(properties), key: Self.key(of: ContactMembers(members)), addresses)
    }

    /// Reads a contact from a server's list.
    init?(listed value: JSONValue) throws(UnusableContact) {
        guard let members = value.object else { throw UnusableContact(reason: "it is not a JSON object") }
        let contact = ContactMembers(members)
        guard let addresses = members["addresses"]?.list ?? (contact.isTrue("is_partial") ? [] : nil) else {
            // If missing addresses were taken for none, they would be deleted here.
            throw UnusableContact(reason: "its \"addresses\" are missing")
        }
        try self.init(contact, key: Self.key(of: contact), addresses.map { ContactMembers($0.object ?? [:]) })
    }

    private init?(
        _ contact: ContactMembers, key: String, _ addresses: [ContactMembers]
    ) throws(UnusableContact) {
        guard !contact.isTrue("is_partial"), contact.members["is_active"]?.isFalse != true else { return nil }
        let (first, last) = (try contact.text("first_name"), try contact.text("last_name"))
        // Servers don't send the middle name. A friend must be the same from a file and from a server.
        let name = [first, last].filter { !$0.isEmpty }.joined(separator: " ")
        friend = Friend(
            sourceKey: key, name: name, firstName: first, lastName: last, nickname: try contact.text("nickname"),
            addresses: [])
        var found: [(Address, String)] = []
        for address in addresses { found.append((try Self.address(address), try address.text("name"))) }
        self.addresses = found
        guard !name.isEmpty || found.contains(where: { !$0.0.isEmpty }) else {
            throw UnusableContact(reason: "it has neither a name nor an address")
        }
    }

    private static func address(_ address: ContactMembers) throws(UnusableContact) -> Address {
        Address(
            street: try address.text("street"), city: try address.text("city"), region: try address.text("province"),
            postcode: try address.text("postal_code"), country: try country(of: address))
    }

    /// An export has the code of the country, a response an object that contains the code. The code is used, so a
    /// friend is the same in both.
    private static func country(of address: ContactMembers) throws(UnusableContact) -> String {
        guard let country = address.members["country"]?.object else {
            return try address.text("country").uppercasedCode
        }
        let code = try ContactMembers(country).text("iso")
        return code.isEmpty ? try ContactMembers(country).text("name") : code.uppercasedCode
    }

    /// The UUID, which exports and new servers have, or else the server's number.
    private static func key(of contact: ContactMembers) throws(UnusableContact) -> String {
        let uuid = try contact.id("uuid")
        if !uuid.isEmpty { return "monica:\(uuid.lowercased())" }
        let id = try contact.id("id")
        guard !id.isEmpty else { throw UnusableContact(reason: "it has neither a \"uuid\" nor an \"id\"") }
        return "monica:#\(id)"
    }

    func draft(line: Int, options: ReadingOptions) -> ContactDraft {
        var draft = ContactDraft(friend, line: line, options: options)
        for (address, label) in addresses { draft.add(address, label: label, position: .none, line: line) }
        return draft
    }
}

extension ContactMembers {
    /// PHP writes 1 for true with some databases.
    fileprivate func isTrue(_ name: String) -> Bool {
        members[name] == .bool(true) || members[name] == .number(1)
    }
}

extension JSONValue {
    fileprivate var isFalse: Bool { self == .bool(false) || self == .number(0) }
}

extension String {
    /// Monica's older versions write codes in small letters.
    fileprivate var uppercasedCode: String { utf8.count == 2 ? uppercased() : self }
}
