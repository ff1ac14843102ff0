/// One entry of a directory.
struct LDIFEntry {
    /// The line on which it begins.
    let line: Int
    /// Values by the lower-case names of their attributes, without options.
    private(set) var values: [String: [String]] = [:]
    /// The reason why it can't be used.
    private(set) var problem: String?

    init(line: Int) {
        self.line = line
    }

    /// Adds `name: text`, `name:: base64` or `name:< address`.
    mutating func add(_ line: [UInt8]) {
        guard let colon = line.firstIndex(of: .colon), colon > 0 else {
            problem = problem ?? "a line of it has no colon"
            return
        }
        let description = String(decoding: line[..<colon], as: UTF8.self)
        guard let name = description.split(separator: ";", omittingEmptySubsequences: false).first?.lowercased(),
            Self.wanted.contains(name)
        else { return }
        let rest = line[(colon + 1)...]
        switch rest.first {
        case UInt8(ascii: "<"): return
        case .colon:
            guard let bytes = Self.decode(rest.dropFirst()) else {
                problem = problem ?? "its attribute \(name) is not base64"
                return
            }
            keep(bytes, of: name)
        default: keep(Array(rest.drop { $0 == UInt8(ascii: " ") }), of: name)
        }
    }

    private mutating func keep(_ bytes: [UInt8], of name: String) {
        // Old address books wrote Latin-1 letters, against the standard.
        let text = (String(validating: bytes, as: UTF8.self) ?? TextEncoding.windows1252.text(of: bytes)).tidied
        guard !text.isEmpty else { return }
        guard !text.unicodeScalars.contains("\0") else {
            problem = problem ?? "its attribute \(name) has a zero byte"
            return
        }
        // A file with a million values must not fill the memory.
        if values[name, default: []].count < 100 { values[name, default: []].append(text) }
    }

    /// The first value of the first of these attributes that has one, or blank.
    func text(_ names: String..., limit: TextLimit = .text) throws(ContactRow.Refusal) -> String {
        for name in names {
            guard let text = values[name]?.first else { continue }
            guard let stored = limit.fitted(text) else {
                throw ContactRow.Refusal(reason: "its \(name) \(limit.refusal)")
            }
            return stored
        }
        return ""
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
        for letter in text where letter != UInt8(ascii: " ") && letter != UInt8(ascii: "=") {
            guard let value = digits[letter] else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bytes
    }

    private static let digits = Dictionary(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.enumerated()
            .map { ($1, UInt32($0)) }, uniquingKeysWith: { first, _ in first })

    /// Photos and other attributes without a name or an address are left out.
    private static let wanted: Set<String> = [
        "dn", "changetype", "objectclass", "entryuuid", "cn", "commonname", "displayname", "givenname", "sn", "surname",
        "mozillanickname", "xmozillanickname", "o", "organizationname", "company",
        "street", "streetaddress", "l", "localityname", "st", "stateorprovincename", "postalcode", "postofficebox", "c",
        "countryname", "co", "friendlycountryname", "postaladdress", "registeredaddress", "mozillaworkstreet2",
        "homepostaladdress", "homestreet", "mozillahomestreet", "mozillahomestreet2", "mozillahomelocalityname",
        "mozillahomestate", "mozillahomepostalcode", "mozillahomecountryname",
    ]
}
