import Geocoding
import Testing

@testable import Formats

struct CSVCopyTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func `Google's columns are kept, followed by a place for each address`() throws {
        let copied = try copy(
            of: """
                Name,Notes,Address 1 - Type,Address 1 - Street,Address 1 - City,Address 2 - Street,Address 2 - City\r
                Ada,"one\r
                ""two"" more",* Home,"1 High St, Flat 2",Ely,,Reno\r
                Bob,,,,,2 Mill Rd,Ely\r
                Cy,"",,,,,\r

                """,
            places: [
                "name:ada#1": [place(1, latitude: 52.4), place(2, latitude: nil)],
                "name:bob#1": [place(1, latitude: 1)],
            ])

        #expect(
            copied == """
                Name,Notes,Address 1 - Type,Address 1 - Street,Address 1 - City,Address 2 - Street,Address 2 - City,\
                latitude,longitude,precision,confidence,area_confidence,provider,status,\
                address 1 latitude,address 1 longitude,address 1 precision,address 1 confidence,address 1 area_confidence,address 1 provider,\
                address 1 status,\
                address 2 latitude,address 2 longitude,address 2 precision,address 2 confidence,address 2 area_confidence,address 2 provider,\
                address 2 status\r
                Ada,"one\r
                ""two"" more",* Home,"1 High St, Flat 2",Ely,,Reno,\
                52.4,0.5,rooftop,0.93,0.93,photon,located,52.4,0.5,rooftop,0.93,0.93,photon,located,,,,,,,not_found\r
                Bob,,,,,2 Mill Rd,Ely,1.0,0.5,rooftop,0.93,0.93,photon,located,,,,,,,,1.0,0.5,rooftop,0.93,0.93,photon,located\r
                Cy,"",,,,,,,,,,,,,,,,,,,,,,,,,,\r

                """)
    }

    @Test func `Outlook's dialect is kept, with its byte order mark and its sep line`() throws {
        let copied = try copy(
            of: """
                \u{FEFF}sep=;
                "First Name";"Business Street";"Business City";"Home Street";"Home City"
                "Ada";"1; High St";"Ely";"2 Mill Rd";"Ely"
                """, places: ["name:ada#1": [place(1, latitude: 1), place(2, latitude: 2)]])

        #expect(
            copied == """
                \u{FEFF}sep=;
                "First Name";"Business Street";"Business City";"Home Street";"Home City";\
                latitude;longitude;precision;confidence;area_confidence;provider;status;\
                work latitude;work longitude;work precision;work confidence;work area_confidence;work provider;work status;\
                home latitude;home longitude;home precision;home confidence;home area_confidence;home provider;home status
                "Ada";"1; High St";"Ely";"2 Mill Rd";"Ely";\
                1,0;0,5;rooftop;0,93;0,93;photon;located;1,0;0,5;rooftop;0,93;0,93;photon;located;2,0;0,5;rooftop;0,93;0,93;photon;located

                """)
    }

    @Test(arguments: [1, 2, 3, 100]) func `rows with one key are one contact's addresses, in order`(limit: Int)
        throws
    {
        let text = "key,name,city\na,Ada,Ely\na,Ada,Reno\na,Ada,\na,Ada,Hull\nb,Bob,Ely\n"
        let places = [
            "a": [place(1, latitude: 1), place(2, latitude: 2), place(3, latitude: 3)], "b": [place(1, latitude: 4)],
        ]
        let copied = try fields(copy(of: Array(text.utf8), places: places, limit: limit))

        #expect(copied.map { $0[3] } == ["latitude", "1.0", "2.0", "", "3.0", "4.0"])
    }

    @Test func `a refused row is copied unchanged, with a status`() throws {
        let copied = try copy(
            of: """
                id,name,city
                1,Ada,Ely
                2,"Eve "E",Ely
                3,Bob,Ely,Reno
                1,Cy,Ely
                ,,
                5,Di
                """, places: ["id:1": [place(1, latitude: 1)]])

        #expect(
            copied == """
                id,name,city,latitude,longitude,precision,confidence,area_confidence,provider,status
                1,Ada,Ely,1.0,0.5,rooftop,0.93,0.93,photon,located
                "2,""Eve ""E"",Ely",,,,,,,,,refused
                3,Bob,Ely,,,,,,,refused,Reno
                1,Cy,Ely,,,,,,,refused
                ,,,,,,,,,refused
                5,Di,,,,,,,,

                """)
    }

    @Test func `invalid bytes affect only their own row`() throws {
        try folder.put("", into: "out.csv")
        let bytes = Array("name,city\nA".utf8) + [0x00] + Array(",Ely\nBob,Ely\n".utf8)
        let copied = try copy(of: bytes, places: [:], limit: 1)

        #expect(try fields(copied).map(\.count) == [9, 9])
        #expect(copied.split(separator: "\n").count == 3)
        #expect(copied.hasSuffix("Bob,Ely,,,,,,,\n"))
    }

    @Test func `a column of the file keeps its name, and the added one gets another`() throws {
        let copied = try copy(
            of: "name,city,Latitude,STATUS,waypost status\nAda,Ely,north,friend,\n",
            places: ["name:ada#1": [place(1, latitude: 1)]])

        #expect(
            copied == """
                name,city,Latitude,STATUS,waypost status,\
                waypost latitude,longitude,precision,confidence,area_confidence,provider,waypost 2 status
                Ada,Ely,north,friend,,1.0,0.5,rooftop,0.93,0.93,photon,located

                """)
    }

    @Test(arguments: [
        "name,city\n,Ely\n\"Di, x\",\"E\"\"ly\"\n", "city,Latitude,status\nEly,north,friend\n,2,\n",
        "name,home city,work city,notes\nAda,Ely,Reno,\"a\nb\"\n", "city\nEly\n", "name,city\nBob,Ely,Reno\nCy\n",
    ])
    func `a copy of a copy has the added columns once`(text: String) throws {
        let once = try copy(of: text, places: [:], adding: AddedColumns("all"))
        #expect(once != text)
        #expect(try copy(of: once, places: [:], adding: AddedColumns("all")) == once)
        #expect(try copy(of: once, places: [:]) == copy(of: text, places: [:]))
    }

    @Test func `a copy requoted by another program gets the added columns once`() throws {
        let text = "name,city,notes\nAda,Ely,\"a, \"\"b\"\"\"\nBob,Reno,\n"
        let once = try copy(of: text, places: ["name:ada#1": [place(1, latitude: 1)]])
        let quoted = try fields(once).map { row in
            row.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\n"
        }.joined()
        let twice = try copy(of: quoted, places: ["name:ada#1": [place(1, latitude: 1)]])
        #expect(try fields(twice) == fields(once))
        #expect(twice.hasPrefix("\"name\",\"city\",\"notes\",latitude,"))
        #expect(try copy(of: twice, places: ["name:ada#1": [place(1, latitude: 1)]]) == twice)
    }

    @Test(arguments: [1, 2, 1_000]) func `odd text is the same in the copy`(limit: Int) throws {
        let names = oddTexts.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
        let text = "name,city,notes\n" + names.map { "\($0),Ely,\($0)\n" }.joined()
        let copied = try copy(of: Array(text.utf8), places: [:], limit: limit)

        let columns = try fields(copied)
        #expect(columns.count == oddTexts.count + 1)
        for (row, text) in zip(columns.dropFirst(), oddTexts) {
            #expect(Array(row[0].utf8) == Array(text.utf8))
            #expect(Array(row[2].utf8) == Array(text.utf8))
        }
        #expect(try entries(copied) == entries(text))
    }

    @Test func `an abandoned copy leaves no file`() throws {
        do {
            var copy = try CSVCopy(
                of: ContactsCSV(CSVReader(Array("name,city\nAda,Ely\n".utf8))),
                to: OutputFile(path: folder.file("out.csv")))
            _ = try copy.read(limit: 10)
            try copy.write([:])
        }
        #expect(try folder.names.isEmpty)
    }

    /// The columns of Outlook for Windows, in its order.
    @Test func `columns for no specific address show the best address`() throws {
        let header = """
            Title,First Name,Middle Name,Last Name,Suffix,Company,Department,Job Title,Business Street,Business Street 2,\
            Business City,Business State,Business Postal Code,Business Country/Region,Home Street,Home City,Home State,\
            Home Postal Code,Home Country/Region,Other Street,Other City,E-mail Address,Location,Notes
            """
        let text = """
            \(header)
            ,Ada,,L,,,,,,,,,,,1 High St,Ely,,,UK,,,,,
            ,Bob,,L,,,,,2 Mill Rd,,Ely,,,UK,3 Elm St,Ely,,,UK,,,,,
            ,Cy,,L,,,,,4 Oak St,,Ely,,,,,,,,,5 Ash St,Ely,,,
            ,Di,,L,,,,,,,,,,,,,,,,,,,,
            """
        var poor = place(1, latitude: 3)
        poor.precision = .city
        let copied = try fields(
            copy(
                of: text,
                places: [
                    "name:ada l#1": [place(1, latitude: 1)], "name:bob l#1": [poor, place(2, latitude: 4)],
                    "name:cy l#1": [place(1, latitude: nil), place(2, latitude: 5)],
                ]))
        let latitudes = copied[0].indices.filter { copied[0][$0].hasSuffix("latitude") }
        #expect(
            copied.map { row in latitudes.map { row[$0] } } == [
                ["latitude", "work latitude", "home latitude", "other latitude"], ["1.0", "", "1.0", ""],
                ["4.0", "3.0", "4.0", ""], ["5.0", "", "", "5.0"], ["", "", "", ""],
            ])
    }

    /// The columns of Windows' contacts and of the new Outlook.
    @Test func `columns without a prefix are one address, next to those with a prefix`() throws {
        let columns = try ContactColumns(
            header: "First Name,Last Name,Street,City,State,Postal Code,Country/Region,Home Street,Home City".split(
                separator: ","
            ).map(String.init))
        #expect(columns.addresses.map(\.group.label) == ["", "home"])
    }

    @Test func `a copy has the columns of the match, and more on request`() throws {
        var found = place(1, latitude: 52.4)
        found.place.placemark = Placemark(
            coordinate: try #require(found.coordinate), thoroughfare: "High Street", subThoroughfare: "1",
            locality: "Ely", postalCode: "CB74LJ", countryCode: "GB")
        found.place.hash = "abc"
        let text = "id,name,city\n1,Ada,Ely\n,,\n"
        let usual = try copy(of: text, places: ["id:1": [found]], adding: .usual)
        #expect(
            usual == """
                id,name,city,latitude,longitude,precision,confidence,area_confidence,provider,status,matched_address,weak,reason,attribution
                1,Ada,Ely,52.4,0.5,rooftop,0.93,0.93,photon,located,"1 High Street, ELY, CB7 4LJ, UNITED KINGDOM",false,,
                ,,,,,,,,,refused,,,the row can't be read,

                """)
        let more = try #require(AddedColumns("reason,hash"))
        #expect(
            try copy(of: text, places: ["id:1": [found]], adding: more).split(separator: "\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false).suffix(3).joined(separator: ",")
            }
                == ["reason,hash,attribution", ",abc,", "the row can't be read,,"])
    }

    private func copy(
        of text: String, places: [String: [ContactPlace]], adding added: AddedColumns? = AddedColumns("none")
    ) throws -> String {
        try copy(of: Array(text.utf8), places: places, limit: 2, adding: added)
    }

    private func copy(
        of bytes: [UInt8], places: [String: [ContactPlace]], limit: Int,
        adding added: AddedColumns? = AddedColumns("none")
    ) throws -> String {
        var copy = try CSVCopy(
            of: ContactsCSV(CSVReader(bytes, chunkSize: 7)), to: OutputFile(path: folder.file("out.csv")),
            adding: #require(added))
        while let keys = try copy.read(limit: limit) { try copy.write(places.filter { keys.contains($0.key) }) }
        try copy.finish().commit()
        return String(decoding: try folder.bytes(of: "out.csv"), as: UTF8.self)
    }

    private func place(_ position: Int, latitude: Double?) -> ContactPlace {
        var place = ContactPlace(
            id: position, position: position, sourceKey: "", name: "", label: "", address: Address(), status: .notFound)
        guard let latitude else { return place }
        (place.status, place.precision, place.place.areaConfidence, place.provider) = (
            .located, .rooftop, 0.929, "photon"
        )
        place.coordinate = Coordinate(latitude: latitude, longitude: 0.5)
        return place
    }
}
