/// Writes the rows of a table as the sheet of a new workbook.
struct SheetTableWriter: TableWriter {
    private var output: ZipWriter
    private let isExcel: Bool
    private var row = 0
    private var waiting: [UInt8] = []

    /// Creates an Excel workbook, or else an OpenDocument spreadsheet.
    init(to file: OutputFile, isExcel: Bool) throws {
        output = ZipWriter(to: file)
        self.isExcel = isExcel
        for part in isExcel ? Self.excelParts : Self.openDocumentParts { try output.add(part.name, part.text) }
        let name = isExcel ? "xl/worksheets/sheet1.xml" : "content.xml"
        try output.begin(compressing: ZipFile.Entry(nameBytes: Array(name.utf8)))
    }

    mutating func finish() throws -> OutputFile {
        if row == 0 { try write([]) }
        waiting += (isExcel ? Self.excelEnd : Self.openDocumentEnd).utf8
        try output.write(waiting)
        try output.end()
        return try output.finish()
    }

    mutating func write(_ values: [OutputColumn.Value]) throws {
        if row == 0 { waiting += (isExcel ? Self.excelStart : Self.openDocumentStart(values.count)).utf8 }
        row += 1
        if isExcel,
            values.contains(where: {
                $0.text.utf8.count > SheetLimits.excelCell && $0.text.utf16.count > SheetLimits.excelCell
            })
        {
            throw FileError(
                file: output.file.name,
                problem: "row \(row) has a text of more than 32,767 characters, which Excel does not permit; "
                    + "write ODS or CSV")
        }
        guard row <= SheetLimits.rows else {
            throw FileError(
                file: output.file.name, problem: "a sheet has at most 1,048,576 rows; write CSV, or export a part")
        }
        if isExcel {
            waiting += "<row r=\"\(row)\">".utf8
            for (column, value) in values.enumerated() {
                waiting += XLSXRows.element(value, column: column, row: row).utf8
            }
            waiting += "</row>".utf8
        } else {
            waiting += "<table:table-row>".utf8
            for value in values { waiting += ODSRows.element(value).utf8 }
            waiting += "</table:table-row>".utf8
        }
        guard waiting.count > 64 << 10 else { return }
        try output.write(waiting)
        waiting.removeAll(keepingCapacity: true)
    }
}

extension SheetTableWriter {
    private static let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"

    /// https://ecma-international.org/publications-and-standards/standards/ecma-376/
    private static let excel = "http://schemas.openxmlformats.org"
    private static let excelStart =
        "\(xml)<worksheet xmlns=\"\(excel)/spreadsheetml/2006/main\"><sheetData>"
    private static let excelEnd = "</sheetData></worksheet>"

    private static let excelParts: [(name: String, text: String)] = [
        (
            "[Content_Types].xml",
            """
            \(xml)<Types xmlns="\(excel)/package/2006/content-types">\
            <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
            <Override PartName="/xl/workbook.xml" \
            ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>\
            <Override PartName="/xl/worksheets/sheet1.xml" \
            ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>
            """
        ),
        ("_rels/.rels", relation("officeDocument", "xl/workbook.xml")),
        (
            "xl/workbook.xml",
            """
            \(xml)<workbook xmlns="\(excel)/spreadsheetml/2006/main" \
            xmlns:r="\(excel)/officeDocument/2006/relationships">\
            <sheets><sheet name="Places" sheetId="1" r:id="r1"/></sheets></workbook>
            """
        ),
        ("xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml")),
    ]

    private static func relation(_ type: String, _ target: String) -> String {
        """
        \(xml)<Relationships xmlns="\(excel)/package/2006/relationships">\
        <Relationship Id="r1" Type="\(excel)/officeDocument/2006/relationships/\(type)" Target="\(target)"/>\
        </Relationships>
        """
    }

    /// https://docs.oasis-open.org/office/OpenDocument/v1.3/os/
    private static let openDocument = "urn:oasis:names:tc:opendocument:xmlns"
    private static let spreadsheet = "application/vnd.oasis.opendocument.spreadsheet"

    private static func openDocumentStart(_ columns: Int) -> String {
        """
        \(xml)<office:document-content xmlns:office="\(openDocument):office:1.0" \
        xmlns:table="\(openDocument):table:1.0" xmlns:text="\(openDocument):text:1.0" office:version="1.2">\
        <office:body><office:spreadsheet><table:table table:name="Places">\
        <table:table-column table:number-columns-repeated="\(columns)"/>
        """
    }
    private static let openDocumentEnd =
        "</table:table></office:spreadsheet></office:body></office:document-content>"

    private static let openDocumentParts: [(name: String, text: String)] = [
        // The first part, so that the format can be seen at the start of the file.
        ("mimetype", spreadsheet),
        (
            "META-INF/manifest.xml",
            """
            \(xml)<manifest:manifest xmlns:manifest="\(openDocument):manifest:1.0" manifest:version="1.2">\
            <manifest:file-entry manifest:full-path="/" manifest:media-type="\(spreadsheet)"/>\
            <manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>
            """
        ),
    ]
}
