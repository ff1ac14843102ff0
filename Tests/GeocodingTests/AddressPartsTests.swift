import Testing

@testable import Geocoding

struct AddressPartsTests {
    @Test(arguments: Sample.all) func `a street is parsed by the conventions of its country`(sample: Sample) {
        let parts = AddressParts(sample.text, in: Country(sample.country))
        #expect(parts.sentence == sample.parts, "\(sample.country): \(sample.text)")
    }

    @Test func `the samples are of more than twenty countries`() {
        #expect(Sample.all.count >= 80)
        #expect(Set(Sample.all.map(\.country)).count > 20)
    }

    @Test func `the house number stays on the side on which it was written`() {
        #expect(AddressParts("Flat 3, 12 High Street").streetLine == "12 High Street")
        #expect(AddressParts("Hauptstr. 12, 2. Stock").streetLine == "Hauptstr. 12")
        #expect(AddressParts("12, rue de Rivoli").streetLine == "12 rue de Rivoli")
        #expect(AddressParts("PO Box 7").streetLine == "")
    }

    @Test func `the same street is parsed differently in another country`() {
        #expect(AddressParts(Address(street: "3/12 Smith St", country: "Australia")).unit == "3")
        #expect(AddressParts(Address(street: "3/12 Smith St", country: "India")).houseNumber == "3/12")
    }

    @Test(arguments: Sample.all) func `a street line parses back to the same parts`(sample: Sample) {
        let parts = AddressParts(sample.text, in: Country(sample.country))
        let again = AddressParts(parts.streetLine, in: Country(sample.country))
        #expect([again.street, again.houseNumber] == [parts.street, parts.houseNumber])
        #expect(again.streetLine == parts.streetLine)
    }

    @Test func `no words in any order are split, lost or added`() {
        let words = [
            "12", "3a", "Apt", "Main", "St.", "#", "c/o", "Box", "PO", "No.", "2.", "Stock", ",", "\n", "-", "EG",
            "bis", "A",
        ]
        for one in words {
            for two in words {
                for three in words {
                    for four in ["", "5", "Street"] {
                        expectWhole("\(one) \(two) \(three) \(four)")
                    }
                }
            }
        }
    }

    private func expectWhole(_ text: String) {
        let written = Set(text.split { $0.isWhitespace || $0 == "," }.map { $0.filter { $0 != "." } })
        for country in [nil, Country("FI")] {
            let parts = AddressParts(text, in: country)
            let read =
                [
                    parts.street, parts.houseNumber, parts.unit, parts.floor, parts.building, parts.careOf,
                    parts.postBox,
                ] + parts.rest
            for word in read.joined(separator: " ").split(separator: " ").map({ $0.filter { $0 != "." } })
            where !written.contains(word) { Issue.record("\(text): \(word)") }
            let names = ["Main", "Street"].filter { written.contains($0) }
            for name in names where !read.joined(separator: " ").contains(name) { Issue.record("\(text): no \(name)") }
        }
    }

    @Test(arguments: ["", " ", ",", "\n", "#", ".", "c/o", "Apt", "-", "12", "#12", "No.", "St."])
    func `odd street texts give parts no longer than the text`(text: String) {
        let parts = AddressParts(text)
        #expect(parts.street.count + parts.houseNumber.count <= text.count)
    }
}

extension AddressParts {
    /// All non-empty parts, with their names.
    fileprivate var sentence: String {
        let named = [
            ("number", houseNumber), ("unit", unit), ("floor", floor), ("building", building), ("care of", careOf),
            ("box", postBox),
        ]
        let words = named.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1)" } + rest.map { "rest \($0)" }
        return ([street] + words).joined(separator: "; ")
    }
}

struct Sample: CustomTestStringConvertible {
    let country: String
    let text: String
    let parts: String
    var testDescription: String { "\(country) \(text)" }

    static let all = table.split(whereSeparator: \.isNewline).map { line in
        let fields = line.split(separator: "|").map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        return Sample(
            country: fields[0], text: String(fields[1].map { $0 == "⏎" ? "\n" : $0 }), parts: fields.last ?? "")
    }

