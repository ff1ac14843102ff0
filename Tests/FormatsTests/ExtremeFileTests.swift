import ExtremesTesting
import Foundation
import JSON
import Testing

@testable import Formats

/// A number in a file may be anything. A reader takes it or refuses it, and a copy too.
struct ExtremeFileTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func readAndCopy(_ path: String) {
        _ = try? entries(ofWorkbook: path)
        _ = try? folder.copy(path)
    }

    @Test func `each number of a spreadsheet of OpenDocument may be extreme`() throws {
        let table = """
            <table:table table:name="a"><table:table-row table:number-rows-repeated="1">\
            <table:table-cell table:number-columns-repeated="1" office:value-type="string"><text:p>Name</text:p></table:table-cell>\
            <table:table-cell><text:p>City<text:s text:c="2"/></text:p></table:table-cell></table:table-row>\
            <table:table-row table:number-rows-repeated="2"><table:table-cell><text:p>Ada</text:p></table:table-cell>\
            <table:table-cell office:value-type="float" office:value="5.5"><text:p>5</text:p></table:table-cell>\
            <table:table-cell table:number-columns-repeated="3"/></table:table-row></table:table>
            """
        for text in Extremes.variants(of: table, each: Extremes.numbers.count) {
            readAndCopy(try folder.openDocument(text))
        }
    }

    @Test func `a row or a cell that stands for all numbers is refused, or bounded`() throws {
        for (name, row) in [
            ("columns", #"<table:table-row><table:table-cell table:number-columns-repeated="9223372036854775807"/>"#),
            ("rows", #"<table:table-row table:number-rows-repeated="9223372036854775807"><table:table-cell/>"#),
        ] {
            let path = try folder.openDocument(
                #"<table:table table:name="a">\#(row)</table:table-row>\#(row)</table:table-row></table:table>"#)
            #expect(problem { _ = try entries(ofWorkbook: path) } != nil, "\(name)")
        }
    }

    @Test func `each number of an Excel workbook may be extreme`() throws {
        let sheet = """
            <dimension ref="A1:C3"/><sheetData><row r="1" spans="1:3"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>\
            <row r="2" spans="1:3"><c r="A2" t="s" s="1"><v>2</v></c><c r="B2" s="2"><v>44000.5</v></c><c r="C2" s="3"><v>7</v></c></row>\
            </sheetData>
            """
        let styles = """
            <numFmts count="1"><numFmt numFmtId="164" formatCode="00000"/></numFmts><cellXfs count="4"><xf numFmtId="0"/>\
            <xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs>
            """
        let strings = "<si><t>Name</t></si><si><t>City</t></si><si><t>Ada</t></si>"
        for text in Extremes.variants(of: sheet, each: Extremes.numbers.count) {
            readAndCopy(try folder.excel([("a", text)], strings: strings, styles: styles))
        }
        for text in Extremes.variants(of: styles, each: 8) {
            readAndCopy(try folder.excel([("a", sheet)], strings: strings, styles: text))
        }
    }

    @Test func `the size of a sheet behind its rows is left alone`() throws {
        let rows = """
            <sheetData><row r="1"><c t="inlineStr"><is><t>City</t></is></c></row>\
            <row r="2"><c t="inlineStr"><is><t>Espoo</t></is></c></row></sheetData>
            """
        let behind = try folder.copy(folder.excel([("a", #"\#(rows)<dimension ref="A1:A2"/>"#)]))
        #expect(try folder.unzipped(behind).contains { $0.text.contains(#"<dimension ref="A1:A2"/>"#) })
        #expect(try entries(ofWorkbook: behind).friends.count == 1)
    }

    /// All fields of the archive's own records, at the edges of their types.
    @Test func `each number of a zip archive may be extreme`() throws {
        let path = try folder.openDocument(#"<table:table table:name="a"/>"#)
        let bytes = try folder.bytes(of: "made.ods")
        let edges: [[UInt8]] = [[0], [0xFF], [0x7F], [0x80], [1]]
        let records = bytes.indices.dropLast(4).filter {
            [[0x50, 0x4B, 1, 2], [0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6]].contains(Array(bytes[$0..<($0 + 4)]))
        }
        #expect(records.count == 7)
        for record in records {
            for offset in stride(from: 4, to: 46, by: 2) where record + offset + 4 <= bytes.count {
                for (edge, width) in edges.flatMap({ edge in [2, 4].map { (edge, $0) } }) {
                    var damaged = bytes
                    damaged.replaceSubrange(
                        (record + offset)..<(record + offset + width), with: (0..<width).map { _ in edge[0] })
                    try Data(damaged).write(to: URL(filePath: path))
                    _ = try? entries(ofWorkbook: path)
                }
            }
        }
    }

    /// An archive that says all its numbers in the extension Zip64.
    @Test func `the sizes of a large entry are those of the entry, each in its own place`() throws {
        let text = "Name,City\nAda,Espoo\n"
        let packed = try folder.openDocument(
            #"<table:table table:name="a"><table:table-row><table:table-cell><text:p>City</text:p></table:table-cell>"#
                + #"</table:table-row><table:table-row><table:table-cell><text:p>\#(text)</text:p></table:table-cell>"#
                + "</table:table-row></table:table>")
        let plain = try ZipFile(InputFile(path: packed)).entries
        let bytes = try folder.bytes(of: "made.ods")
        let file = try ZipFile(InputFile(path: try folder.large(bytes)))
        #expect(file.entries.map(\.size) == plain.map(\.size))
        #expect(file.entries.map(\.packedSize) == plain.map(\.packedSize))
        #expect(plain.contains { $0.size > $0.packedSize })
        #expect(try entries(ofWorkbook: folder.file("large.ods")).friends.count == 1)
        for number in [Int.max, 1 << 48, 1 << 62, -1] {
            for place in 0..<3 {
                let path = try folder.large(bytes) { $0[place] = number }
                #expect(problem { _ = try entries(ofWorkbook: path) } != nil, "\(number) \(place)")
            }
        }
    }

    @Test(arguments: [
        "android-2.1.vcf", "contacts.ndjson", "google-new.csv", "icloud-3.0.vcf", "outlook.csv", "places.geojson",
        "plain.csv", "Monica/export.json", "Monica/page-1.json",
    ])
    func `each number of a text may be extreme`(_ name: String) throws {
        let text = String(decoding: try Data(contentsOf: URL(filePath: samplePath(name))), as: UTF8.self)
        let ending = name.split(separator: ".").last ?? ""
        for variant in Extremes.variants(of: String(text.prefix(6_000)), each: 3) {
            try folder.put(variant, into: "a.\(ending)")
            let path = folder.file("a.\(ending)")
            guard let format = try? SourceFormat(path: path) else { continue }
            _ = try? entries(format.reader(path: path, options: ReadingOptions()))
        }
    }

    @Test(arguments: Layouts.all)
    func `each number of open address data may be extreme`(_ sample: Layouts.Sample) throws {
        for variant in Extremes.variants(of: String(decoding: sample.bytes, as: UTF8.self), each: 6) {
            try folder.put(variant, into: "a.csv")
            guard var file = try? PointFile(path: folder.file("a.csv")) else { continue }
            _ = try? file.forEach { _ in }
        }
    }
}

extension Folder {
    /// The archive with the numbers of each entry in the extension Zip64, changed by `change`: size, packed size, offset.
    fileprivate func large(_ bytes: [UInt8], _ change: (inout [Int]) -> Void = { _ in }) throws -> String {
        let end = bytes.count - 22
        let (count, start) = (bytes.short(end + 10), bytes.word(end + 16))
        var (list, position): ([UInt8], Int) = ([], start)
        for _ in 0..<count {
            let nameEnd = position + 46 + bytes.short(position + 28)
            var numbers = [bytes.word(position + 24), bytes.word(position + 20), bytes.word(position + 42)]
            change(&numbers)
            var head = Array(bytes[position..<nameEnd])
            head.replaceSubrange(20..<28, with: repeatElement(0xFF, count: 8))
            head.replaceSubrange(42..<46, with: repeatElement(0xFF, count: 4))
            head.replaceSubrange(30..<32, with: [28, 0])
            list += head + [1, 0, 24, 0] + numbers.flatMap(\.eightBytes)
            position = nameEnd + bytes.short(position + 30) + bytes.short(position + 32)
        }
        var tail = Array(bytes[end...])
        tail.replaceSubrange(12..<16, with: list.count.eightBytes.prefix(4))
        try Data(bytes[..<start] + list + tail).write(to: URL(filePath: file("large.ods")))
        return file("large.ods")
    }
}

extension Int {
    fileprivate var eightBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}
