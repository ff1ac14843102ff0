import Foundation
import Geocoding
import Testing

@testable import Formats

struct SheetReaderTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test(arguments: ["openpyxl.xlsx", "libreoffice.ods"])
    func `a table below a title on the second sheet is read`(file: String) throws {
        let found = try entries(ofWorkbook: samplePath("Workbooks/\(file)"))

        #expect(found.friends.map(\.name) == ["Zoë Müller", "=cmd & <Co>", "Ünal"])
        #expect(found.friends.map { $0.addresses[0].address.postcode } == ["01067", "01067", "1010"])
        #expect(found.friends[1].addresses[0].address.street == "Weg 1\nHinterhaus")
        #expect(lines(found) == [4, 5, 8, 9])
    }

    @Test(arguments: ["xlsxwriter.xlsx", "libreoffice.xlsx"])
    func `formatted texts, numbers, formulas, dates and errors are read as people see them`(file: String) throws {
        let found = try entries(ofWorkbook: samplePath("Workbooks/\(file)"))

        #expect(found.friends.map(\.sourceKey) == ["id:m1", "id:m2", "id:m3", "id:m4"])
        #expect(found.friends.map(\.name) == ["Ada Lovelace", "Bob", "Cy", "Dee"])
        #expect(found.friends.map { $0.addresses[0].address.street } == ["1 Main St", "ul. Długa 5", "", ""])
        #expect(found.friends.map { $0.addresses[0].address.postcode } == ["02134", "00-950", "10115", "75001"])
    }

    @Test func `texts in the cells themselves are read`() throws {
        #expect(try entries(ofWorkbook: samplePath("Workbooks/inline.xlsx")).friends.map(\.name) == ["Ada", "Bob"])
    }

    @Test func `prefixes, missing references, pronunciations and escapes are understood`() throws {
        let path = try folder.excel(
            [
                (
                    "A",
                    """
                    <x:sheetData><x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c></x:row>
                    <x:row r="7" hidden="1"><x:c r="A7" t="inlineStr"><x:is><x:r><x:t>1 High</x:t></x:r>
                    <x:r><x:t xml:space="preserve"> St_x000D_&amp;_x_</x:t></x:r></x:is></x:c></x:row>
                    <x:row><x:c><x:v>1.5E3</x:v></x:c><x:c t="e"><x:v>#N/A</x:v></x:c><x:c><x:v>9</x:v></x:c></x:row>
                    <x:row><x:c t="b"><x:v>1</x:v></x:c><x:c t="s"><x:v>99</x:v></x:c></x:row></x:sheetData>
                    """
                )
            ],
            strings: "<si><t>n</t><rPh><t>x</t></rPh><r><t>ame</t></r></si><si><t>street</t></si>")
        let found = try entries(ofWorkbook: path)

        #expect(found.friends.map(\.name) == ["1 High St\n&_x_", "1500", "TRUE"])
        #expect(lines(found) == [7, 8, 9])
    }

    @Test func `numbers have the digits and the dates of their format`() throws {
        let styles = XLSXStyleCases.all.enumerated().map {
            "<numFmt numFmtId=\"\(200 + $0.offset)\" formatCode=\"\($0.element.code)\"/>"
        }
        let formats = XLSXStyleCases.all.indices.map { "<xf numFmtId=\"\(200 + $0)\"/>" }
        let rows = XLSXStyleCases.all.enumerated().map {
            "<row><c s=\"\($0.offset)\"><v>\($0.element.number)</v></c><c t=\"str\"><v>Ely</v></c></row>"
        }
        let header = "<row><c t=\"str\"><v>name</v></c><c t=\"str\"><v>city</v></c></row>"
        let path = try folder.excel(
            [("A", "<sheetData>\(header)\(rows.joined())</sheetData>")],
            styles: "<numFmts>\(styles.joined())</numFmts><cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs>"
                + "<cellXfs>\(formats.joined())</cellXfs>")

        let names = try entries(ofWorkbook: path).friends.map(\.name)
        #expect(names.count == XLSXStyleCases.all.count)
        for (name, test) in zip(names, XLSXStyleCases.all) { #expect(name == test.text, "\(test.code)") }
    }

    @Test func `repeated rows and cells, spaces and notes of OpenDocument are understood`() throws {
        func cell(_ attributes: String, _ text: String) -> String {
            "<table:table-cell office:value-type=\"string\"\(attributes)><text:p>\(text)</text:p></table:table-cell>"
        }
        let path = try folder.openDocument(
            """
            <table:table table:name="A"><table:table-column table:number-columns-repeated="16384"/>
            <table:table-header-rows><table:table-row>\(cell("", "name"))\(cell("", "street"))\
            \(cell(" table:number-columns-repeated=\"2\"", "city"))</table:table-row></table:table-header-rows>
            <table:table-row table:number-rows-repeated="1000000"><table:table-cell/></table:table-row>
            <table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string">\
            <office:annotation><text:p>a note</text:p></office:annotation>\
            <text:p>Ada<text:s text:c="2"/>B<text:span>y<text:note><text:p>9</text:p></text:note></text:span></text:p></table:table-cell>\
            <table:covered-table-cell/>\(cell("", "Ely"))\
            <table:table-cell table:number-columns-repeated="16381"/></table:table-row>
            <table:table-row><table:table-cell office:value-type="string"><text:p>1  High
             St</text:p><text:p>Flat<text:tab/>2<text:line-break/>x</text:p></table:table-cell></table:table-row>
            </table:table>
            """)
        let found = try entries(ofWorkbook: path)

        #expect(found.friends.map(\.name) == ["Ada  By", "Ada  By", "1 High St\nFlat\t2\nx"])
        #expect(found.friends.map { $0.addresses.first?.address.city } == ["Ely", "Ely", nil])
        #expect(lines(found) == [1_000_002, 1_000_003, 1_000_004])
    }

    @Test(arguments: ["Rest", "rest"])
    func `a sheet is found by its name`(name: String) throws {
        let path = try folder.excel([("First", Self.sheet("Ada")), ("Rest", Self.sheet("Bob"))])

        #expect(try entries(ofWorkbook: path).friends.map(\.name) == ["Ada"])
        #expect(try entries(ofWorkbook: path, sheet: name).friends.map(\.name) == ["Bob"])
        #expect(
            problem { _ = try entries(ofWorkbook: path, sheet: "Rust") }
                == "has no sheet \"Rust\"; its sheets are First, Rest")
    }

    @Test func `the sheet and the row of the header are said`() throws {
        let path = samplePath("Workbooks/openpyxl.xlsx")
        let source = Source(place: .file(path), format: .xlsx, options: ReadingOptions())

        let lines = try TableReading.lines(of: source)
        #expect(lines.first == "\(path) is read from the sheet \"Kunden\", with its header in row 3:")
        #expect(lines.contains("  PLZ → postcode"))
    }

    @Test func `a sheet without a known header is refused with its columns`() throws {
        let path = try folder.excel([("A", "<sheetData><row><c t=\"str\"><v>colour</v></c></row></sheetData>")])

        #expect(problem { _ = try entries(ofWorkbook: path) }?.contains("found: colour") == true)
    }

    @Test func `a mapping and names of columns work as in CSV`() throws {
        let path = try folder.excel([("A", Self.sheet("Ada"))])
        var options = ReadingOptions()
        options.columns = try ColumnNames("street,city")
        let unnamed = try entries(SourceFormat.xlsx.reader(path: path, options: options))
        #expect(unnamed.friends.map { $0.addresses[0].address.street } == ["name", "Ada"])

        options.columns = nil
        options.mapping = try ColumnMapping("city = name", name: "m")
        let mapped = try entries(SourceFormat.xlsx.reader(path: path, options: options))
        #expect(mapped.friends.map { $0.addresses[0].address.city } == ["Ada"])
    }

    static func sheet(_ name: String) -> String {
        """
        <sheetData><row r="1"><c r="A1" t="str"><v>name</v></c><c r="B1" t="str"><v>city</v></c></row>\
        <row r="2"><c r="A2" t="str"><v>\(name)</v></c><c r="B2" t="str"><v>Ely</v></c></row></sheetData>
        """
    }

    private func lines(_ entries: [ContactEntry]) -> [Int] {
        entries.map {
            switch $0 {
            case .contact(let line, _), .refused(let line, _), .noted(let line, _): line
            }
        }
    }
}

private enum XLSXStyleCases {
    static let all: [(code: String, number: String, text: String)] = [
        ("00000", "1067", "01067"), ("[$-407]00000;-0", "1067.0", "01067"), ("00\\-000", "950", "00-950"),
        ("00000-0000", "1234567890", "123456-7890"), ("000\\ 00", "11120", "111 20"),
        ("&quot;D-&quot;00000", "1067", "D-01067"), ("00000", "-5", "-5"), ("00000", "1.5", "1.5"),
        ("General", "1234.0", "1234"), ("General", "60.169899999999998", "60.1699"), ("#,##0.00", "1e21", "1e+21"),
        ("yyyy\\-mm\\-dd", "44197", "2021-01-01"), ("d.m.yy h:mm", "44197.520833333336", "2021-01-01T12:30:00"),
        ("d/m/yyyy", "1", "1900-01-01"), ("[Red]0", "7", "7"), ("0.00E+00", "12", "12"), ("yyyy", "1e300", "1e300"),
    ]
}