    /// Country, street, and the parsed parts.
    private static let table = """
        US | 301 Hamilton Ave | Hamilton Ave; number 301
        US | 1600 Pennsylvania Ave NW | Pennsylvania Ave NW; number 1600
        US | 350 5th Avenue, Suite 200 | 5th Avenue; number 350; unit 200
        US | 5th Avenue 12 | 5th Avenue; number 12
        US | 12 Main St Apt 4B | Main St; number 12; unit 4B
        US | 12 Main St #12 | Main St; number 12; unit 12
        US | 12 Main St Apt #7 | Main St; number 12; unit 7
        US | 12 Main St, Apt. B | Main St; number 12; unit B
        US | 12 St. Mary's Apartments Road | St. Mary's Apartments Road; number 12
        US | 7 Unit Street | Unit Street; number 7
        US | Flat Rock | Flat Rock
        US | 44 Flat Rock Road | Flat Rock Road; number 44
        US | Highway 7 | Highway 7
        US | 1200 County Road 12 | County Road 12; number 1200
        US | 12 A Street | A Street; number 12
        US | 12 1/2 Oak Lane | Oak Lane; number 12 1/2
        US | 37-12 Main St | Main St; number 37-12
        US | PO Box 12 | ; box 12
        US | P.O. Box 345⏎12 Elm St | Elm St; number 12; box 345
        US | Empire State Building, 350 5th Ave, 3rd Floor | 5th Ave; number 350; floor 3rd Floor; building Empire State Building
        US | c/o Ada Lovelace⏎12 Elm St | Elm St; number 12; care of Ada Lovelace
        US | 12 Elm St c/o Ada Lovelace | Elm St; number 12; care of Ada Lovelace
        US | Attn: Accounts, 12 Elm St | Elm St; number 12; care of Accounts
        US | Acme Inc.⏎12 Elm St | Elm St; number 12; rest Acme Inc.
        US | Suite Road 9 | Suite Road; number 9
        US | 12 E Main St | E Main St; number 12
        US | 12 De Soto Ave | De Soto Ave; number 12
        GB | 12 May Street | May Street; number 12
        US | One Apple Park Way | One Apple Park Way
        CA | Unit 3, 12 Yonge St | Yonge St; number 12; unit 3
        CA | 1010 rue Sainte-Catherine O, bureau 5 | rue Sainte-Catherine O; number 1010; rest bureau 5
        GB | Flat 3, 12 High Street | High Street; number 12; unit 3
        GB | Flat 3 12 High Street | High Street; number 12; unit 3
        GB | 221B Baker Street | Baker Street; number 221B
        GB | Rose Cottage, Church Lane | Church Lane; building Rose Cottage
        GB | No. 1 Poultry | Poultry; number 1
        GB | 12 - 14 High Street | High Street; number 12 - 14
        GB | High Street | High Street
        IE | Apartment 5, Block B, 12 Dame Street | Dame Street; number 12; unit 5; building B
        AU | 3/12 Smith St | Smith St; number 12; unit 3
        AU | Level 5, 100 George Street | George Street; number 100; floor 5
        NZ | 12A Queen Street | Queen Street; number 12A
        DE | Hauptstraße 12 | Hauptstraße; number 12
        DE | Hauptstr. 12a | Hauptstr.; number 12a
        DE | Hauptstr. 12 a | Hauptstr.; number 12 a
        DE | Hauptstraße 12-14 | Hauptstraße; number 12-14
        DE | Hauptstraße 12/3 | Hauptstraße; number 12/3
        DE | Straße des 17. Juni 135 | Straße des 17. Juni; number 135
        DE | Straße des 17. Juni | Straße des 17. Juni
        DE | Hauptstr. 12, Wohnung 5 | Hauptstr.; number 12; unit 5
        DE | Hauptstr. 12, 2. Stock | Hauptstr.; number 12; floor 2. Stock
        DE | Hauptstr. 12, EG | Hauptstr.; number 12; floor EG
        DE | Hauptstr. 12 3. OG | Hauptstr.; number 12; floor 3. OG
        DE | 3. Querstraße | 3. Querstraße
        DE | Postfach 12 34 56 | ; box 12 34 56
        DE | c/o Müller, Am Markt 3 | Am Markt; number 3; care of Müller
        DE | Acme GmbH⏎Haus 3⏎Am Markt 3 | Am Markt; number 3; building 3; rest Acme GmbH
        DE | Q 7, 24 | Q 7; number 24
        DE | Q7 24 | Q7; number 24
        DE | Hauptstraße Nr. 5 | Hauptstraße; number 5
        AT | Mariahilfer Straße 12/3/4 | Mariahilfer Straße; number 12; unit 3/4
        AT | Mariahilfer Straße 12, Stiege 2, Top 14 | Mariahilfer Straße; number 12; unit 14; building 2
        CH | Bahnhofstrasse 5 | Bahnhofstrasse; number 5
        CH | Rue du Rhône 5, case postale 12 | Rue du Rhône; number 5; box 12
        FR | 12, rue de Rivoli | rue de Rivoli; number 12
        FR | 12 bis rue de Rivoli | rue de Rivoli; number 12 bis
        FR | 12 B rue de Rivoli | rue de Rivoli; number 12 B
        FR | Rue du 4 Septembre | Rue du 4 Septembre
        FR | 3 rue du 4 Septembre, 2e étage, appt 6 | rue du 4 Septembre; number 3; unit 6; floor 2e étage
        FR | BP 12 | ; box 12
        FR | 5 av. Foch, Bâtiment C | av. Foch; number 5; building C
        BE | Rue de la Loi 16 bte 3 | Rue de la Loi; number 16; unit 3
        BE | Wetstraat 16 bus 3 | Wetstraat; number 16; unit 3
        NL | Keizersgracht 12-2 | Keizersgracht; number 12-2
        NL | Postbus 1234 | ; box 1234
        IT | Via Roma, 12 | Via Roma; number 12
        IT | Via XX Settembre 5, int. 3, scala B | Via XX Settembre; number 5; unit 3; building B
        IT | Casella postale 99 | ; box 99
        IT | Via Garibaldi 12/A | Via Garibaldi; number 12/A
        ES | Calle de Alcalá, 48 | Calle de Alcalá; number 48
        ES | Calle Mayor 5, 2º B | Calle Mayor; number 5; unit 2º B
        ES | C/ Mayor, nº 5, piso 2, puerta 3 | C/ Mayor; number 5; unit 3; floor 2
        ES | Apartado 12 | ; box 12
        PT | Rua Augusta, 12, 3º Esq | Rua Augusta; number 12; unit 3º Esq
        BR | Avenida Paulista, 1578, apto 12 | Avenida Paulista; number 1578; unit 12
        BR | Rua 25 de Março 100 | Rua 25 de Março; number 100
        AR | 25 de Mayo 123 | 25 de Mayo; number 123
        AR | Avenida 9 de Julio 1925, Piso 3, Depto B | Avenida 9 de Julio; number 1925; unit B; floor 3
        MX | Paseo de la Reforma #222 | Paseo de la Reforma; number 222
        CO | Calle 26 # 59-51 | Calle 26; number 59-51
        CO | Carrera 7 No. 71-21 | Carrera 7; number 71-21
        FI | Mannerheimintie 5 A 12 | Mannerheimintie; number 5; unit A 12
        FI | Mannerheimintie 5 as 4 | Mannerheimintie; number 5; unit 4
        FI | Yrjönkatu 36 bt. 3 | Yrjönkatu; number 36; unit 3
        FI | Yrjönkatu 36 app. 6 | Yrjönkatu; number 36; unit 6
        FI | PL 12 | ; box 12
        SE | Drottninggatan 12, lgh 1102 | Drottninggatan; number 12; unit 1102
        SE | Drottninggatan 12, 3 tr | Drottninggatan; number 12; floor 3 tr
        SE | Box 123 | ; box 123
        NO | Karl Johans gate 5B | Karl Johans gate; number 5B
        NO | Postboks 12 | ; box 12
        DK | Nørregade 12, 2. tv | Nørregade; number 12; floor 2. tv
        DK | Nørregade 12, st. th | Nørregade; number 12; floor st. th
        PL | ul. Długa 5 m. 7 | ul. Długa; number 5; unit 7
        PL | ul. 11 Listopada 5/7 | ul. 11 Listopada; number 5; unit 7
        PL | 3 Maja 12 | 3 Maja; number 12
        CZ | Vodičkova 791/39 | Vodičkova; number 791/39
        HU | Kossuth Lajos tér 1-3. | Kossuth Lajos tér; number 1-3
        RO | Strada Lipscani nr. 5, bl. A2, sc. 1, et. 3, ap. 12 | Strada Lipscani; number 5; unit 12; floor 3; building A2 1
        RU | ул. Ленина, д. 5, корп. 2, кв. 13 | ул. Ленина; number 5; unit 13; building 2
        RU | Невский проспект, 12а | Невский проспект; number 12а
        UA | вул. Хрещатик 22, кв. 5 | вул. Хрещатик; number 22; unit 5
        GR | Λεωφόρος Συγγρού 12 | Λεωφόρος Συγγρού; number 12
        TR | İstiklal Caddesi No: 5 Kat: 2 D: 3 | İstiklal Caddesi; number 5; unit 3; floor 2
        IL | הרצל 12 | הרצל; number 12
        SG | Blk 35 Mandalay Road #13-37 | Mandalay Road; number 35; unit 13-37
        HK | 5/F, 12 Queen's Road Central | Queen's Road Central; number 12; floor 5/F
        IN | Plot No. 12, MG Road | MG Road; number 12
        JP | 丸の内1丁目9-1 | 丸の内1丁目9-1
        KR | 테헤란로 152 | 테헤란로; number 152
        TH | 12 Sukhumvit Soi 11 | Sukhumvit Soi 11; number 12
        IT | Via della Scala 12 | Via della Scala; number 12
        IT | Via della Scala 12 scala 2 | Via della Scala; number 12; building 2
        IT | Via Roma 5 piano 3 | Via Roma; number 5; floor 3
        ES | Calle de la Torre 5 | Calle de la Torre; number 5
        ES | Calle de la Torre nº 5 puerta 3 | Calle de la Torre; number 5; unit 3
        GB | 12 Stock Road | Stock Road; number 12
        US | 5 Piano Lane Apt 3 | Piano Lane; number 5; unit 3
        DE | Am Haus 3 | Am Haus; number 3
        ZA | 12 Long Street, 3rd Floor | Long Street; number 12; floor 3rd Floor
        – | 12 Highway 7 | Highway 7; number 12
        – | Hauptstraße 12 | Hauptstraße; number 12
        – | 25 de Mayo 123 | 25 de Mayo; number 123
        – | Calle 26 # 59-51 | Calle 26; number 59-51
        """
}
