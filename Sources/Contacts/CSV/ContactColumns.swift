import Geocoding

/// What the columns of a contacts file mean, told from its header.
///
/// Recognises plain names in eight languages, `Address 1 - Street` as Google Contacts writes it, and
/// `Home Street` as Outlook does. A row may so carry several addresses.
struct ContactColumns: Sendable {
    enum AddressPart: Sendable {
        case label, street, street2, city, region, postcode, country
    }

    private enum Role: Hashable {
        case id, name, given, middle, family, organisation
        case address(group: String, AddressPart)
    }

    /// The columns of one address of a row.
    struct Group: Sendable {
        /// The label of an address whose row names none.
        let label: String
        fileprivate(set) var columns: [AddressPart: Int] = [:]
    }

    let header: [String]
    private(set) var groups: [Group] = []
    private var columns: [Role: Int] = [:]

    init(header: [String], of file: String) throws {
        self.header = header
        var order: [String] = []
        var byName: [String: Group] = [:]
        for (column, title) in header.enumerated() {
            guard let role = Self.role(of: title) else { continue }
            if case .address(let name, let part) = role {
                if byName[name] == nil { order.append(name) }
                byName[name, default: Group(label: Self.label(of: name))].columns[part, default: column] = column
            } else if columns[role] == nil {
                columns[role] = column
            }
        }
        groups = order.compactMap { byName[$0] }.filter { group in group.columns.keys.contains { $0 != .label } }
        guard !groups.isEmpty else {
            throw FileError(
                file: file,
                problem: "no column holds an address. The header has: \(header.joined(separator: ", ")). "
                    + "A header that works: name,street,city,postcode,country")
        }
    }

    var idColumn: Int? { columns[.id] }

    /// The name as one: the column for it, or its parts, or the organisation.
    func name(in fields: [String]) -> String {
        let whole = field(.name, of: fields)
        if !whole.isEmpty { return whole }
        let parts = [Role.given, .middle, .family].map { field($0, of: fields) }.filter { !$0.isEmpty }
        return parts.isEmpty ? field(.organisation, of: fields) : parts.joined(separator: " ")
    }

    private func field(_ role: Role, of fields: [String]) -> String {
        columns[role].flatMap { $0 < fields.count ? fields[$0] : nil } ?? ""
    }

    private static func role(of title: String) -> Role? {
        let words = Folding.loose(title).split(separator: " ").map(String.init)
        let name = words.joined()
        if words.count > 2, words[0] == "address", Int(words[1]) != nil {
            return part(named: words[2...].joined()).map { .address(group: "address \(words[1])", $0) }
        }
        if let role = roles[name] { return role }
        if let part = parts[name] { return .address(group: "", part) }
        if words.count > 1, outlookLabels.contains(words[0]) {
            // "Home Address" alone is a summary of the columns that follow it.
            return part(named: words[1...].joined()).map { .address(group: words[0], $0) }
        }
        return nil
    }

    private static func part(named name: String) -> AddressPart? {
        name == "address" ? nil : parts[name]
    }

    private static func label(of group: String) -> String {
        group.hasPrefix("address") ? "" : group == "business" ? "work" : group
    }

    private static let outlookLabels: Set = ["home", "business", "work", "other"]

    private static let roles: [String: Role] = names([
        (.id, "id uid uuid key contactid customerid externalid kundennummer identifiant"),
        (.name, "name fullname displayname contact contactname friend nom nombre nome naam namn nimi nameundvorname"),
        (.given, "firstname givenname forename vorname prenom nombredepila voornaam fornamn etunimi"),
        (.middle, "middlename additionalname secondname zweitername"),
        (
            .family,
            "lastname familyname surname nachname familienname nomdefamille apellido apellidos cognome achternaam efternamn sukunimi"
        ),
        (
            .organisation,
            "company organization organisation organizationname firma entreprise empresa azienda bedrijf foretag yritys"
        ),
    ])

    private static let parts: [String: AddressPart] = names([
        (.label, "label type addresstype addresslabel kind art typ tipo tyyppi"),
        (
            .street,
            "street streetaddress address address1 addressline1 line1 strasse str adresse rue calle via indirizzo straat adres gata gatuadress adress katu katuosoite osoite direccion anschrift strassehausnummer strasseundhausnummer"
        ),
        (
            .street2,
            "street2 address2 addressline2 line2 extendedaddress unit apartment suite adresszusatz complementdadresse complement"
        ),
        (
            .city,
            "city town locality place ort stadt wohnort ville commune ciudad localidad citta comune stad plaats woonplaats postort kaupunki paikkakunta postitoimipaikka"
        ),
        (
            .region,
            "region state province county stateprovince stateregion provincestate bundesland kanton departement provincia estado regione provincie lan landskap maakunta laani"
        ),
        (
            .postcode,
            "postcode postalcode zip zipcode zippostalcode postalcodezip plz postleitzahl codepostal cp codigopostal cap postnummer postinumero"
        ),
        (.country, "country countryregion countrycode countryname land staat pays pais paese nazione maa"),
    ])

    private static func names<Meaning>(_ lists: [(Meaning, String)]) -> [String: Meaning] {
        var meanings: [String: Meaning] = [:]
        for (meaning, list) in lists {
            for name in list.split(separator: " ") { meanings[String(name)] = meaning }
        }
        return meanings
    }
}
