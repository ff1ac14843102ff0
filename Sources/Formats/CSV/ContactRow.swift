/// The contact in a row.
struct ContactRow {
    let columns: ContactColumns
    let fields: [String]
    /// True if addresses on one line are split into their parts.
    var readsLines = true

    init(_ fields: [String], columns: ContactColumns) throws(UnusableContact) {
        self.fields = fields
        self.columns = columns
        let count = columns.header.count
        guard fields.dropFirst(count).allSatisfy({ $0.trimmed.isEmpty }) else {
            throw UnusableContact(reason: "it has \(fields.count) fields where the header has \(count)")
        }
    }

    /// The contact's key in our exports, or blank.
    var key: String { get throws(UnusableContact) { try text(.key, in: columns.contact, limit: .key) } }

    /// The source's own id of the contact, or blank.
    var id: String { get throws(UnusableContact) { try text(.id, in: columns.contact, limit: .id) } }

    /// The person's name, or else the nickname, or else the organisation.
    var name: String {
        get throws(UnusableContact) {
            let whole = try text(.name, in: columns.contact)
            guard whole.isEmpty else { return whole }
            let parts = try join([.given, .middle, .family], in: columns.contact, by: " ")
            guard parts.isEmpty else { return parts }
            let nickname = try self.nickname
            return nickname.isEmpty ? try text(.organisation, in: columns.contact) : nickname
        }
    }

    var firstName: String { get throws(UnusableContact) { try text(.given, in: columns.contact) } }
    var lastName: String { get throws(UnusableContact) { try text(.family, in: columns.contact) } }
    var nickname: String { get throws(UnusableContact) { try text(.nickname, in: columns.contact) } }

    func join(
        _ parts: [ContactField], in columns: [ContactField: [Int]], value: Int = 0, by separator: String
    ) throws(UnusableContact) -> String {
        var texts: [String] = []
        for part in parts { texts.append(try text(part, in: columns, value: value)) }
        return texts.filter { !$0.isEmpty }.joined(separator: separator)
    }

    /// The values of all columns of a field, without repetitions.
    func lines(
        _ field: ContactField, in columns: [ContactField: [Int]], value: Int
    ) throws(UnusableContact) -> [String] {
        var texts: [String] = []
        for column in columns[field] ?? [] {
            let text = try text(field, in: [field: [column]], value: value)
            if !texts.contains(text) { texts.append(text) }
        }
        return texts
    }

    /// `value` selects one of several values that Google puts into one field.
    func text(
        _ field: ContactField, in columns: [ContactField: [Int]], value: Int = 0, limit: TextLimit = .text
    ) throws(UnusableContact) -> String {
        for column in columns[field] ?? [] where column < fields.count {
            let written = self.columns.isExport ? fields[column][...] : fields[column].value(value)
            guard let text = limit.fitted(written.tidied) else {
                let name = self.columns.header[column].trimmed
                throw UnusableContact(reason: "the field \"\(name)\" \(limit.refusal)")
            }
            // Programs that keep a column as numbers write the postcode 2108 as `2108.0`.
            if field == .postcode || field == .houseNumber, text.hasSuffix(".0"), Int(text.dropLast(2)) != nil {
                return String(text.dropLast(2))
            }
            if !text.isEmpty { return text }
        }
        return ""
    }
}

extension String {
    /// Google puts several values into one field: `1 Main St ::: 2 High St`.
    fileprivate func value(_ number: Int) -> Substring {
        guard hasValues else { return number == 0 ? self[...] : "" }
        let values = split(separator: ":::", omittingEmptySubsequences: false)
        return number < values.count ? values[number] : ""
    }

    private var hasValues: Bool {
        var colons = 0
        for byte in utf8 {
            colons = byte == .colon ? colons + 1 : 0
            if colons == 3 { return true }
        }
        return false
    }

    /// The number of values, at least 1.
    var valueCount: Int { hasValues ? split(separator: ":::", omittingEmptySubsequences: false).count : 1 }
}

extension StringProtocol {
    /// The text in the form in which contacts are stored: without white space at its ends, and with LF as line end.
    /// Programs write the same address with CR LF or with LF, and a vCard can't distinguish the two.
    var tidied: String {
        let text = trimmed
        guard text.utf8.contains(.carriageReturn) else { return text }
        return text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    /// The text without white space at its ends.
    var trimmed: String {
        let text = String(self)
        guard let first = text.utf8.first, let last = text.utf8.last else { return "" }
        // Most texts begin and end with an ASCII letter or digit, which is cheap to check.
        if first > 0x20, first < 0x7F, last > 0x20, last < 0x7F { return text }
        guard let start = text.firstIndex(where: { !$0.isWhitespace }),
            let end = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[start...end])
    }
}
