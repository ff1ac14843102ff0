import Geocoding

/// What a row says of a contact.
struct ContactRow {
    let columns: ContactColumns
    let fields: [String]

    /// Why a row is no contact. It names columns, never what stands in them.
    struct Refusal: Error {
        let reason: String
    }

    init(_ fields: [String], columns: ContactColumns) throws(Refusal) {
        self.fields = fields
        self.columns = columns
        let count = columns.header.count
        guard fields.dropFirst(count).allSatisfy({ $0.trimmed.isEmpty }) else {
            throw Refusal(reason: "it has \(fields.count) fields where the header has \(count)")
        }
    }

    /// As the source numbers its contacts, or blank.
    var id: String {
        // It becomes a part of a key, and the index that keeps keys unique takes 2,700 bytes.
        get throws(Refusal) { try text(.id, in: columns.contact, limit: 500) }
    }

    /// The person, or else the organisation.
    var name: String {
        get throws(Refusal) {
            let whole = try text(.name, in: columns.contact)
            guard whole.isEmpty else { return whole }
            let parts = try join([.given, .middle, .family], in: columns.contact, by: " ")
            return parts.isEmpty ? try text(.organisation, in: columns.contact) : parts
        }
    }

    /// Those that say anything, in the order of their columns, and which of the header's groups each stands in.
    var addresses: [(group: Int, address: LabelledAddress)] {
        get throws(Refusal) {
            var found: [(group: Int, address: LabelledAddress)] = []
            for (index, group) in columns.addresses.enumerated() {
                let address = try address(in: group.columns)
                guard !address.isEmpty else { continue }
                // Google marks the first of several with a star.
                let label = try text(.label, in: group.columns).drop { $0 == "*" || $0 == " " }
                let name = label.isEmpty ? group.group.label : String(label)
                found.append((index, LabelledAddress(label: name, address: address)))
            }
            return found
        }
    }

    private func address(in columns: [ContactField: [Int]]) throws(Refusal) -> Address {
        let street = try join([.street, .houseNumber], in: columns, by: " ")
        let second = try text(.street2, in: columns)
        return Address(
            street: street.isEmpty || second.isEmpty ? street + second : "\(street)\n\(second)",
            city: try text(.city, in: columns), region: try text(.region, in: columns),
            postcode: try text(.postcode, in: columns), country: try text(.country, in: columns))
    }

    private func join(
        _ parts: [ContactField], in columns: [ContactField: [Int]], by separator: String
    ) throws(Refusal) -> String {
        var texts: [String] = []
        for part in parts { texts.append(try text(part, in: columns)) }
        return texts.filter { !$0.isEmpty }.joined(separator: separator)
    }

    private func text(
        _ field: ContactField, in columns: [ContactField: [Int]], limit: Int = 2_000
    ) throws(Refusal) -> String {
        for column in columns[field] ?? [] where column < fields.count {
            let text = fields[column].firstOfMany.trimmed
            guard text.utf8.count <= limit || text.unicodeScalars.count <= limit else {
                let name = self.columns.header[column].trimmed
                throw Refusal(
                    reason: "the field \"\(name)\" is longer than \(limit == 500 ? "500" : "2,000") characters")
            }
            if !text.isEmpty { return text }
        }
        return ""
    }
}

extension String {
    /// Google puts several values into one field: `1 Main St ::: 2 High St`.
    fileprivate var firstOfMany: Substring {
        var colons = 0
        for index in utf8.indices {
            colons = utf8[index] == UInt8(ascii: ":") ? colons + 1 : 0
            if colons == 3 { return self[..<index].dropLast(2) }
        }
        return self[...]
    }
}

extension StringProtocol {
    /// Without white space at its ends.
    var trimmed: String {
        guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace })
        else {
            return ""
        }
        return String(self[start...end])
    }
}
