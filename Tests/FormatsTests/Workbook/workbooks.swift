import Foundation
import Geocoding

@testable import Formats

extension Folder {
    /// Makes an archive of these entries.
    func zip(_ entries: [(name: String, text: String)], into name: String) throws -> String {
        var writer = try ZipWriter(to: OutputFile(path: file(name)))
        for entry in entries {
            // The type of an OpenDocument file is never compressed.
            if entry.name == "mimetype" {
                try writer.add(entry.name, entry.text)
            } else {
                try writer.begin(compressing: ZipFile.Entry(nameBytes: Array(entry.name.utf8)))
                try writer.write(Array(entry.text.utf8))
                try writer.end()
            }
        }
        try writer.finish().commit()
        return file(name)
    }

    /// Makes an Excel workbook of sheets, each of them named after its first word, with the texts that cells share.
    func excel(_ sheets: [(name: String, xml: String)], strings: String = "", styles: String = "") throws -> String {
        let parts = sheets.enumerated().map {
            ("xl/worksheets/s\($0.offset).xml", "<worksheet>\($0.element.xml)</worksheet>")
        }
        let list = sheets.enumerated().map { "<sheet name=\"\($0.element.name)\" r:id=\"s\($0.offset)\"/>" }
        let relations = sheets.indices.map {
            "<Relationship Id=\"s\($0)\" Type=\"u/worksheet\" Target=\"worksheets/s\($0).xml\"/>"
        }
        return try zip(
            [
                ("[Content_Types].xml", "<Types/>"),
                ("_rels/.rels", "<R><Relationship Type=\"u/officeDocument\" Target=\"/xl/workbook.xml\"/></R>"),
                ("xl/workbook.xml", "<workbook><sheets>\(list.joined())</sheets></workbook>"),
                (
                    "xl/_rels/workbook.xml.rels",
                    "<Relationships>\(relations.joined())"
                        + "<Relationship Type=\"u/sharedStrings\" Target=\"strings.xml\"/>"
                        + "<Relationship Type=\"u/styles\" Target=\"../xl/styles.xml\"/></Relationships>"
                ),
                ("xl/strings.xml", "<sst>\(strings)</sst>"), ("xl/styles.xml", "<styleSheet>\(styles)</styleSheet>"),
            ] + parts, into: "made.xlsx")
    }

    /// Makes an OpenDocument spreadsheet of tables.
    func openDocument(_ tables: String, manifest: String = "") throws -> String {
        try zip(
            [
                ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
                ("META-INF/manifest.xml", "<manifest:manifest>\(manifest)</manifest:manifest>"),
                ("content.xml", "<office:document-content>\(tables)</office:document-content>"),
            ], into: "made.ods")
    }

    /// The unpacked entries of an archive, with their names.
    func unzipped(_ path: String) throws -> [(name: String, text: String)] {
        let zip = try ZipFile(InputFile(path: path))
        return try zip.entries.map { ($0.name, String(decoding: try zip.bytes(of: $0), as: UTF8.self)) }
    }

    /// Copies a workbook, with a place for each contact. Returns the path of the copy.
    func copy(_ path: String, adding added: AddedColumns? = AddedColumns("none")) throws -> String {
        let source = Source(place: .file(path), format: try SourceFormat(path: path), options: ReadingOptions())
        let output = file("out." + path.suffix(4).trimmingCharacters(in: ["."]))
        guard var copy = try source.copy(to: output, nil, adding: added ?? .usual) else { return "" }
        while let keys = try copy.read(limit: 2) {
            try copy.write(Dictionary(keys.map { ($0, [place]) }) { first, _ in first })
        }
        try copy.finish().commit()
        return output
    }

    private var place: ContactPlace {
        var place = ContactPlace(
            id: 1, position: 1, sourceKey: "", name: "", label: "", address: Address(), status: .located)
        (place.precision, place.place.areaConfidence, place.provider) = (.street, 0.9, "photon")
        place.coordinate = Coordinate(latitude: 52.5, longitude: -1)
        return place
    }
}

/// All entries of a workbook.
func entries(ofWorkbook path: String, sheet: String? = nil) throws -> [ContactEntry] {
    var options = ReadingOptions()
    options.sheet = sheet
    return try entries(SourceFormat(path: path).reader(path: path, options: options))
}

/// The error of `body` as a sentence, without the path before it.
func problem(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return (error as? FileError)?.problem ?? "\(error)" }
    return nil
}
