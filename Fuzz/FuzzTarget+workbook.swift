import Formats
import Glibc

extension FuzzTarget {
    /// The sheet of a workbook is read, and copied, or refused.
    static let workbook = FuzzTarget(
        name: "workbook",
        seeds: [
            """
            <worksheet><dimension ref="A1:C3"/><sheetData><row r="1" spans="1:3"><c r="A1" t="s"><v>0</v></c>\
            <c r="B1" t="str"><v>city</v></c></row><row><c t="b"><v>1</v></c><c r="C3"/><c r="B2" t="inlineStr"><is>\
            <r><t>El_x0041_y</t></r><rPh><t>x</t></rPh></is></c><c><f>A1</f><v>1.5e3</v></c></row></sheetData></worksheet>
            """,
            """
            <a><table:table table:name="A"><table:table-row><table:table-cell office:value-type="string"><text:p>name\
            </text:p></table:table-cell><table:table-cell><text:p>city</text:p></table:table-cell>\
            <table:table-cell table:number-columns-repeated="9"/></table:table-row>\
            <table:table-row table:number-rows-repeated="3"><table:table-cell office:value-type="float" office:value="7">\
            <text:p>07<text:s text:c="3"/></text:p><office:annotation><text:p>n</text:p></office:annotation>\
            </table:table-cell><table:covered-table-cell/></table:table-row></table:table></a>
            """,
        ],
        run: { bytes in
            for format in [SourceFormat.xlsx, .ods] { readAndCopy(bytes, format) }
        })
}

private func readAndCopy(_ bytes: [UInt8], _ format: SourceFormat) {
    let files = FuzzFolder.shared
    attempt {
        var zip = try ZipWriter(to: OutputFile(path: files.input))
        for (name, text) in format == .xlsx ? excel : [("mimetype", "application/vnd.oasis.opendocument.spreadsheet")] {
            try zip.add(name, text)
        }
        try zip.add(format == .xlsx ? "xl/s.xml" : "content.xml", String(decoding: bytes, as: UTF8.self))
        try zip.finish().commit()
    }
    do {
        var reader = try format.reader(path: files.input, options: ReadingOptions())
        // A few bytes may stand for a million equal rows.
        var most = 1_000
        while most > 0, try reader.next() != nil { most -= 1 }
        guard most > 0 else { return }
        let source = Source(place: .file(files.input), format: format, options: ReadingOptions())
        guard var copy = try source.copy(to: files.output, nil, adding: .usual) else { return }
        while try copy.read(limit: 3) != nil { try copy.write([:]) }
        try copy.finish().commit()
    } catch is FileError {
        return
    } catch {
        fatalError("\(error)")
    }
    attempt {
        var reader = try format.reader(path: files.output, options: ReadingOptions())
        while try reader.next() != nil {}
    }
}

private let excel = [
    ("_rels/.rels", "<a><Relationship Type=\"a/officeDocument\" Target=\"xl/w.xml\"/></a>"),
    ("xl/w.xml", "<workbook><sheet name=\"A\" r:id=\"s\"/></workbook>"),
    (
        "xl/_rels/w.xml.rels",
        "<a><Relationship Id=\"s\" Type=\"a/worksheet\" Target=\"s.xml\"/>"
            + "<Relationship Type=\"a/sharedStrings\" Target=\"t.xml\"/></a>"
    ),
    ("xl/t.xml", "<sst><si><t>name</t></si></sst>"),
]
