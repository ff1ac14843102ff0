import Geocoding
import Testing

@testable import Formats

/// Tables as people and programs make them, each with the addresses that are in it.
struct TableFixtureTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    /// The contacts of a file: `Ada: 1 High St/Ely/Cambs/CB7 4AB/UK`, and `+ …` for each further address. Then the notes.
    private func readings(_ text: String, mapping: String? = nil) throws -> [String] {
        try folder.put(text, into: "in.csv")
        var options = ReadingOptions()
        options.mapping = try mapping.map { try ColumnMapping($0, name: "m.txt") }
        return try Self.readings(entries(ContactsCSV(path: folder.file("in.csv"), options: options)))
    }

    private static func readings(_ entries: [ContactEntry]) -> [String] {
        entries.map { entry in
            switch entry {
            case .contact(_, let friend):
                let addresses = friend.addresses.map { labelled in
                    let address = labelled.address
                    let parts = [address.street, address.city, address.region, address.postcode, address.country]
                    let pin = labelled.position.map { " @\($0.latitude),\($0.longitude)" } ?? ""
                    return (labelled.label.isEmpty ? "" : "[\(labelled.label)] ")
                        + parts.joined(separator: "/").replacing("\n", with: "; ") + pin
                }
                return "\(friend.name): " + addresses.joined(separator: " + ")
            case .refused(let line, let reason): return "\(line) refused: \(reason)"
            case .noted(let line, let reason): return "\(line) noted: \(reason)"
            }
        }
    }

    @Test(arguments: Fixture.all) func `a table is read as a person reads it`(fixture: Fixture) throws {
        let found = try readings(fixture.text, mapping: fixture.mapping)
        #expect(found == fixture.found, "\(found)")
    }

    @Test(arguments: Fixture.countries) func `the headers of other countries are read`(fixture: Fixture) throws {
        let found = try readings(fixture.text)
        #expect(found == fixture.found, "\(found)")
    }

    @Test(arguments: Fixture.losses) func `a part of a table that is not read is named`(fixture: Fixture) throws {
        try folder.put(fixture.text, into: "in.csv")
        let source = Source(place: .file(folder.file("in.csv")), format: .csv, options: ReadingOptions())
        let lines = try TableReading.lines(of: source).map { $0.trimmed }
        for line in fixture.found { #expect(lines.contains(line), "\(lines)") }
    }

    @Test(arguments: ["xlsx", "ods"]) func `the sheet with the most contacts is read`(ending: String) throws {
        let sheets = [
            ("Codes", [["Name", "Country"], ["Boston", "US"]]),
            ("Old", [["Name", "Street", "City"], ["Bob", "2 Low Rd", "Hull"]]),
            ("Members", [["Name", "Street", "City"], ["Ada", "1 High St", "Ely"], ["Eve", "3 Mill Rd", "Bath"]]),
        ]
        let path = try ending == "ods" ? ods(sheets) : xlsx(sheets)
        #expect(
            try Self.readings(entries(ofWorkbook: path)) == ["Ada: 1 High St/Ely///", "Eve: 3 Mill Rd/Bath///"])
        let source = Source(
            place: .file(path), format: try SourceFormat(path: path), options: ReadingOptions())
        let lines = try TableReading.lines(of: source).map { $0.trimmed }
        #expect(lines[0] == "\(path) is read from the sheet \"Members\", with its header in row 1:")
        #expect(lines.last == "not read: other sheets with addresses, \"Old\" (1 row); --sheet NAME reads another one")
    }

    @Test func `names of groups above the header separate the addresses of a sheet`() throws {
        let path = try xlsx([
            (
                "A",
                [
                    ["Customers", "", "", "", ""], ["", "Billing Address", "", "Delivery", ""],
                    ["Name", "Street", "City", "Street", "City"], ["Ada", "1 High St", "Ely", "2 Low Rd", "Hull"],
                    ["Name", "Street", "City", "Street", "City"], ["Total", "", "1", "", "1"],
                ]
            )
        ])
        #expect(
            try Self.readings(entries(ofWorkbook: path)) == [
                "Ada: [billing] 1 High St/Ely/// + [delivery] 2 Low Rd/Hull///",
                "5 noted: it is not a contact: it repeats the header",
                "6 noted: it is not a contact: it is a sum of other rows",
            ])
        // The rows that are not contacts stay in the copy, without a status.
        let copy = try folder.copy(path)
        #expect(
            try Self.readings(entries(ofWorkbook: copy)).first
                == "Ada: [billing] 1 High St/Ely/// + [delivery] 2 Low Rd/Hull///")
        #expect(try folder.unzipped(copy).last?.text.contains("refused") == false)
    }

    private func xlsx(_ sheets: [(String, [[String]])]) throws -> String {
        try folder.excel(
            sheets.map { name, rows in
                let xml = rows.enumerated().map { number, cells in
                    "<row r=\"\(number + 1)\">"
                        + cells.enumerated().map { column, text in
                            XLSXRows.element(.text(text), column: column, row: number + 1)
                        }.joined() + "</row>"
                }
                return (name, "<sheetData>\(xml.joined())</sheetData>")
            })
    }

    private func ods(_ sheets: [(String, [[String]])]) throws -> String {
        try folder.openDocument(
            sheets.map { name, rows in
                let xml = rows.map { cells in
                    "<table:table-row>\(cells.map { ODSRows.element(.text($0)) }.joined())</table:table-row>"
                }
                return "<table:table table:name=\"\(name)\">\(xml.joined())</table:table>"
            }.joined())
    }
}

