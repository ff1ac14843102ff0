import Geocoding
import JSON
import Processes

/// Writes all addresses as a page with a map and a list. The page needs only a browser: no network, no other file.
///
/// The places are a block of data that the browser doesn't run: one place on each line, with the names of the columns
/// once. Script and style are ours and Leaflet's. The page's policy permits only scripts with these digests, so text
/// from the data can't be run.
struct HTMLPlaceWriter: PlaceWriter {
    private let file: OutputFile
    private let columns: [OutputColumn]
    private var isFirst = true

    /// `attribution` names the origin of the places; the map shows it.
    package init(to file: OutputFile, attribution: [String], adding added: AddedColumns = .usual) throws {
        self.file = file
        columns = added.columns(of: .contact, .address, .place, in: .page)
        for piece in Self.head { try file.write(piece.utf8) }
        let start = JSONWriter.bytes { json in
            json.object { json in
                json.list("attribution", attribution) { $0.value($1) }
                json.list("columns", columns) { $0.value($1.name) }
                json.list("rows", [Int]()) { $0.value($1) }
            }
        }
        // Without the closing brackets of the list and the object, which come after the last place.
        try write(start.dropLast(2))
    }

    package mutating func write(_ place: ContactPlace) throws {
        let row = JSONWriter.bytes { json in
            json.list(columns) { json, column in
                switch column.value(place) {
                case .number(let number): json.number(number)
                case .truth(let isTrue): json.value(isTrue)
                case .text(let text): json.value(text)
                case nil: json.value(nil as String?)
                }
            }
        }
        try file.write((isFirst ? "\n" : ",\n").utf8)
        try write(row[...])
        isFirst = false
    }

    package mutating func finish() throws -> OutputFile {
        try file.write("\n]}</script>\n</body>\n</html>\n".utf8)
        return file
    }

    /// Writes JSON so that it is safe in an element `script`: only a `<` could end the element or begin a comment in
    /// it.
    private func write(_ json: ArraySlice<UInt8>) throws {
        guard json.contains(UInt8(ascii: "<")) else { return try file.write(json) }
        try file.write(
            json.flatMap { $0 == UInt8(ascii: "<") ? Array(#"\u003c"#.utf8) : [$0] })
    }
}

extension HTMLPlaceWriter {
    /// The page up to the places. It is the same for each page.
    private static let head: [String] = {
        let style = ["leaflet.css", "style.css", "map.css", "file.css"].map(PageAsset.text).joined(separator: "\n")
        let leaflet = PageAsset.text("leaflet.js")
        let code = PageAsset.module("canvas.js", "marks.js", "list.js", "file.js")
        let policy = """
            default-src 'none'; script-src \(digest(of: leaflet)) \(digest(of: code)); style-src \(digest(of: style)); \
            img-src data:; base-uri 'none'; form-action 'none'
            """
        return [
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="generator" content="Waypost">
            <title>Map</title>
            <link rel="icon" href="data:,">
            <style>\(style)</style>
            <script>\(leaflet)</script>
            <script type="module">\(code)</script>
            </head>

            """,
            PageAsset.text("file.html"), XMLText.escaped(PageAsset.text("leaflet.txt")),
            """
            </pre></details>
            </details>
            </main>
            <div id="map" role="application" aria-label="Map"></div>
            <table id="sheet"></table>
            <noscript>This map needs JavaScript. It is all in this file: it asks no server.</noscript>
            <script type="application/json" id="world">\(PageAsset.text("world.json"))</script>
            <script type="application/json" id="places">
            """,
        ]
    }()

    /// The digest in the form of a content security policy: https://www.w3.org/TR/CSP3/#grammardef-hash-source
    private static func digest(of text: String) -> String {
        "'sha256-\(SHA256.bytes(of: Array(text.utf8)).base64)'"
    }
}
