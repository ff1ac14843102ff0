import Foundation
import Geocoding
import Testing

@testable import Formats

/// Each row is made up; the headers are those of the publishers.
struct PointFileTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func `projections may be made and used by several threads at once`() async throws {
        try await withThrowingTaskGroup(of: Double.self) { group in
            for _ in 0..<32 {
                group.addTask { try Projection(from: "EPSG:5514").degrees(x: -743_100, y: -1_043_100).latitude }
            }
            for try await latitude in group { #expect(abs(latitude - 50.08) < 0.1) }
        }
    }

    @Test(arguments: Layouts.all)
    func `a layout is recognized by its header, and its columns become a point`(_ sample: Layouts.Sample) throws {
        try sample.bytes.write(to: URL(filePath: folder.file("a.csv")))
        let (points, report, reading) = try read("a.csv")

        #expect(reading.hasPrefix(sample.layout))
        #expect(report.leftOut.isEmpty)
        let point = try #require(points.first)
        #expect(point.number == sample.point.number)
        #expect(point.street == sample.point.street)
        #expect([point.city, point.district, point.region, point.postcode, point.countryCode] == sample.rest)
        #expect(point.coordinate.distance(to: sample.point.coordinate) < sample.metres)
    }

    @Test func `GeoJSON of OpenStreetMap gives points, the centres of buildings, and each of several numbers`() throws {
        let building = "[[[24.94,60.16],[24.96,60.16],[24.96,60.18],[24.94,60.18],[24.94,60.16]]]"
        let features = [
            feature("5", "Point", "[24.95,60.17]"), feature("7;9", "Polygon", building),
            feature("11", "MultiPolygon", "[\(building)]"), feature("", "Point", "[24.95,60.17]"),
            feature("13", "Point", "[]"), "{\"type\":\"Feature\"",
        ]
        let collection =
            "{\"type\":\"FeatureCollection\",\"features\":[\n\(features[..<5].joined(separator: ",\n"))\n]}"
        let forms = [
            ("lines", features.joined(separator: "\n")), ("collection", collection),
            ("sequence", features.map { "\u{1E}\($0)\n" }.joined()),
        ]
        for (name, text) in forms {
            try folder.put(text, into: "a.geojson")
            let (points, report, _) = try read("a.geojson")
            #expect(points.map(\.number) == ["5", "7", "9", "11"], "\(name)")
            #expect(points.allSatisfy { $0.countryCode == "FI" && $0.postcode == "00100" && $0.city == "Helsinki" })
            #expect(points.allSatisfy { abs($0.coordinate.latitude - 60.17) < 1e-9 }, "\(name)")
            let reasons = report.leftOut.map(\.reason)
            #expect(reasons == [.noNumber, .noPosition] + (name == "collection" ? [] : [.malformed]), "\(name)")
        }
    }

