import Geocoding

/// A field of a contact that a column may contain.
enum ContactField: Hashable, CaseIterable {
    case key, id, name, given, middle, family, nickname, organisation
    case label, street, houseNumber, street2, poBox, formatted, city, region, postcode, country
    case latitude, longitude, geo, provider

    /// The field for a header of this name.
    init?(header: String) {
        self.init(key: Self.key(header))
    }

    init?(key: String) {
        guard let field = Self.byKey[key] else { return nil }
        self = field
    }

    /// Returns whether a contact may have the field several times, once for each address.
    var isOfAddress: Bool { isPlace || [.label, .latitude, .longitude, .geo, .provider].contains(self) }

    /// Returns whether the field helps to find a place.
    var isPlace: Bool {
        switch self {
        case .street, .houseNumber, .street2, .poBox, .formatted, .city, .region, .postcode, .country: true
        default: false
        }
    }

    /// A header without differences of spelling: `Código_Postal` and `codigo postal` are equal.
    static func key(_ header: String) -> String {
        Folding.loose(header).filter { $0 != " " }
    }

    private static let byKey = Dictionary(
        allCases.flatMap { field in
            field.spellings.split(whereSeparator: \.isNewline).flatMap { line in
                line.split(separator: ",").map { (key(String($0)), field) }
            }
        },
        // A word with a meaning in two languages gets the field that is listed first.
        uniquingKeysWith: { first, _ in first })

