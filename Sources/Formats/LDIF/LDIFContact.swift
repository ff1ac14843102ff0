import Geocoding

/// The contact in an entry.
struct LDIFContact {
    let entry: LDIFEntry
    let options: ReadingOptions

    /// False for organisational units, groups and similar entries. Every export has some.
    var isPerson: Bool {
        let classes = Set(entry.values["objectclass", default: []].map { $0.lowercased() })
        return classes.isDisjoint(with: Self.others) || !classes.isDisjoint(with: Self.persons)
    }

    func friend(keys: inout SourceKeys) throws(ContactRow.Refusal) -> (friend: Friend, notes: [String]) {
        if let problem = entry.problem { throw ContactRow.Refusal(reason: problem) }
        guard ["", "add"].contains(try entry.text("changetype").lowercased()) else {
            throw ContactRow.Refusal(reason: "it changes an entry and is none itself")
        }
        let (given, family) = (try entry.text("givenname"), try entry.text("sn", "surname"))
        let nickname = try entry.text("mozillanickname", "xmozillanickname")
        let written = [given, family].filter { !$0.isEmpty }.joined(separator: " ")
        let name =
            [
                try entry.text("cn", "commonname", "displayname"), written, nickname,
                try entry.text("o", "organizationname", "company"),
            ]
            .first { !$0.isEmpty } ?? ""
        var notes: [String] = []
        var addresses: [LabelledAddress] = []
        for (label, address) in [("home", try home), ("work", try work)] where !address.isEmpty {
            var address = address
            if address.country.isEmpty { address.country = options.country }
            if Address(street: address.street, city: address.city, country: address.country).isEmpty {
                notes.append("an address is left out: it has no street, no city and no country")
            } else {
                addresses.append(LabelledAddress(label: label, address: address))
            }
        }
        let id = try entry.text("entryuuid", "dn", limit: .id)
        guard !id.isEmpty || !name.isEmpty || !addresses.isEmpty else {
            throw ContactRow.Refusal(reason: "it has neither a name nor an address")
        }
        let key = id.isEmpty ? keys.key(name: name) : try keys.key(id: id, line: entry.line)
        return (
            Friend(
                sourceKey: key, name: name, firstName: given, lastName: family, nickname: nickname,
                addresses: addresses), notes
        )
    }

    /// The home address: Mozilla's attributes, or else `homePostalAddress`.
    private var home: Address {
        get throws(ContactRow.Refusal) {
            let address = Address(
                street: lines([try entry.text("mozillahomestreet", "homestreet"), try entry.text("mozillahomestreet2")]
                ),
                city: try entry.text("mozillahomelocalityname"), region: try entry.text("mozillahomestate"),
                postcode: try entry.text("mozillahomepostalcode"), country: try entry.text("mozillahomecountryname"))
            return address.isEmpty ? whole(try entry.text("homepostaladdress")) : address
        }
    }

    private var work: Address {
        get throws(ContactRow.Refusal) {
            let postal = try entry.text("postaladdress", "registeredaddress")
            var address = Address(
                street: lines([try entry.text("street", "streetaddress"), try entry.text("mozillaworkstreet2")]),
                city: try entry.text("l", "localityname"), region: try entry.text("st", "stateorprovincename"),
                postcode: try entry.text("postalcode"),
                country: try entry.text("co", "friendlycountryname", "c", "countryname"))
            // Many directories have the street only in the postal address.
            if address.street.isEmpty, !address.city.isEmpty, let first = Self.postalLines(postal).first,
                first != address.city
            {
                address.street = first
            }
            if address.street.isEmpty { address.street = try entry.text("postofficebox") }
            return Address(street: address.street, city: address.city).isEmpty && !postal.isEmpty
                ? whole(postal) : address
        }
    }

    private func lines(_ texts: [String]) -> String {
        texts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Parses a postal address as if it were one line, because its parts are not separate.
    private func whole(_ text: String) -> Address {
        let lines = Self.postalLines(text)
        return lines.isEmpty ? Address() : Address(line: lines.joined(separator: ", "), beside: Address())
    }

    /// The lines of a postal address, between dollar signs: https://www.rfc-editor.org/rfc/rfc4517#section-3.3.28
    private static func postalLines(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == "$" || $0.isNewline }).map {
            $0.trimmed.replacing("\\24", with: "$").replacing("\\5C", with: "\\").replacing("\\5c", with: "\\")
        }
        .filter { !$0.isEmpty }
    }

    private static let persons: Set = [
        "person", "organizationalperson", "inetorgperson", "mozillaabpersonalpha", "mozillaorgperson",
        "evolutionperson", "user", "contact", "residentialperson", "newpilotperson", "pilotperson",
    ]

    private static let others: Set = [
        "organizationalunit", "organization", "dcobject", "domain", "country", "locality", "container", "groupofnames",
        "groupofuniquenames", "posixgroup", "group", "organizationalrole", "device", "alias", "referral",
        "subschema", "applicationprocess", "account",
    ]
}