    @Test func `rows that give no point are counted by their reason`() throws {
        let rows = """
            number,street,city,postcode,country,latitude,longitude
            1,Lane,Ely,,GB,52.4,0.26
            1,Lane,Ely,,GB,52.4,0.26
            ,Lane,Ely,,GB,52.4,0.26
            2,,,CB7,GB,52.4,0.26
            3,Lane,,,GB,52.4,0.26
            4,Lane,Ely,,Atlantis,52.4,0.26
            5,Lane,Ely,,GB,,
            6,Lane,Ely,,GB,152.4,0.26
            7,Lane,Ely,,GB,0,0
            8,Lane,"Ely
            9,Lane,Ely,,,52.4,0.26
            10,Lane
            """
        try folder.put(rows, into: "a.csv")
        let (points, report, reading) = try read("a.csv")
        #expect(points.map(\.number) == ["1"])
        #expect(reading.hasPrefix("columns by their names: number → number, street → street"))
        let counts = Dictionary(uniqueKeysWithValues: report.leftOut.map { ($0.reason, $0.count) })
        #expect(
            counts == [
                .repeated: 1, .noNumber: 1, .noStreet: 1, .noTown: 2, .noCountry: 2, .noPosition: 1, .notOnEarth: 2,
                .malformed: 1,
            ])
    }

    @Test func `columns of an unknown table are named by the user`() throws {
        try folder.put("a\tb\tc\td\te\tz\n12\tbis\tRue X\t4,5\t45,25\tLyon\n", into: "a.tsv")
        var options = PointFile.Options()
        options.layout = try PointLayout(columns: "number=a+ b,street=c,longitude=d,latitude=e,city=y|z")
        options.country = Country("FR")
        let (points, _, _) = try read("a.tsv", options)
        let place = try #require(Coordinate(latitude: 45.25, longitude: 4.5))
        #expect(
            points == [
                AddressPoint(number: "12 bis", street: "Rue X", city: "Lyon", countryCode: "FR", coordinate: place)
            ])
    }

    @Test(arguments: [
        ("number=nr,street=strase,longitude=x,latitude=y", "no column \"strase\"; its columns are \"nr\", \"strasse\""),
        (
            "number=nr+zusatz,street=strasse,city=stadt|gemeinde,longitude=x,latitude=y",
            "\"gemeinde\", \"stadt\", \"zusatz\";"
        ),
    ])
    func `a column that the user names and the table lacks is named`(_ columns: String, _ problem: String) throws {
        try folder.put("nr,strasse,ort,x,y\n1,Seegasse,Dorf,10,47\n", into: "a.csv")
        var options = PointFile.Options()
        options.layout = try PointLayout(columns: columns)
        let mistake = #expect(throws: ColumnMistake.self) {
            try PointFile(path: folder.file("a.csv"), options: options)
        }
        #expect(mistake?.description.contains(problem) == true, "\(mistake?.description ?? "")")
    }

    @Test(arguments: [
        ("number=a,city=b", "it names no column for street, longitude, latitude"),
        ("strase=a,number", "\"strase\" is not a part of an address; there are"),
    ])
    func `mistakes in the names of columns are explained`(_ text: String, _ problem: String) throws {
        let mistake = #expect(throws: ColumnMistake.self) { try PointLayout(columns: text) }
        #expect(mistake?.description.contains(problem) == true)
    }

    @Test(arguments: [
        ("name,city\nAda,Ely\n", nil, "name its columns, for example: --columns number="),
        ("number,street,city,lat,lon\n1,A,B,1,2\n", nil, "has no column for the country"),
        ("number,street,city,lat,lon\n1,A,B,1,2\n", "EPSG:99999999", "the coordinate system is unknown to PROJ"),
        ("", nil, "has no header"),
    ])
    func `a file that can't be used is refused with a sentence`(
        _ text: String, _ system: String?, _ problem: String
    ) throws {
        try folder.put(text, into: "a.csv")
        var options = PointFile.Options()
        if let system { (options.system, options.country) = (system, Country("GB")) }
        let error = #expect(throws: FileError.self) { try PointFile(path: folder.file("a.csv"), options: options) }
        #expect(error?.problem.contains(problem) == true)
        #expect(error?.file == folder.file("a.csv"))
    }

    @Test func `gzip and zip archives are read without unpacking them first`() throws {
        let header = "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n"
        let rows = (1...5_000).map { "-118.4,34.\($0),\($0),MAIN ST,,ELY,,CA,91423,\($0),x\n" }
        try folder.put(header + rows.joined(), into: "us.csv")
        try folder.put("No table.", into: "README.md")
        try run("cd '\(folder.path)' && gzip -k us.csv && python3 -m zipfile -c us.zip README.md us.csv us.csv")
        var options = PointFile.Options()
        options.country = Country("US")
        for (name, count) in [("us.csv", 5_000), ("us.csv.gz", 5_000), ("us.zip", 10_000)] {
            let (points, report, _) = try read(name, options)
            #expect(points.count == count)
            #expect(report.points == count)
        }
        let packed = try folder.bytes(of: "us.csv.gz")
        try Data(packed.dropLast(100)).write(to: URL(filePath: folder.file("cut.csv.gz")))
        #expect(throws: FileError.self) { try read("cut.csv.gz", options) }
    }

    @Test func `all houses of the sample are read`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../deploy/sample/points.csv.gz")
        var file = try PointFile(path: path.standardizedFileURL.path)
        var countries: Set<String> = []
        let report = try file.forEach { countries.insert($0.countryCode) }
        #expect(report.points == 763)
        #expect(report.leftOut.isEmpty)
        #expect(countries == ["FI", "LI"])
    }

    private func feature(_ number: String, _ kind: String, _ coordinates: String) -> String {
        """
        {"type":"Feature","geometry":{"type":"\(kind)","coordinates":\(coordinates)},"properties":{\
        "addr:housenumber":"\(number)","addr:street":"Testikatu","addr:city":"Helsinki","addr:postcode":"00100",\
        "addr:country":"FI"}}
        """
    }

    @discardableResult
    private func read(
        _ name: String, _ options: PointFile.Options = PointFile.Options()
    ) throws -> ([AddressPoint], PointFileReport, String) {
        var file = try PointFile(path: folder.file(name), options: options)
        var points: [AddressPoint] = []
        let report = try file.forEach { points.append($0) }
        return (points, report, file.reading)
    }

    private func run(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}

