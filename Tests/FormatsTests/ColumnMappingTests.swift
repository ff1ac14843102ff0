import Geocoding
import Testing

@testable import Formats

struct ColumnMappingTests {
    @Test func `a mapping overrules only what it names`() throws {
        let mapping = """
            # of our shop

            id = Kd-Nr
            name=Ansprechpartner
            street =  Straße + Nr
            City = Ort a = b
            work.city = firmensitz
            - = Notiz
            """
        let file =
            "Kd-Nr;Name;Ansprechpartner;Straße + Nr;Ort a = b;Firmensitz;Land;Notiz;Strasse\n7;Shop;Ada;Weg 1;Ulm;Bonn;DE;x;y"

        #expect(
            try entries(file, mapping).friends == [
                Friend(
                    sourceKey: "id:7", name: "Ada",
                    addresses: [
                        LabelledAddress(label: "", address: Address(street: "Weg 1", city: "Ulm", country: "DE")),
                        LabelledAddress(label: "work", address: Address(city: "Bonn")),
                    ])
            ])
    }

    @Test func `all mistakes are reported at once`() {
        let error = #expect(throws: FileError.self) {
            try ColumnMapping("stret = A\ncity\ncity =\nwork.id = B\ncity = C\ncity = D", name: "m.txt")
        }
        let lines = error?.description.split(separator: "\n").map { $0.prefix(58) }

        #expect(
            lines
                == [
                    "m.txt: line 1: \"stret\" is not a field; there are key, id, name, giv",
                    "  line 2: it has no =; write field = column",
                    "  line 3: it names no column after the =",
                    "  line 4: id is not a part of an address, and takes no word b",
                    "  line 6: line 5 already assigns city",
                ].map { $0.prefix(58) })
    }

    @Test func `a mapping without a column is a mistake`() {
        let error = #expect(throws: FileError.self) { try ColumnMapping("# nothing", name: "m.txt") }

        #expect(error?.description == "m.txt: maps no column; for example: city = Ort")
    }

    @Test func `mapped columns missing from the header are reported with their lines`() {
        let error = #expect(throws: FileError.self) { try entries("A,B\n1,2", "city = A\nname = C\nstreet = D") }

        #expect(
            error?.description == """
                bytes: columns that the mapping names are missing from the header
                  m.txt, line 2: C
                  m.txt, line 3: D
                  found: A, B
                """)
    }

    @Test func `a mapping is read from a file`() throws {
        let folder = try Folder()
        try folder.put("\u{FEFF}city = Ort\r\n", into: "m.txt")

        #expect(try ColumnMapping(path: folder.file("m.txt")).rules.map(\.column) == ["Ort"])
    }

    private func entries(_ file: String, _ mapping: String) throws -> [ContactEntry] {
        var options = ReadingOptions()
        options.mapping = try ColumnMapping(mapping, name: "m.txt")
        return try FormatsTests.entries(ContactsCSV(CSVReader(Array(file.utf8)), options: options))
    }
}
