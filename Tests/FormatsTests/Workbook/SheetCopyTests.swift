import Foundation
import Geocoding
import Processes
import Testing

@testable import Formats

struct SheetCopyTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test(
        arguments: [
            ("openpyxl.xlsx", "xl/worksheets/sheet2.xml"), ("xlsxwriter.xlsx", "xl/worksheets/sheet1.xml"),
            ("libreoffice.xlsx", "xl/worksheets/sheet1.xml"), ("inline.xlsx", "xl/worksheets/sheet1.xml"),
            ("libreoffice.ods", "content.xml"),
        ])
    func `all parts but the sheet stay, and of the sheet everything but the new cells`(
        file: String, sheet: String
    ) throws {
        let before = try folder.unzipped(samplePath("Workbooks/\(file)"))
        let copy = try folder.copy(samplePath("Workbooks/\(file)"))
        let after = try folder.unzipped(copy)

        #expect(before.map(\.name) == after.map(\.name))
        for (old, new) in zip(before, after) where old.name != sheet { #expect(old.text == new.text, "\(old.name)") }
        let (old, new) = (
            try #require(before.first { $0.name == sheet }), try #require(after.first { $0.name == sheet })
        )
        #expect(new.text.count > old.text.count)
        if file.hasSuffix(".xlsx") { #expect(Self.stripped(new.text) == Self.plain(old.text)) }
        let friends = try entries(ofWorkbook: samplePath("Workbooks/\(file)")).friends
        #expect(try entries(ofWorkbook: copy).friends.map(\.sourceKey) == friends.map(\.sourceKey))
    }

    @Test(
        .enabled("openpyxl is installed") {
            try await ChildProcess.output(of: "python3", ["-c", "import openpyxl"]).exit == .code(0)
        }, arguments: ["openpyxl.xlsx", "xlsxwriter.xlsx", "libreoffice.xlsx", "inline.xlsx"])
    func `openpyxl finds the old cells and formats in a copy, and new cells only in new columns`(
        file: String
    ) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "compare.py").path
        let copy = try folder.copy(samplePath("Workbooks/\(file)"), adding: .all)
        let outcome = try await ChildProcess.output(of: "python3", [script, samplePath("Workbooks/\(file)"), copy])

        #expect(outcome.exit == .code(0), "\(String(decoding: outcome.error, as: UTF8.self))")
    }

    @Test(arguments: ["openpyxl.xlsx", "xlsxwriter.xlsx", "libreoffice.ods"])
    func `a copy of a copy replaces the columns`(file: String) throws {
        let first = try folder.copy(samplePath("Workbooks/\(file)"))
        let text = try folder.unzipped(first).map(\.text)
        try FileManager.default.moveItem(atPath: first, toPath: folder.file(file))

        #expect(try folder.unzipped(folder.copy(folder.file(file))).map(\.text) == text)
        let more = try folder.copy(folder.file(file), adding: .all)
        try FileManager.default.removeItem(atPath: folder.file(file))
        try FileManager.default.moveItem(atPath: more, toPath: folder.file(file))
        #expect(try folder.unzipped(folder.copy(folder.file(file))).map(\.text).joined().contains("hash") == false)
    }

    @Test func `the cells of Excel stand behind all used columns`() throws {
        let path = try folder.excel([
            (
                "A",
                """
                <dimension ref="A1:C4"/><sheetData>
                <row r="1" spans="1:2" ht="20"><c r="A1" s="3" t="str"><v>name</v></c><c r="B1" s="3" t="str"><v>city</v></c></row>
                <row r="2"><c r="A2" t="str"><v>Ada</v></c><c r="B2" t="str"><f>A1&amp;"x"</f><v>Ely</v></c><c r="D2" s="9"/></row>
                <row r="3" s="1"/>
                <row r="4"><c r="C4"><v>5</v></c></row>
                </sheetData><pageMargins left="1"/>
                """
            )
        ])

        #expect(
            try folder.unzipped(folder.copy(path)).last?.text == """
                <worksheet><dimension ref="A1:J4"/><sheetData>
                <row r="1" spans="1:10" ht="20"><c r="A1" s="3" t="str"><v>name</v></c><c r="B1" s="3" t="str"><v>city</v></c>\
                \(Self.texts([("D1", "latitude"), ("E1", "longitude"), ("F1", "precision"), ("G1", "confidence"), ("H1", "area_confidence"), ("I1", "provider"), ("J1", "status")]))</row>
                <row r="2"><c r="A2" t="str"><v>Ada</v></c><c r="B2" t="str"><f>A1&amp;"x"</f><v>Ely</v></c>\
                <c r="D2"><v>52.5</v></c><c r="E2"><v>-1.0</v></c>\(Self.texts([("F2", "street")]))<c r="G2"><v>0.9</v></c><c r="H2"><v>0.9</v></c>\
                \(Self.texts([("I2", "photon"), ("J2", "located")]))</row>
                <row r="3" s="1"/>
                <row r="4"><c r="C4"><v>5</v></c></row>
                </sheetData><pageMargins left="1"/></worksheet>
                """)
    }

    @Test func `repeated cells of OpenDocument are split around the new ones`() throws {
        let rest = Self.blanks(16_374)
        func text(_ rows: String) -> String {
            """
            <table:table table:name="A">\(rows)</table:table>\
            <table:table table:name="B"><table:table-row>\(Self.cell("x"))</table:table-row></table:table>
            """
        }
        let path = try folder.openDocument(
            text(
                """
                <table:table-row>\(Self.cell("city"))\(Self.cell("name"))\(Self.cell("x"))\(Self.blanks(16_381))</table:table-row>
                <table:table-row table:number-rows-repeated="2">\(Self.cell("Ely"))\(Self.blanks(16_383))</table:table-row>
                <table:table-row>\(Self.cell("Ely"))</table:table-row>
                """))
        let (names, values) = (Self.names.map(Self.cell).joined(), Self.values)

        #expect(
            try folder.unzipped(folder.copy(path)).last?.text
                == "<office:document-content>"
                + text(
                    """
                    <table:table-row>\(Self.cell("city"))\(Self.cell("name"))\(Self.cell("x"))\(names)\(rest)</table:table-row>
                    <table:table-row table:number-rows-repeated="2">\(Self.cell("Ely"))\(Self.blanks(2))\(values)\(rest)</table:table-row>
                    <table:table-row>\(Self.cell("Ely"))<table:table-cell table:number-columns-repeated="2"/>\(values)</table:table-row>
                    """) + "</office:document-content>")
    }

    private static let names = [
        "latitude", "longitude", "precision", "confidence", "area_confidence", "provider", "status",
    ]
    private static let values = [
        number("52.5"), number("-1.0"), cell("street"), number("0.9"), number("0.9"), cell("photon"), cell("located"),
    ].joined()

    private static func cell(_ text: String) -> String {
        "<table:table-cell office:value-type=\"string\"><text:p>\(text)</text:p></table:table-cell>"
    }

    private static func number(_ number: String) -> String {
        "<table:table-cell office:value-type=\"float\" office:value=\"\(number)\"><text:p>\(number)</text:p></table:table-cell>"
    }

    private static func blanks(_ count: Int) -> String {
        "<table:table-cell table:style-name=\"c\" table:number-columns-repeated=\"\(count)\"/>"
    }

    @Test func `a sheet that is full to its last column can't be copied`() throws {
        let path = try folder.excel([
            (
                "A",
                "<sheetData><row><c t=\"str\"><v>name</v></c><c t=\"str\"><v>city</v></c>"
                    + "<c r=\"XFA1\" t=\"str\"><v>x</v></c></row></sheetData>"
            )
        ])

        #expect(
            problem { _ = try folder.copy(path) }
                == "has no room for 7 columns behind column XFA of the sheet \"A\"; write another format, such as places.csv"
        )
        #expect(!FileManager.default.fileExists(atPath: folder.file("out.xlsx")))
    }

    @Test(arguments: ["xlsx", "ods"])
    func `a new workbook has texts as texts and numbers as numbers`(ending: String) throws {
        let path = folder.file("places.\(ending)")
        var writer = try PlaceFormat(path: path).writer(to: path, attribution: [])
        for (id, name) in ["=1+1", "<&>\u{1}\"", "Ada"].enumerated() {
            var place = ContactPlace(
                id: id, position: 1, sourceKey: "k\(id)", name: name, label: "",
                address: Address(street: "1 High St\nFlat 2", city: "Ely", postcode: "01067"), status: .located)
            place.coordinate = Coordinate(latitude: 52.25, longitude: 0.5)
            try writer.write(place)
        }
        try writer.finish().commit()
        let found = try entries(ofWorkbook: path).friends

        #expect(found.map(\.name) == ["=1+1", "<&>\u{FFFD}\"", "Ada"])
        #expect(found.map { $0.addresses[0].address.postcode } == ["01067", "01067", "01067"])
        #expect(found[0].addresses[0].address.street == "1 High St\nFlat 2")
        #expect(found[0].addresses[0].position == Coordinate(latitude: 52.25, longitude: 0.5))
        let text = try folder.unzipped(path).last?.text ?? ""
        #expect(text.contains(ending == "xlsx" ? "<v>52.25</v>" : "office:value=\"52.25\""))
        #expect(!text.contains("<f>") && !text.contains("table:formula"))
    }

    private static func texts(_ cells: [(String, String)]) -> String {
        cells.map { "<c r=\"\($0.0)\" t=\"inlineStr\"><is><t>\($0.1)</t></is></c>" }.joined()
    }

    /// Without our cells, which alone have neither a style nor shared texts, and without sizes.
    private static func stripped(_ xml: String) -> String {
        let texts = /<c r="[A-Z]+[0-9]+" t="inlineStr"><is><t>([a-z_]+)<\/t><\/is><\/c>/
        let numbers = /<c r="[A-Z]+[0-9]+"><v>(52\.5|-1\.0|0\.9)<\/v><\/c>/
        let ours = Set(names + ["street", "photon", "located", "refused"])
        return plain(xml.replacing(numbers, with: "").replacing(texts) { ours.contains(String($0.1)) ? "" : $0.0 })
    }

    private static func plain(_ xml: String) -> String {
        xml.replacing(/spans="[^"]*"|<dimension ref="[^"]*"/, with: "")
    }
}