struct Fixture: Sendable, CustomTestStringConvertible {
    let what: String
    let text: String
    var mapping: String?
    let found: [String]

    var testDescription: String { what }

    init(_ what: String, _ text: String, mapping: String? = nil, _ found: String...) {
        (self.what, self.text, self.mapping, self.found) = (what, text, mapping, found)
    }
}

extension Fixture {
    static let all = [
        Self(
            "a heading with all parts",
            "Name,\"Address (street, city, state, zip)\"\nAda,\"12 Main St, Peoria, IL 61602\"",
            "Ada: 12 Main St/Peoria/IL/61602/"),
        Self(
            "a heading of words", "Name;Street Address City State Zip\nAda;12 Main St, Peoria, IL 61602",
            "Ada: 12 Main St/Peoria/IL/61602/"),
        Self(
            "whole lines in a column of postcodes and towns",
            "Kunde;PLZ/Ort\nAda;Königsallee 5, 40212 Düsseldorf\nBob;Weg 1, 89073 Ulm",
            "Ada: Königsallee 5/Düsseldorf//40212/", "Bob: Weg 1/Ulm//89073/"),
        Self(
            "whole lines in a column of towns",
            "Name;City\nAda;12 Main St, Peoria, IL 61602\nBob;5 Elm St, Boston, MA 02108",
            "Ada: 12 Main St/Peoria/IL/61602/", "Bob: 5 Elm St/Boston/MA/02108/"),
        Self(
            "towns with postcodes in a column of postcodes",
            "Name;Straße;PLZ\nAda;Weg 1;89073 Ulm\nBob;Weg 2;53111 Bonn",
            "Ada: Weg 1/Ulm//89073/", "Bob: Weg 2/Bonn//53111/"),
        Self(
            "headings that come twice",
            "Name,Street,City,Country,Street,City,Country\nAda,1 High St,Ely,UK,2 Rue X,Lyon,France",
            "Ada: 1 High St/Ely///UK + 2 Rue X/Lyon///France"),
        Self(
            "a second address that is blank",
            "Name,Street,City,Country,Street,City,Country\nAda,1 High St,Boston,,,,France",
            "Ada: 1 High St/Boston/// + ////France"),
        Self(
            "headings numbered by pandas", "Name,Street,City,Street.1,City.1\nAda,1 High St,Ely,2 Low Rd,Hull",
            "Ada: 1 High St/Ely/// + 2 Low Rd/Hull///"),
        Self(
            "numbered addresses",
            "Name,Address 1,City 1,Zip 1,Address 2,City 2,Zip 2\nAda,1 High St,Ely,CB7 4AB,2 Low Rd,Hull,HU1 1AA",
            "Ada: 1 High St/Ely//CB7 4AB/ + 2 Low Rd/Hull//HU1 1AA/"),
        Self(
            "a second table behind a blank column",
            "Name,City,,City,Country\nAda,Boston,,Paris,France\nBob,Ely,,Rome,Italy",
            "Ada: /Boston/// + /Paris///France", "Bob: /Ely/// + /Rome///Italy"),
        Self(
            "a list of countries behind a blank column", "Name,City,,Country\nAda,Boston,,France\nBob,Ely,,Italy",
            "Ada: /Boston///", "Bob: /Ely///"),
        Self(
            "a table with a blank column behind each other",
            "Name,,Street,,City,,Country\nAda,,1 High St,,Ely,,UK\nBob,,2 Low Rd,,Hull,,UK",
            "Ada: 1 High St/Ely///UK", "Bob: 2 Low Rd/Hull///UK"),
        Self(
            "a second table with names", "Name,City,Name,City\nAda,Boston,Eve,Paris\nBob,Ely,,", "Ada: /Boston///",
            "Bob: /Ely///"),
        Self(
            "names of groups above the header",
            ",Home,,Work,\nName,Street,City,Street,City\nAda,1 High St,Ely,2 Low Rd,Hull",
            "Ada: [home] 1 High St/Ely/// + [work] 2 Low Rd/Hull///"),
        Self(
            "a name next to the names of groups",
            "Name;Home Address;;Work Address;\n;Street;City;Street;City\nAda;1 High St;Ely;2 Low Rd;Hull",
            "Ada: [home] 1 High St/Ely/// + [work] 2 Low Rd/Hull///"),
        Self(
            "one country for two addresses",
            "Name,Home Street,Home City,Work Street,Work City,Country\nAda,1 High St,Ely,2 Low Rd,Hull,UK",
            "Ada: [home] 1 High St/Ely///UK + [work] 2 Low Rd/Hull///UK"),
        Self(
            "names for programs above the header", "name,street,city\nName,Street,City\nAda,1 High St,Ely",
            "Ada: 1 High St/Ely///"),
        Self(
            "a title above the header", "Members,,\n,,2026\nName,Street,City\nAda,1 High St,Ely",
            "Ada: 1 High St/Ely///"),
        Self(
            "a header that is repeated", "Name;Ort\nAda;Ulm\nName;Ort\nBob;Bonn", "Ada: /Ulm///",
            "3 noted: it is not a contact: it repeats the header", "Bob: /Bonn///"),
        Self(
            "sums",
            "Name;Ort;Betrag\nAda;Ulm;5\nZwischensumme;;5\nBob;Bonn;7\n;Bonn Ergebnis;7\nGesamt:;;12\nTotal GmbH;Köln;3",
            "Ada: /Ulm///", "3 noted: it is not a contact: it is a sum of other rows", "Bob: /Bonn///",
            "5 noted: it is not a contact: it is a sum of other rows",
            "6 noted: it is not a contact: it is a sum of other rows", "Total GmbH: /Köln///"),
        Self(
            "a heading of two names", "Name;Town / City;State / Province;Postal code/ZIP\nAda;Peoria;IL;61602",
            "Ada: /Peoria/IL/61602/"),
        Self("a heading in two languages", "Nom;Ville (City);Pays (Country)\nAda;Lyon;France", "Ada: /Lyon///France"),
        Self("a heading with a remark", "Name;City *(required)\nAda;Lyon", "Ada: /Lyon///"),
        Self(
            "lines of an address",
            "Name,Address 1,Address 2,Address 3,Address 4,Postcode\nAda,1 High St,Little Downham,Ely,,CB6 2ST",
            "Ada: 1 High St, Little Downham/Ely//CB6 2ST/"),
        Self(
            "lines next to a town", "Name,Address 1,Address 2,Address 3,City\nAda,1 High St,Flat 2,Block B,Ely",
            "Ada: 1 High St; Flat 2; Block B/Ely///"),
        Self(
            "four addresses",
            "Name,Address 1,Address 2\nAda,\"12 Main St, Peoria, IL 61602\",\"5 Elm St, Boston, MA 02108\"",
            "Ada: 12 Main St/Peoria/IL/61602/ + 5 Elm St/Boston/MA/02108/"),
        Self(
            "house numbers that became dates",
            "Name;Straße;Hausnummer;Ort\nAda;Weg;03. Mai;Ulm\nBob;Weg;3-5;Ulm\nEve;Weg;2026-05-03;Ulm\nCy;Weg;Mai 05;Ulm",
            "Ada: Weg/Ulm///", "2 noted: \(date)", "Bob: Weg 3-5/Ulm///", "Eve: Weg/Ulm///", "4 noted: \(date)",
            "Cy: Weg/Ulm///", "5 noted: \(date)"),
        Self(
            "latitudes by a German name", "Name;Ort;Breite;Länge\nAda;Ulm;48,39841;9,99155\nBob;Bonn;50,73743;7,0982",
            "Ada: /Ulm/// @48.39841,9.99155", "Bob: /Bonn/// @50.73743,7.0982"),
        Self(
            "sizes of a parcel", "Name;Ort;Breite;Länge\nAda;Ulm;30,5;20\nBob;Bonn;30;20", "Ada: /Ulm///",
            "Bob: /Bonn///"),
        Self(
            "surnames that are also towns",
            "a;b;c\nBerlin;Weg 1;89073 Ulm\nHamburg;Weg 2;53111 Bonn\nParis;Weg 3;50667 Köln",
            ": Weg 1/Ulm//89073/", ": Weg 2/Bonn//53111/", ": Weg 3/Köln//50667/"),
        Self(
            "surnames next to towns", "a;b;c\nBerlin;Weg 1;Ulm\nHamburg;Weg 2;Bonn\nParis;Weg 3;Köln",
            ": Weg 1/Ulm///", ": Weg 2/Bonn///", ": Weg 3/Köln///"),
        Self(
            "a mapping of one column", "Name,Where,City,Country\nAda,1 High St,Ely,UK", mapping: "street = Where",
            "Ada: 1 High St/Ely///UK"),
        Self(
            "a mapping of a whole line", "Name,City,Where,Country\nAda,Hull,\"1 High St, Ely\",UK",
            mapping: "formatted = Where",
            "Ada: 1 High St/Ely///UK"),
        Self(
            "a mapping that leaves a column out", "Name,City,Country\nAda,Ely,US", mapping: "- = Country",
            "Ada: /Ely///"),
        Self(
            "a whole address next to a town", "Nama,Alamat Lengkap,Kota\nAda,\"Jl. Sudirman No. 123, Jakarta\",Jakarta",
            "Ada: Jl. Sudirman No. 123/Jakarta///"),
        Self(
            "a town before its municipality", "Name;Gmina;Miejscowość\nAda;Zakopane;Kościelisko", "Ada: /Kościelisko///"
        ),
        Self(
            "a number behind an unknown column", "Name,Street,Phone,No.,City\nAda,High St,555,7,Ely",
            "Ada: High St/Ely///"),
    ]

