import Geocoding
import Testing

@testable import Formats

struct ContactColumnsTests {
    @Test(arguments: [
        "id,First Name,Last Name,Street Address,Address Line 2,Town,County,Post Code,Country/Region",
        "Kontakt-ID;Vorname;Nachname;Straße;Adresszusatz;Ort;Bundesland;PLZ;Land",
        "Identifiant;Prénom;Nom;Rue;Complément d'adresse;Ville;Région;Code Postal;Pays",
        "Identificador;Nombre;Apellidos;Dirección;Dirección 2;Población;Provincia;Código Postal;País",
        "identificativo;nome;cognome;indirizzo;indirizzo_2;città;provincia;c.a.p.;paese",
        "klantnummer;voornaam;achternaam;straat;adresregel-2;woonplaats;provincie;postcode;land",
        "KUND-ID;FÖRNAMN;EFTERNAMN;GATUADRESS;ADRESSRAD 2;POSTORT;LÄN;POSTNUMMER;LAND",
        "tunniste;etunimi;sukunimi;katuosoite;osoiterivi 2;postitoimipaikka;maakunta;postinumero;maa",
        "external_id\tGivenName\tsurname\tstreet\tstreet2\tcity\tstate\tzip\tcountry",
    ])
    func `a header is understood in many languages`(header: String) throws {
        let values = ["7", "Ada", "Byron", "1 High St", "Flat 2", "Ely", "Cambs", "CB7 4", "UK"]
        let separator = header.contains(";") ? ";" : header.contains("\t") ? "\t" : ","

        let friend = try onlyFriend("\(header)\n\(values.joined(separator: separator))")

        #expect(
            friend
                == Friend(
                    sourceKey: "id:7", name: "Ada Byron", firstName: "Ada", lastName: "Byron",
                    addresses: [
                        LabelledAddress(
                            label: "",
                            address: Address(
                                street: "1 High St\nFlat 2", city: "Ely", region: "Cambs", postcode: "CB7 4",
                                country: "UK"))
                    ]))
    }

    @Test func `a field's own name is accepted in a header`() {
        for field in ContactField.allCases {
            #expect(ContactField(header: "\(field)") == field)
        }
        #expect(ContactField(header: "Ort") == .city)
        #expect(ContactField(header: "phone") == nil)
        #expect(ContactField(header: "") == nil)
    }

    @Test func `a Google export has several addresses in one row`() throws {
        let friend = try onlyFriend(
            """
            First Name,Middle Name,Last Name,Organization Name,Address 1 - Label,Address 1 - Formatted,\
            Address 1 - Street,Address 1 - City,Address 1 - PO Box,Address 1 - Region,Address 1 - Postal Code,\
            Address 1 - Country,Address 2 - Type,Address 2 - Street,Address 2 - Extended Address,Address 2 - City
            Ada,K,Byron,Engines Ltd,* Home,ignored,1 High St,Ely,,Cambs,CB7 4,UK,Work ::: Old,2 Mill Rd ::: 3 Low Rd,Flat 1,Hull
            """)

        #expect(friend.name == "Ada K Byron")
        #expect(
            friend.addresses == [
                LabelledAddress(
                    label: "Home",
                    address: Address(
                        street: "1 High St", city: "Ely", region: "Cambs", postcode: "CB7 4", country: "UK")),
                LabelledAddress(label: "Work", address: Address(street: "2 Mill Rd\nFlat 1", city: "Hull")),
                LabelledAddress(label: "Old", address: Address(street: "3 Low Rd")),
            ])
    }

    @Test func `an Outlook export labels its addresses home, work and other`() throws {
        let friend = try onlyFriend(
            """
            First Name,Last Name,Company,Home Phone,Business Street,Business City,Business State,\
            Business Postal Code,Business Country/Region,Home Street,Home City,Other City
            Ada,Byron,Engines Ltd,555,1 High St,Ely,Cambs,CB7 4,UK,2 Mill Rd,Hull,Bath
            """)

        #expect(
            friend.addresses == [
                LabelledAddress(
                    label: "work",
                    address: Address(
                        street: "1 High St", city: "Ely", region: "Cambs", postcode: "CB7 4", country: "UK")),
                LabelledAddress(label: "home", address: Address(street: "2 Mill Rd", city: "Hull")),
                LabelledAddress(label: "other", address: Address(city: "Bath")),
            ])
    }

    @Test func `a German Outlook export is understood`() throws {
        let friend = try onlyFriend("Name;Vorname;Straße geschäftlich;Ort privat\nByron;Ada;Weg 1;Ulm")

        #expect(friend.name == "Ada Byron")
        #expect(friend.addresses.map(\.label) == ["work", "home"])
    }

    @Test func `a house number in its own column follows the street`() throws {
        let friend = try onlyFriend("Name;Straße;Hausnr.;PLZ\nAda;Weg;12a;10115")

        #expect(friend.addresses[0].address.street == "Weg 12a")
    }

    @Test func `the first non-empty of two equal columns is used`() throws {
        let friend = try onlyFriend("name,city,state,county\nAda,Ely,,Cambs")

        #expect(friend.addresses[0].address.region == "Cambs")
    }

    @Test func `a header without an address is reported with an example that works`() throws {
        let error = #expect(throws: FileError.self) {
            try ContactsCSV(CSVReader(Array("Name,Type,Pho\u{1B}ne\nAda,x,5".utf8)))
        }

        #expect(
            error?.description == """
                bytes: no column is known as a part of an address
                  found: Name, Type, Phone
                  works: name,street,city,region,postcode,country
                """)
    }
}
