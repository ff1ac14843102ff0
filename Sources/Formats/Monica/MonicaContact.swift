import Geocoding
import JSON

/// A contact of Monica (https://www.monicahq.com), out of an export or out of the answer of a server.
///
/// Neither form's latitude and longitude become a pin: Monica has them from a geocoder, not from the contact, and they
/// stay behind when the street changes.
struct MonicaContact {
    let friend: Friend
    let addresses: [(address: Address, label: String)]

    /// Out of an export, where what describes a thing is under `properties` and what belongs to it under `data`.
    ///
    /// Nil for who is no contact of their own: https://www.monicahq.com/api/contacts calls them partial, and archived
    /// ones are left out as the server leaves them out of its list.
    init?(exported value: JSONValue) throws(UnusableContact) {
        guard let members = value.object, let properties = members["properties"]?.object else {
            throw UnusableContact(reason: "it has no \"properties\"")
        }
        let lists = (members["data"]?.list ?? []).filter { $0.object?["type"] == .text("address") }
        let addresses = lists.flatMap { $0.object?["values"]?.list ?? [] }
            .map { ContactMembers($0.object?["properties"]?.object ?? [:]) }
        try self.init(ContactMembers(properties), key: Self.key(of: ContactMembers(members)), addresses)
    }

    /// Out of a list that a server sent.
    init?(listed value: JSONValue) throws(UnusableContact) {
        guard let members = value.object else { throw UnusableContact(reason: "it is no JSON object") }
        let contact = ContactMembers(members)
        guard let addresses = members["addresses"]?.list ?? (contact.isTrue("is_partial") ? [] : nil) else {
            // Taken for none, they would be deleted here.
            throw UnusableContact(reason: "its \"addresses\" are missing")
        }
        try self.init(contact, key: Self.key(of: contact), addresses.map { ContactMembers($0.object ?? [:]) })
    }

    private init?(
        _ contact: ContactMembers, key: String, _ addresses: [ContactMembers]
    ) throws(UnusableContact) {
        guard !contact.isTrue("is_partial"), contact.members["is_active"]?.isFalse != true else { return nil }
        let (first, last) = (try contact.text("first_name"), try contact.text("last_name"))
        // No server tells the middle name, and a friend must not change by coming from a file once and from a server then.
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

    /// An export has the code, an answer an object. The code is in both: a friend is the same in both.
    private static func country(of address: ContactMembers) throws(UnusableContact) -> String {
        guard let country = address.members["country"]?.object else {
            return try address.text("country").uppercasedCode
        }
        let code = try ContactMembers(country).text("iso")
        return code.isEmpty ? try ContactMembers(country).text("name") : code.uppercasedCode
    }

    /// The UUID, which an export and a new server have in common, or else the number that the server gives.
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
    /// PHP writes 1 for true, depending on the database.
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