/// A table with one row, as its publisher writes it.
enum Layouts {
    struct Sample: CustomTestStringConvertible, Sendable {
        let layout: String
        let bytes: Data
        let point: AddressPoint
        /// National systems differ from GPS by a metre, and tables round.
        let metres: Double

        var rest: [String] { [point.city, point.district, point.region, point.postcode, point.countryCode] }
        var testDescription: String { layout }

        init(
            _ layout: String, _ table: String, _ point: [String], latitude: Double, longitude: Double,
            metres: Double = 0.01, encoding: String.Encoding = .utf8
        ) {
            (self.layout, self.metres) = (layout, metres)
            bytes = table.data(using: encoding) ?? Data()
            guard let place = Coordinate(latitude: latitude, longitude: longitude) else { fatalError("not on Earth") }
            self.point = AddressPoint(
                number: point[0], street: point[1], city: point[2], district: point[3], region: point[4],
                postcode: point[5], countryCode: point[6], coordinate: place)
        }
    }

    static let all = [
        Sample(
            "BAN, France",
            """
            id;id_fantoir;numero;rep;nom_voie;code_postal;code_insee;nom_commune;code_insee_ancienne_commune;\
            nom_ancienne_commune;x;y;lon;lat;type_position;alias;nom_ld;libelle_acheminement;nom_afnor;source_position;\
            source_nom_voie;certification_commune;cad_parcelles
            01001_0001_00012_bis;01001_0001;12;bis;Rue de l’Exemple;01400;01001;Exempleville;;;848000.1;6563000.2;4.926;\
            46.153;entrée;;;EXEMPLEVILLE;RUE DE L EXEMPLE;commune;commune;1;

            """, ["12bis", "Rue de l’Exemple", "Exempleville", "", "", "01400", "FR"], latitude: 46.153,
            longitude: 4.926),
        Sample(
            "BAG, Netherlands",
            """
            openbareruimte;huisnummer;huisletter;huisnummertoevoeging;postcode;woonplaats;gemeente;provincie;object_id;\
            object_type;nevenadres;x;y;lon;lat
            Voorbeeldstraat;12;A;2;1234AB;Voorbeelddorp;Voorbeeld;Drenthe;1;VBO;f;1;2;6.5;52.75

            """, ["12A-2", "Voorbeeldstraat", "Voorbeelddorp", "Voorbeeld", "Drenthe", "1234AB", "NL"],
            latitude: 52.75, longitude: 6.5),
        Sample(
            "RÚIAN, Czechia",
            """
            Kód ADM;Kód obce;Název obce;Kód MOMC;Název MOMC;Kód obvodu Prahy;Název obvodu Prahy;Kód části obce;\
            Název části obce;Kód ulice;Název ulice;Typ SO;Číslo domovní;Číslo orientační;Znak čísla orientačního;PSČ;\
            Souřadnice Y;Souřadnice X;Platí Od
            1;554782;Praha;;;;;490067;Příklad;1;Žluťoučká;č.p.;791;39;b;17000;741928.31;1042585.42;2026-01-01T00:00:00

            """, ["791/39b", "Žluťoučká", "Praha", "Příklad", "", "17000", "CZ"], latitude: 50.092352,
            longitude: 14.432642, metres: 3, encoding: .windowsCP1250),
        Sample(
            "RÚIAN, Czechia",
            """
            Kód ADM;Kód obce;Název obce;Kód MOMC;Název MOMC;Kód obvodu Prahy;Název obvodu Prahy;Kód části obce;\
            Název části obce;Kód ulice;Název ulice;Typ SO;Číslo domovní;Číslo orientační;Znak čísla orientačního;PSČ;\
            Souřadnice Y;Souřadnice X;Platí Od
            1;599999;Vesnice;;;;;168491;Malá Vesnice;;;č.p.;2;;;74401;741928.31;1042585.42;2022-08-24T00:00:00

            """, ["2", "", "Vesnice", "Malá Vesnice", "", "74401", "CZ"], latitude: 50.092352,
            longitude: 14.432642, metres: 3, encoding: .windowsCP1250),
        // The point is the origin of the system, by its definition.
        Sample(
            "ADS, Estonia",
            """
            ADOB_ID;ADS_OID;TAISAADRESS;VIITEPUNKT_X;VIITEPUNKT_Y;TASE1_NIMETUS;TASE2_NIMETUS;TASE3_NIMETUS;\
            TASE5_NIMETUS;TASE5_NIMETUS_LIIGIGA;TASE7_NIMETUS
            1;EE1;;500000;6375000;Näidismaa;Näidis;Kesklinn;Narva;Narva mnt;28

            """, ["28", "Narva mnt", "Näidis", "Kesklinn", "Näidismaa", "", "EE"], latitude: 57.517553931,
            longitude: 24, metres: 0.1),
        Sample(
            "G-NAF Core, Australia",
            """
            ADDRESS_DETAIL_PID|DATE_CREATED|ADDRESS_LABEL|ADDRESS_SITE_NAME|BUILDING_NAME|FLAT_TYPE|FLAT_NUMBER|\
            LEVEL_TYPE|LEVEL_NUMBER|NUMBER_FIRST|NUMBER_LAST|LOT_NUMBER|STREET_NAME|STREET_TYPE|STREET_SUFFIX|\
            LOCALITY_NAME|STATE|POSTCODE|LEGAL_PARCEL_ID|MB_CODE|ALIAS_PRINCIPAL|PRINCIPAL_PID|PRIMARY_SECONDARY|\
            PRIMARY_PID|GEOCODE_TYPE|LONGITUDE|LATITUDE
            G1|2020-01-01||||||||12|14||EXAMPLE|STREET|WEST|SAMPLETON|NSW|2999||||||||151.25|-33.75

            """,
            ["12-14", "EXAMPLE STREET WEST", "SAMPLETON", "", "NSW", "2999", "AU"], latitude: -33.75,
            longitude: 151.25),
        Sample(
            "NAD, United States",
            """
            OID_,AddNum_Pre,Add_Number,AddNum_Suf,AddNo_Full,St_PreMod,St_PreDir,St_PreTyp,St_PreSep,St_Name,St_PosTyp,\
            St_PosDir,St_PosMod,StNam_Full,County,Inc_Muni,Post_City,State,Zip_Code,Longitude,Latitude
            1,,12,A,,,North,,,Example,Street,,,,Sample County,Sampletown,Not stated,OR,97000,-123.5,44.5

            """, ["12A", "North Example Street", "Sampletown", "Sampletown", "OR", "97000", "US"], latitude: 44.5,
            longitude: -123.5),
    ]
}