    private static let date =
        "a house number is left out: it is a date, which a spreadsheet makes of a number such as 3-5"

    /// Headers of programs and forms in other countries.
    static let countries = [
        Self(
            "Indonesia",
            "Nama Pelanggan,Alamat,Kelurahan/Desa,Kecamatan,Kota/Kab,Provinsi,Kode Pos\nAda,Jl. Asia Afrika 8,Braga,Sumur Bandung,Bandung,Jawa Barat,40111",
            "Ada: Jl. Asia Afrika 8; Braga; Sumur Bandung/Bandung/Jawa Barat/40111/"),
        Self(
            "Thailand",
            "ชื่อ-สกุล,บ้านเลขที่,ถนน,ตำบล/แขวง,อำเภอ/เขต,จังหวัด,รหัสไปรษณีย์\nAda,99,ถนนสุขุมวิท,พระโขนง,คลองเตย,กรุงเทพมหานคร,10110",
            "Ada: ถนนสุขุมวิท 99; พระโขนง/คลองเตย/กรุงเทพมหานคร/10110/"),
        Self(
            "Israel", "שם,רחוב,מס' בית,דירה,עיר/ישוב,מיקוד\nAda,הרצל,12,3,חיפה,3303139",
            "Ada: הרצל 12; 3/חיפה//3303139/"),
        Self(
            "Argentina",
            "Apellido y Nombre;Calle;Altura;Piso;Depto;Localidad;Provincia;CPA\nAda;San Martín;450;2;B;Rosario;Santa Fe;S2000",
            "Ada: San Martín 450; 2; B/Rosario/Santa Fe/S2000/"),
        Self(
            "Viet Nam",
            "Họ và tên,Số nhà,Đường,Phường/Xã,Quận/Huyện,Tỉnh/TP\nAda,12,Lê Lợi,Bến Nghé,Quận 1,Hồ Chí Minh",
            "Ada: Lê Lợi 12; Bến Nghé/Quận 1/Hồ Chí Minh//"),
        Self(
            "Türkiye",
            "Adı Soyadı;Mahalle;Cadde/Sokak;Bina No;Daire No;İlçe;İl;Posta Kodu\nAda;Caferağa;Moda Cd.;12;3;Kadıköy;İstanbul;34710",
            "Ada: Moda Cd. 12; Caferağa; 3/Kadıköy/İstanbul/34710/"),
        Self(
            "Poland",
            "Nazwa klienta;Ulica;Nr domu/lokalu;Kod pocztowy;Poczta;Miejscowość\nAda;Krupówki;12/3;34-500;Zakopane;Kościelisko",
            "Ada: Krupówki 12/3/Kościelisko//34-500/"),
        Self(
            "Japan", "お届け先名,お届け先郵便番号,お届け先都道府県,お届け先市区町村,お届け先町名,お届け先番地,お届け先建物名\nAda,150-0001,東京都,渋谷区,神宮前,1-2-3,ハイツ",
            "Ada: 神宮前 1-2-3; ハイツ/渋谷区/東京都/150-0001/"),
        Self(
            "Brazil",
            "Nome;Logradouro;Número;Complemento;Bairro;Cidade/UF;CEP\nAda;Rua Augusta;100;Apto 2;Centro;São Paulo/SP;01305-000",
            "Ada: Rua Augusta 100; Apto 2; Centro/São Paulo/SP/01305-000/"),
        Self(
            "Mexico",
            "Nombre,Calle,No. Exterior,No. Interior,Colonia,Alcaldía/Municipio,Estado,C.P.\nAda,Reforma,222,5,Juárez,Cuauhtémoc,CDMX,06600",
            "Ada: Reforma 222; 5; Juárez/Cuauhtémoc/CDMX/06600/"),
        Self(
            "Korea", "수취인명,우편번호,기본주소,상세주소\nAda,04524,서울특별시 중구 세종대로 110,3층",
            "Ada: 중구 세종대로 110, 3층/서울특별시//04524/"),
        Self(
            "Switzerland", "Nachname/Nom;Strasse und Nr./Rue et n°;PLZ/NPA;Ort/Lieu\nAda;Bahnhofstrasse 1;8001;Zürich",
            "Ada: Bahnhofstrasse 1/Zürich//8001/"),
        Self(
            "India",
            "Customer Name,Flat/House No,Street,Landmark,City/District,State/UT,PIN Code\nAda,12,MG Road,,Pune,Maharashtra,411001",
            "Ada: MG Road 12/Pune/Maharashtra/411001/"),
    ]

    /// Lines that `geocode` prints about a table.
    static let losses = [
        Self(
            "a second table", "Name,City,Name,City\nAda,Boston,Eve,Paris",
            "not read: Name, City: a second table; a file or a sheet of its own, or rows below the first, are read"),
        Self(
            "a blank column", "Name,City,,Country\nAda,Boston,,France",
            "not read: Country: a blank column separates it; a --mapping with country = Country reads it"),
        Self(
            "a second column of one field", "Name,City,State,County\nAda,Ely,,Cambs\nBob,Peoria,IL,Peoria",
            "County → region, where State is blank"),
        Self("a column without a name", "Name,City,,\nAda,Ely,red,blue", "ignored: column 3, column 4"),
    ]
}
