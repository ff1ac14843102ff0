import Foundation
import Geocoding
import Testing

@testable import Formats

/// Tables as people have them: without a header, with tabs, with notes before them, in old encodings.
struct TableFormTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func copy(
        _ bytes: [UInt8], to output: String = "out.csv", encoding: FileEncoding? = nil, columns: String? = nil
    ) throws -> [UInt8] {
        try Data(bytes).write(to: URL(filePath: folder.file("in.csv")))
        let path = folder.file("in.csv")
        var options = ReadingOptions()
        options.columns = try columns.map { try ColumnNames($0) }
        var copy = try CSVCopy(
            of: ContactsCSV(path: path, options: options), to: OutputFile(path: folder.file(output)),
            encoding: encoding ?? .ofFile(path), isTabbed: PlaceFormat(path: output) == .tsv)
        while try copy.read(limit: 2) != nil { try copy.write([:]) }
        try copy.finish().commit()
        return try folder.bytes(of: output)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a file without a header is read by the given names and gets no header`() throws {
        var options = ReadingOptions()
        options.columns = try ColumnNames("name, -, street,city")
        var contacts = try ContactsCSV(
            CSVReader(Array("Ada;x;1 High St;Ely;more\n\"Bob\";;2 Mill Rd;Ely;\n".utf8)), options: options)
        var found: [ContactEntry] = []
        while let entry = try contacts.next() { found.append(entry) }
        #expect(found.friends.map(\.name) == ["Ada", "Bob"])
        #expect(found.friends.map(\.addresses[0].address.street) == ["1 High St", "2 Mill Rd"])
        #expect(
            text(try copy(Array("Ada;x;1 High St;Ely\nBob;;;\n".utf8), columns: "name,-,street,city"))
                == "Ada;x;1 High St;Ely;;;;;;;;;;;\nBob;;;;;;;;;;;;;;\n")
    }

    @Test func `names that are not fields are refused with the known fields`() {
        #expect { try ColumnNames("name,strasse,wohnort x,-") } throws: {
            "\($0)".hasPrefix("\"wohnort x\" is not a field; there are key, id, name,")
        }
        #expect(throws: ColumnMistake.self) { try ColumnNames("name,-") }
    }

    @Test func `LinkedIn's notes are skipped and stay in the copy`() throws {
        let notes = "Notes:\r\n\"When exporting, some \"\"addresses\"\", may\r\nbe missing\"\r\n\r\n"
        let table = "First Name,Last Name,City\r\nAda,Lovelace,London\r\n"
        #expect(try entries(notes + table).friends.map(\.name) == ["Ada Lovelace"])
        #expect(try entries("Notes:,,\n\"some, text\",,\n,,\n" + table).friends.map(\.name) == ["Ada Lovelace"])
        let copied = text(try copy(Array((notes + table).utf8)))
        #expect(copied.hasPrefix(notes + "First Name,Last Name,City,latitude,"))
        // A column called Notes is not a preamble.
        #expect(try entries("Notes,City\nx,Ely\n").friends.count == 1)
    }

    @Test func `tabs stay tabs, and commas become tabs if the target's name ends in .tsv`() throws {
        let tabs = text(try copy(Array("name\tcity, or town\tcity\nAda\tx, y\tEly\n".utf8)))
        #expect(tabs.hasSuffix("\nAda\tx, y\tEly\t\t\t\t\t\t\t\t\t\t\t\n"))
        let commas = text(try copy(Array("name,city\n\"A,da\",Ely\nBob\n".utf8), to: "out.tsv"))
        #expect(commas.hasPrefix("name\tcity\tlatitude\t"))
        #expect(commas.hasSuffix("\nA,da\tEly\t\t\t\t\t\t\t\t\t\t\t\nBob\t\t\t\t\t\t\t\t\t\t\t\t\n"))
        try folder.put("street, city, or so\tcity\nx\tEly\n", into: "a.tsv")
        #expect(
            try entries(ContactsCSV(path: folder.file("a.tsv"))).friends.map(\.addresses[0].address.city) == ["Ely"])
        #expect(try SourceFormat(path: "a.TAB") == .csv && PlaceFormat(path: "a.tab") == .tsv)
    }

    @Test func `a copy has its source's encoding, or the requested one`() throws {
        let table = "name,city\nZoë,Köln\n"
        let latin = table.unicodeScalars.map { UInt8($0.value) }
        #expect(try copy(latin).starts(with: "name,city,latitude".utf8))
        #expect(try copy(latin).contains(0xEB))
        #expect(text(try copy(latin, encoding: .utf8WithMark)).hasPrefix("\u{FEFF}name,city,"))
        #expect(text(try copy(latin, encoding: .utf8)).contains("\nZoë,Köln,"))
        let wide: [UInt8] = [0xFE, 0xFF] + table.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let copied = try copy(wide)
        #expect(copied.starts(with: wide.prefix(20)))
        #expect(try entries(ContactsCSV(CSVReader(copied))).friends.map(\.name) == ["Zoë"])
        #expect(FileEncoding.windows1252.bytes(of: "€ Łódź".utf8) == [0x80, 0x20, 0x3F, 0xF3, 0x64, 0x3F])
        #expect(Array(try copy(Array(table.utf8)).prefix(4)) == Array("name".utf8))
    }
}