    /// English, German, French, Spanish and Italian, Dutch, Swedish and Finnish, one line each.
    private var spellings: String {
        switch self {
        // The names in our own exports.
        case .key: "key"
        case .provider: "provider"
        case .id:
            """
            id, uid, uuid, guid, identifier, contact id, customer id, customer number, person id, record id, external id
            kennung, kontakt-id, kundennummer, kunden-id, kunden-nr
            identifiant, id contact, numéro client
            identificador, id contacto, identificativo, id contatto, codice cliente
            klantnummer, contact-id, klant-id
            kundnummer, kund-id, kontakt id
            tunniste, tunnus, asiakasnumero
            """
        case .name:
            """
            name, full name, display name, contact, contact name, person, customer, file as
            vollständiger name, anzeigename, kontakt, kunde
            nom, nom complet, nom affiché
            nombre, nombre completo, nome, nome completo, nominativo, contacto, contatto
            naam, volledige naam, weergavenaam
            namn, fullständigt namn, visningsnamn
            nimi, koko nimi, näyttönimi
            """
        case .given:
            """
            given name, given, first name, first, forename, christian name
            vorname, rufname
            prénom, prénoms
            nombre de pila, primer nombre, nome di battesimo
            voornaam, roepnaam
            förnamn, tilltalsnamn
            etunimi, kutsumanimi
            """
        case .middle:
            """
            middle name, middle, additional name, middle names
            zweiter vorname, weitere vornamen
            deuxième prénom, second prénom
            segundo nombre, secondo nome
            tweede voornaam, tussenvoegsel
            mellannamn
            toinen nimi
            """
        case .family:
            """
            family name, family, last name, last, surname
            nachname, familienname, zuname
            nom de famille
            apellido, apellidos, primer apellido, cognome
            achternaam, familienaam
            efternamn
            sukunimi
            """
        case .nickname:
            """
            nickname, nick
            spitzname
            surnom
            apodo, soprannome
            bijnaam
            smeknamn
            lempinimi
            """
        case .organisation:
            """
            organisation, organization, organization name, organization 1 - name, company, company name, employer
            firma, unternehmen, firmenname
            société, entreprise, raison sociale
            empresa, organización, azienda, società, ditta, organizzazione, ragione sociale
            bedrijf, bedrijfsnaam, organisatie
            företag, företagsnamn
            yritys, organisaatio
            """
        case .label:
            """
            label, type, kind, address type, address label
            typ, art, adresstyp, adressart, bezeichnung
            type d'adresse, libellé
            tipo, etiqueta, tipo de dirección, tipo indirizzo, etichetta
            soort, adrestype
            adresstyp, etikett
            tyyppi, osoitetyyppi
            """
        case .street:
            """
            street, street address, address, address 1, address line, address line 1, address street, addr, line 1, street 1, street line 1, street name
            straße, str, strasse, adresse, anschrift, adresszeile 1, adresse 1, straße und hausnummer, straße & hausnummer, straße hausnummer, straße hnr, straße nr, straßenname
            rue, voie, adresse ligne 1, ligne 1, n° et rue, adresse postale
            calle, dirección, dirección 1, domicilio, via, indirizzo, indirizzo 1, línea 1
            straat, straatnaam, adres, adres 1, adresregel 1, straat en huisnummer
            gata, gatuadress, adress, adress 1, adressrad 1, utdelningsadress
            katu, katuosoite, lähiosoite, osoite, osoiterivi 1
            """
        case .houseNumber:
            """
            house number, house no, street number, building number
            hausnummer, hausnr, hnr, haus-nr
            numéro de rue, numéro de voie, n° de rue
            número de calle, número exterior, numero civico, civico
            huisnummer, huisnr
            husnummer, gatunummer
            talonumero, talon numero
            """
        case .street2:
            """
            street 2, address 2, address line 2, line 2, street line 2, street address 2, extended address, apartment, unit, suite
            adresszusatz, adresszeile 2, adresse 2, zusatz, straße 2
            complément d'adresse, complément adresse, adresse ligne 2, ligne 2, rue 2
            dirección 2, indirizzo 2, calle 2, línea 2, complemento
            adres 2, adresregel 2, straat 2
            adress 2, adressrad 2, gatuadress 2
            osoiterivi 2, osoite 2
            """
        case .poBox:
            """
            po box, p.o. box, post office box, address po box
            postfach
            boîte postale
            apartado postal, casella postale
            postbus
            postbox
            postilokero
            """
        case .formatted:
            """
            formatted, formatted address, full address, complete address, whole address, mailing address, postal address, address string, one line address
            vollständige adresse, vollständige anschrift, komplette adresse
            adresse complète
            dirección completa, indirizzo completo, indirizzo postale
            volledig adres
            fullständig adress
            koko osoite
            """
        case .city:
            """
            city, town, locality, village, municipality, suburb city, post town, city town, address city
            ort, stadt, wohnort, gemeinde, ortschaft
            ville, commune, localité
            ciudad, localidad, municipio, población, città, comune, località
            stad, plaats, woonplaats, gemeente
            stad, postort, ort, kommun
            kaupunki, postitoimipaikka, kunta, paikkakunta
            """
        case .region:
            """
            region, state, province, county, state province, state or province, province state, state region, address state, prefecture
            bundesland, kanton, landkreis, provinz
            région, département, canton, état
            provincia, estado, comunidad autónoma, región, regione, stato provincia
            provincie, regio
            län, landskap
            maakunta, lääni, osavaltio
            """
        case .postcode:
            """
            postcode, post code, postal code, postalcode, zip, zip code, zip postal code, postal, zip postcode, eircode, pin code, address zip
            plz, postleitzahl
            code postal, cp, c.p.
            código postal, c. postal, codice postale, cap, codice avviamento postale
            postcode, pc
            postnummer, postnr
            postinumero
            """
        case .country:
            """
            country, country region, country name, country code, nation, address country
            land, staat, länderkennzeichen, ländercode, land region
            pays, pays région, code pays
            país, país región, paese, nazione, stato
            landcode, land regio
            landskod
            maa, maakoodi, maa alue
            """
        case .latitude:
            """
            latitude, lat, geo latitude, geo lat
            breitengrad, geographische breite
            latitud, latitudine
            breedtegraad
            breddgrad
            leveysaste
            """
        case .longitude:
            """
            longitude, lng, lon, long, geo longitude, geo lng, geo lon, geo long
            längengrad, geographische länge
            longitud, longitudine
            lengtegraad
            längdgrad
            pituusaste
            """
        case .geo:
            """
            geo, coordinate, coordinates, lat lng, lat lon, lat long, latitude longitude, gps
            koordinaten
            coordonnées
            coordenadas, coordinate geografiche
            coördinaten
            koordinater
            koordinaatit
            """
        }
    }
}
