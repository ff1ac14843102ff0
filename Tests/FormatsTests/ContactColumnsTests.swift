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

    @Test(arguments: [
        "Imię i nazwisko;Ulica;Kod pocztowy;Miasto;Kraj", "Jméno;Ulice;PSČ;Město;Stát", "Meno;Ulica;PSČ;Mesto;Krajina",
        "Név;Utca;Irányítószám;Város;Ország", "Όνομα;Οδός;Τ.Κ.;Πόλη;Χώρα", "ФИО;Улица;Индекс;Город;Страна",
        "Ім'я;Вулиця;Індекс;Місто;Країна", "Име;Улица;Пощенски код;Град;Държава",
        "Ime;Ulica;Poštanski broj;Mjesto;Država",
        "Ime;Ulica;Poštna številka;Kraj;Država", "Nume;Strada;Cod poștal;Localitate;Țară",
        "Adı Soyadı;Sokak;Posta Kodu;Şehir;Ülke", "Nimi;Tänav;Postiindeks;Linn;Riik",
        "Vārds;Iela;Pasta indekss;Pilsēta;Valsts",
        "Vardas;Gatvė;Pašto kodas;Miestas;Šalis", "שם;רחוב;מיקוד;עיר;מדינה", "الاسم;الشارع;الرمز البريدي;المدينة;البلد",
        "نام;خیابان;کد پستی;شهر;کشور", "नाम;पता;पिन कोड;शहर;देश", "氏名;住所;郵便番号;市区町村;国", "이름;주소;우편번호;도시;국가",
        "姓名;街道;邮编;城市;国家", "姓名;地址;郵遞區號;城市;國家", "ชื่อ;ที่อยู่;รหัสไปรษณีย์;เมือง;ประเทศ",
        "Họ tên;Địa chỉ;Mã bưu điện;Thành phố;Quốc gia", "Nama;Alamat;Kode Pos;Kota;Negara", "Nome;Rua;CEP;Cidade;País",
        "Nom;Carrer;Codi postal;Població;País", "Navn;Vej;Postnr;By;Land", "Navn;Gateadresse;Postnummer;Poststed;Land",
        "Nafn;Heimilisfang;Póstnúmer;Staður;Land", "Naam;Straat;Postcode;Plaats;Land",
        "Namn;Gatuadress;Postnr;Ort;Land",
        "Nimi;Katuosoite;Postinumero;Postitoimipaikka;Maa", "Nom;Rue;CP;Ville;Pays", "Nombre;Calle;CP;Población;País",
        "Nome;Indirizzo;CAP;Comune;Nazione", "Name;Straße;PLZ;Ort;Land", "Name;Street;Zip;City;Country",
    ])
    func `a header is read in the languages of spreadsheets`(header: String) throws {
        let friend = try onlyFriend("\(header)\nAda;Weg 1;10115;Ulm;DE")

        #expect(friend.name == "Ada")
        let address = Address(street: "Weg 1", city: "Ulm", postcode: "10115", country: "DE")
        #expect(friend.addresses.map(\.address) == [address])
    }

    @Test(
        arguments: [
            ("Ulice;PSČ;Město;Kraj;Stát", [.street, .postcode, .city, .region, .country]),
            ("Ulica;Kod pocztowy;Miasto;Kraj", [.street, .postcode, .city, .country]),
            ("Ulica;Poštna številka;Kraj;Država", [.street, .postcode, .city, .country]),
            ("Street;City;By;Il", [.street, .city, nil, nil]),
            ("Vej;Nummer;Postnr;By", [.street, .houseNumber, .postcode, .city]),
            ("Nummer;Navn;Adresse;By", [nil, .name, .street, .city]),
        ] as [(String, [ContactField?])])
    func `a name that languages share has the meaning of the header's language`(
        header: String, fields: [ContactField?]
    ) throws {
        let columns = try ContactColumns(header: header.split(separator: ";").map(String.init))

        for (column, field) in fields.enumerated() {
            let all = columns.addresses.map(\.columns) + [columns.contact]
            #expect(all.flatMap { $0 }.first { $0.value.contains(column) }?.key == field, "\(header), column \(column)")
        }
    }

    @Test func `a postcode and a house number that were kept as numbers are read`() throws {
        let friend = try onlyFriend("Name;Straße;Hausnummer;PLZ;Ort\nAda;Weg;5.0;1067.0;Dresden")

        #expect(friend.addresses[0].address == Address(street: "Weg 5", city: "Dresden", postcode: "1067"))
    }

    @Test func `a postcode and a town in one column are read`() throws {
        let friend = try onlyFriend("Kunde;Straße;PLZ/Ort\nAda;Weg 1;89073 Ulm")

        #expect(friend.addresses[0].address == Address(street: "Weg 1", city: "Ulm", postcode: "89073"))
    }

    @Test(arguments: [
        "Address;Zip Code\nKönigsallee 5, 40212 Düsseldorf;40212",
        "Address;City\nKönigsallee 5, 40212 Düsseldorf;Düsseldorf",
    ])
    func `a whole address next to its town or postcode is split`(text: String) throws {
        #expect(
            try onlyFriend(text).addresses[0].address
                == Address(street: "Königsallee 5", city: "Düsseldorf", postcode: "40212"))
    }

    @Test func `columns with unknown names are read by their content`() throws {
        let rows = [["Ada", "Calle Mayor 5", "28013 Madrid"], ["Bob", "Gran Vía 20", "46001 Valencia"]]
        let columns = try ContactColumns(header: ["A", "B", "C"], head: TableHead([[]] + rows, header: 0))

        #expect(columns.addresses.map(\.columns) == [[.street: [1], .postcodeCity: [2]]])
        let one = try ContactColumns(
            header: ["Email Address", "Delivery Address", "B"], head: TableHead([[]] + rows, header: 0))
        #expect(one.addresses.map(\.columns) == [[.street: [1]]])
        #expect(!columns.isHeaderRow(likeThose: rows))
        let headless = try ContactColumns(
            header: ["Eva", "Calle Sol 3", "28013 Madrid"], head: TableHead([[]] + rows, header: 0))
        #expect(headless.isHeaderRow(likeThose: rows))
    }

    @Test(
        arguments: [
            ("Email,Default Address Address1,Default Address City,Default Address Zip", [["Weg 1", "Ulm", "89073"]]),
            ("Email,Address 1&2 (Billing),City (Billing),Postcode (Billing)", [["Weg 1", "Ulm", "89073"]]),
            ("*ContactName,POAddressLine1,POCity,POPostalCode,SAAttentionTo", [["Weg 1", "Ulm", "89073"]]),
            ("Currency,Street 1,Ship City,Ship Zipcode", [["Weg 1", "Ulm", "89073"]]),
            ("Pays,Adresse de livraison,Ville de livraison,Code postal de livraison", [["Weg 1", "Ulm", "89073"]]),
            ("Card ID,Card Address Line1,Card Address City,Card Address Zip", [["Weg 1", "Ulm", "89073"]]),
            (
                "Email,Shipping Street,Shipping City,Shipping Zip,Billing City,Billing Zip",
                [["Weg 1", "Ulm", "89073"], ["", "Bonn", "53111"]]
            ),
        ])
    func `columns whose names share an unknown word are an address`(header: String, found: [[String]]) throws {
        let cells = ["ada@example.com", "Weg 1", "Ulm", "89073", "Bonn", "53111"]
        let friend = try onlyFriend(
            "\(header)\n\(cells.prefix(header.split(separator: ",").count).joined(separator: ","))")

        #expect(friend.addresses.map { [$0.address.street, $0.address.city, $0.address.postcode] } == found)
    }

    @Test func `ids and amounts are not postcodes`() {
        #expect(ColumnContent.field(of: ["28013", "46001", "08002"]) == .postcode)
        #expect(ColumnContent.field(of: ["28013", "28014", "28015"]) == nil)
        // Sorted postcodes of several contacts in one town are not ids.
        #expect(ColumnContent.field(of: ["28013", "28013", "28014", "28015"]) == .postcode)
        #expect(ColumnContent.field(of: ["1234.50", "2801,3", "999.5"]) == nil)
        #expect(ColumnContent.field(of: ["(480) 930-6812x604", "001-592-822-4578 ext. 2"]) == nil)
        #expect(ColumnContent.field(of: ["* myContacts", "* myContacts", "* myContacts"]) == nil)
    }

    @Test func `each column is reported with its meaning, and an unread address with a way to read it`() throws {
        let columns = try ContactColumns(header: ["Kunde", "Str", "PLZ/Ort", "Notiz", "Zweite"])
        let sample = [["Ada", "Weg 1", "89073 Ulm", "nett", "Königsallee 5, 40212 Düsseldorf"]]

        #expect(
            columns.meanings(sample: sample) == [
                "Kunde → name", "Str → street", "PLZ/Ort → postcode and town",
                "Zweite is ignored, but looks like a whole address: a --mapping with formatted = Zweite reads it",
                "ignored: Notiz",
            ])
        // Without a header its first row is a contact, and a mapping has no names to refer to.
        let lines = columns.meanings(sample: sample, hasHeader: false)
        #expect(lines[3] == "column 5 is ignored, but looks like a whole address: --columns can name it")
        #expect(lines[4] == "ignored: column 4")
    }

    @Test(arguments: [
        (
            ["Wer", "Wohin", "Stadt"],
            [["Ada", "Weg 1", "Ulm"], ["Eva", "Gasse 2", "Ulm"], ["Ida", "Platz 3", "Bonn"]], [1]
        ),
        (
            ["Wer", "Los", "Stadt"], [["Ada", "Los 1", "Ulm"], ["Eva", "Los 2", "Ulm"], ["Ida", "Los 3", "Bonn"]], nil
        ),
        // With two candidates neither is read.
        (["Hin", "Her", "Stadt"], [["Weg 1", "Ring 4", "Ulm"], ["Gasse 2", "Allee 5", "Ulm"]], nil),
        (["Hin", "Straße", "Stadt"], [["Weg 1", "Ring 4", "Ulm"], ["Gasse 2", "Allee 5", "Ulm"]], [1]),
    ])
    func `the only column of streets is read as the street if none has its name`(
        header: [String], rows: [[String]], street: [Int]?
    ) throws {
        let columns = try ContactColumns(header: header, head: TableHead([header] + rows, header: 0))

        #expect(columns.addresses.map { $0.columns[.street] } == [street])
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
                  Or write a file columns.txt with lines like these, and add --mapping columns.txt:
                    street = Name
                    city = Type
                  Or, if the first line is not a header, name all columns: --columns name,street,city,-
                """)
    }

    @Test(arguments: ["Ada Lovelace,Wien\n", "+43 1 234,1010 Wien\n", "Ada,Korea\n"])
    func `the first line of a file without a header is a contact, and stays private`(text: String) {
        let error = #expect(throws: FileError.self) { try ContactsCSV(CSVReader(Array(text.utf8))) }
        #expect(
            error?.description == """
                bytes: the first line is not a header, and no column is known as a part of an address
                  Name all columns, - for one to ignore: --columns name,street,city,-
                  Or add a first line: name,street,city,region,postcode,country
                """)
    }

    @Test func `a column of countries in other forms is read by its content`() throws {
        let rows = ["Korea", "Egypt, Arab Rep.", "United Kingdom (UK)"].map { ["Ada", "Seoul", $0] }
        #expect(ColumnContent.field(of: rows.map { $0[2] }) == .country)
    }
}
