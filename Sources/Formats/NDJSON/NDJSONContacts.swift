import Geocoding
package import JSON

/// Reads contacts from bytes that arrive in pieces: a file, or the body of a request.
///
///     contacts.feed(piece)
///     while let entry = contacts.next() { … }
///     …
///     contacts.end()
///     while let entry = contacts.next() { … }
package struct NDJSONContacts {
    private var lines = NDJSONLines()
    private var keys = KeyLines()
    private var waiting: ArraySlice<ContactEntry> = []
    private let options: ReadingOptions

    package init(options: ReadingOptions = ReadingOptions()) {
        self.options = options
    }

    /// How many bytes of the source the entries so far used.
    package var bytesRead: Int { lines.bytesRead }

    package mutating func feed(_ piece: [UInt8]) {
        lines.feed(piece)
    }

    /// Called after the last piece.
    package mutating func end() {
        lines.end()
    }

    /// The next contact, or the next line that is not a contact. Nil if more bytes are needed, and at the end.
    package mutating func next() -> ContactEntry? {
        if waiting.isEmpty {
            switch lines.next() {
            case .whole(let line, let bytes): waiting = entries(line, bytes)[...]
            case .tooLong(let line): return .refused(line: line, reason: "the line is longer than 1 MiB")
            case nil: return nil
            }
        }
        return waiting.popFirst()
    }

    /// The entries for a line with this object. The key is given separately.
    package static func entries(of object: [String: JSONValue], key: String) -> [ContactEntry] {
        do {
            let members = object.merging(["key": .text(key)]) { $1 }
            return try NDJSONContacts().draft(1, ContactMembers(members)).entries
        } catch {
            return [.refused(line: 1, reason: error.reason)]
        }
    }

    private mutating func entries(_ line: Int, _ bytes: [UInt8]) -> [ContactEntry] {
        do {
            let draft = try draft(line, Self.object(in: bytes))
            try keys.enter(draft.friend.sourceKey, line: line)
            return draft.entries
        } catch {
            return [.refused(line: line, reason: error.reason)]
        }
    }

    private func draft(_ line: Int, _ contact: ContactMembers) throws(UnusableContact) -> ContactDraft {
        let (key, name) = (try contact.key("key"), try contact.text("name"))
        guard !key.isEmpty else { throw UnusableContact(reason: "the member \"key\" is missing or blank") }
        guard contact.has("name") else { throw UnusableContact(reason: "the member \"name\" is missing") }
        var draft = ContactDraft(
            Friend(
                sourceKey: key, name: name, firstName: try contact.text("first_name"),
                lastName: try contact.text("last_name"), nickname: try contact.text("nickname"), addresses: []),
            line: line, options: options)
        for (number, item) in try Self.addresses(of: contact).enumerated() {
            guard let members = item.object else {
                throw UnusableContact(reason: "address \(number + 1) is not an object")
            }
            try add(ContactMembers(members), to: &draft, line: line)
        }
        guard !draft.friend.name.isEmpty || !draft.friend.addresses.isEmpty else {
            throw UnusableContact(reason: "it has neither a name nor an address")
        }
        return draft
    }

    private func add(
        _ members: ContactMembers, to draft: inout ContactDraft, line: Int
    ) throws(UnusableContact) {
        var address = Address(
            street: try members.text("street"), city: try members.text("city"), region: try members.text("region"),
            postcode: try members.text("postcode"), country: try members.text("country"))
        let whole = try members.text("formatted")
        if !whole.isEmpty, address.street.isEmpty, address.city.isEmpty {
            address = Address(line: whole, beside: address)
        }
        draft.add(address, label: try members.text("label"), position: Self.position(of: members), line: line)
    }

    /// The contact's own position. A `place` is an answer of ours, and must not become a pin because it was exported
    /// and imported again.
    private static func position(of address: ContactMembers) -> WrittenPosition {
        if case .object(let place) = address.members["place"], place["provider"] == .text("contact"),
            !address.has("latitude"), !address.has("longitude")
        {
            return ContactMembers(place).position
        }
        return address.position
    }

    private static func addresses(of contact: ContactMembers) throws(UnusableContact) -> [JSONValue] {
        guard contact.has("addresses") else { return [] }
        guard let list = contact.members["addresses"]?.list else {
            throw UnusableContact(reason: "the member \"addresses\" is not a list")
        }
        return list
    }

    private static func object(in bytes: [UInt8]) throws(UnusableContact) -> ContactMembers {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw UnusableContact(reason: "it is not JSON: \(error.problem.rawValue)")
        }
        guard let members = value.object else { throw UnusableContact(reason: "it is not a JSON object") }
        return ContactMembers(members)
    }
}
