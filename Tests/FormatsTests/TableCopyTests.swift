import Foundation
import Geocoding
import Testing

@testable import Formats

/// Copies of a table in another format.
struct TableCopyTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    /// Own columns with texts that a spreadsheet, XML or CSV could change.
    static let hostile = [
        "=1+1", "+49 151", "-5", "@SUM(A1)", "'x", "a \"b\"", "two\nlines", "a\tb", "שלום", "\u{202E}عنوان", "_x000D_",
        "<&>]]>",
        "01067", "1e5", "TRUE", "2026-05-03", "a;b,c|d", "e\u{301}", String(repeating: "ł", count: 32_000),
    ]

    @Test(arguments: ["csv", "tsv", "xlsx", "ods"], ["csv", "tsv", "xlsx", "ods"])
    func `own columns and places are the same in each format`(from: String, to: String) throws {
        let header = ["name", "note", "city", "more"]
        let rows =
            Self.hostile.enumerated().map { ["Ada \($0.offset)", $0.element, "Ely", "x"] } + [["Total", "", "", "5"]]
        let source = try write(([header] + rows).map { $0.map { .text($0) } }, as: from)
        let copy = try copy(source, to: "out.\(to)")
        let table = try cells(of: copy)

        #expect(table[0].prefix(5) == ["name", "note", "city", "more", "latitude"])
        #expect(table.dropFirst().map { Array($0.prefix(4)) } == rows)
        #expect(table[1][4...5].map { Double($0) } == [52.5, -1])
        // A sum has no place.
        #expect(table.last?.dropFirst(4).allSatisfy(\.isEmpty) == true)
        #expect(try friends(of: copy) == friends(of: source))
        #expect(try cells(of: self.copy(copy, to: "again.\(to)")) == table)
    }

    @Test func `numbers of a workbook stay numbers in another workbook, and get the decimal mark of a text`() throws {
        let path = try write(
            [[.text("city"), .text("sum"), .text("zip")], [.text("Ely"), .number("12.5"), .text("01067")]], as: "xlsx")
        let ods = try copy(path, to: "out.ods")
        let xml = try #require(try folder.unzipped(ods).last?.text)
        #expect(xml.contains("office:value=\"12.5\"") && xml.contains("office:value=\"52.5\""))
        #expect(!xml.contains("office:value=\"01067\"") && xml.contains("<text:p>01067</text:p>"))
        let (points, commas) = (try copy(path, to: "a.csv"), try copy(path, to: "b.csv", decimal: .comma))
        #expect(try cells(of: points)[1].prefix(4) == ["Ely", "12.5", "01067", "52.5"])
        #expect(try cells(of: commas)[1].prefix(5) == ["Ely", "12,5", "01067", "52,5", "-1,0"])
    }

    @Test(
        arguments: [
            ("name;city;sum\nAda;Ely;1,5\n", "52,5"), ("name;city;sum\nAda;Ely;1.5\n", "52.5"),
            ("name;city\nAda;Ely\n", "52,5"),
            ("name,city,sum\nAda,Ely,\"1,5\"\n", "52,5"), ("name,city,sum\nAda,Ely,1.5\n", "52.5"),
            ("name,city\nAda,Ely\n", "52.5"),
            ("name\tcity\tsum\nAda\tEly\t-1,5\n", "52,5"), ("name;city;sum\nAda;Ely;1.234\n", "52,5"),
        ])
    func `a copy writes numbers as its source does`(text: String, latitude: String) throws {
        try folder.put(text, into: "in.csv")
        let copy = try copy(folder.file("in.csv"), to: "out.csv")
        let table = try cells(of: copy)
        let column = try #require(table[0].firstIndex(of: "latitude"))
        #expect(table[1][column] == latitude)
        // The copy of the copy is the same, and so is its own column.
        #expect(try cells(of: self.copy(copy, to: "again.csv")) == table)
        #expect(try cells(of: self.copy(copy, to: "point.csv", decimal: .point))[1][column] == "52.5")
    }

    @Test func `values next to the table come behind the new columns`() throws {
        let path = try write(
            [["name", "city"], ["Ada", "Ely", "", "remark"]].map { $0.map { .text($0) } }, as: "xlsx")
        let table = try cells(of: copy(path, to: "out.csv"))
        #expect(table[1].prefix(2) == ["Ada", "Ely"] && table[1].last == "remark")
        #expect(table[1].count == table[0].count + 2)
    }

    @Test func `a row that can't be split is kept`() throws {
        try folder.put("name,city\n\"Eve \"E\",Ely\nA\0b,Ely\nAda,Ely\n", into: "in.csv")
        let table = try cells(of: copy(folder.file("in.csv"), to: "out.xlsx"))
        #expect(table.map(\.[0]) == ["name", "\"Eve \"E\",Ely", "A\u{FFFD}b,Ely", "Ada"])
        #expect(table[1].contains("refused") && !table[3].contains("refused"))
    }

    @Test func `a text that is too long for Excel is not cut`() throws {
        try folder.put("city,note\nEly,\(String(repeating: "x", count: 32_768))\n", into: "in.csv")
        #expect(
            problem { _ = try copy(folder.file("in.csv"), to: "out.xlsx") }
                == "row 2 has a text of more than 32,767 characters, which Excel does not permit; write ODS or CSV")
        #expect(try cells(of: copy(folder.file("in.csv"), to: "out.ods"))[1][1].count == 32_768)
    }

    /// Texts of addresses, in each format that we write and read.
    @Test(arguments: PlaceFormat.allCases.filter { ![.kml, .html].contains($0) })
    func `each format gives the same contacts again`(format: PlaceFormat) throws {
        let path = folder.file("places.\(format.rawValue == "vcard" ? "vcf" : format.rawValue)")
        let texts = Self.hostile.dropLast() + [String(repeating: "ß", count: 1_900)]
        var writer = try format.writer(to: path, attribution: [])
        for (id, text) in texts.enumerated() {
            var place = ContactPlace(
                id: id, sourceKey: "k\(id)", name: text, label: "",
                address: Address(street: text, city: "Ely", postcode: "01067"),
                status: .located)
            place.coordinate = Coordinate(latitude: 52.5, longitude: -1)
            try writer.write(place)
        }
        try writer.finish().commit()
        let found = try entries(SourceFormat(path: path).reader(path: path, options: ReadingOptions()))
        #expect(found.problems.isEmpty)
        #expect(found.friends.map { Array($0.name.utf8) } == texts.map { Array($0.utf8) })
        #expect(found.friends.map { $0.addresses[0].address.street } == Array(texts))
        #expect(found.friends.allSatisfy { $0.addresses[0].address.postcode == "01067" })
    }

    private func write(_ rows: [[OutputColumn.Value]], as ending: String) throws -> String {
        let path = folder.file("in.\(ending)")
        var table = try #require(
            try PlaceFormat(path: path).table(to: OutputFile(path: path), encoding: .utf8, decimal: .point))
        for row in rows { try table.write(row) }
        try table.finish().commit()
        return path
    }

    private func copy(_ path: String, to name: String, decimal: DecimalMark? = nil) throws -> String {
        let source = Source(place: .file(path), format: try SourceFormat(path: path), options: ReadingOptions())
        #expect(source.isCopied(to: name))
        var copy = try #require(
            try source.copy(to: folder.file(name), nil, decimal: decimal, adding: AddedColumns("none") ?? .usual))
        var place = ContactPlace(
            id: 1, position: 1, sourceKey: "", name: "", label: "", address: Address(), status: .located)
        (place.coordinate, place.provider) = (Coordinate(latitude: 52.5, longitude: -1), "photon")
        while let keys = try copy.read(limit: 3) {
            try copy.write(Dictionary(keys.map { ($0, [place]) }) { first, _ in first })
        }
        try copy.finish().commit()
        return folder.file(name)
    }

    private func friends(of path: String) throws -> [Friend] {
        try entries(SourceFormat(path: path).reader(path: path, options: ReadingOptions())).friends
    }

    /// The cells of a table, read without a meaning.
    private func cells(of path: String) throws -> [[String]] {
        let format = try SourceFormat(path: path)
        if format == .csv {
            var reader = try CSVReader(path: path)
            var rows: [[String]] = []
            while case .fields(_, let fields)? = try reader.next() { rows.append(fields) }
            return rows
        }
        let stream = try #require(try Workbook(path: path, format: format).rows(ofSheet: 0))
        var rows: [[String]] = []
        while let row = try stream.nextRow() { rows += Array(repeating: row.fields, count: row.count) }
        let width = rows.first?.count ?? 0
        return rows.map { $0 + Array(repeating: "", count: max(0, width - $0.count)) }
    }
}
