import Formats
import Geocoding
import HTTP
import Processes
import Shapes
import Sinks

/// The settings for reading a file and writing it again, by the names of the options of `waypost geocode`.
struct FileSettings: QueryInput {
    var name = "", format: SourceFormat?, options = ReadingOptions(), added = AddedColumns.usual

    /// The formats whose files can be written again.
    private static let formats: [SourceFormat] = [.csv, .xlsx, .ods, .vCard]

    init(_ query: inout RequestReader) {
        name = Self.safe(
            query.text(
                "name", within: .feed, "The file's name. Its ending tells the format, and else its bytes do.",
                example: "list.csv") ?? "")
        format = query.choice("from", of: Self.formats, "The file's format; detected without it.", example: "csv")
        let encoding = query.text("encoding", "The encoding of CSV and vCards; detected without it.", example: "utf-8")
        if let encoding {
            if let known = TextEncoding(rawValue: encoding) {
                options.encoding = known
            } else {
                query.mistake("encoding", "is not the name of an encoding")
            }
        }
        options.sheet = query.text(
            "sheet", "The sheet of a workbook; else the one with the most addresses.", example: "Sheet1")
        let country = query.text("country", "The country of contacts that have none.", example: "FI")
        if let country {
            if let known = Country(country) {
                options.country = known.name
            } else {
                query.mistake("country", "is not a country")
            }
        }
        readColumns(from: &query)
        added = query.added()
    }

    /// The meaning of the columns: all of a table without a header, or some of one with a header.
    private mutating func readColumns(from query: inout RequestReader) {
        let columns = query.text(
            "columns", "The columns of a table without a header, with commas between; `-` for one to ignore.",
            example: "name,city,country")
        let mapping = query.text(
            "mapping", "Lines `field = column`, or `- = column` for one to ignore: see `--mapping`.",
            example: "city = city")
        if columns != nil, mapping != nil { query.mistake("columns", "does not go with mapping") }
        do { options.columns = try columns.map { try ColumnNames($0) } } catch {
            query.mistake("columns", "\(error)")
        }
        do { options.mapping = try mapping.map { try ColumnMapping($0, name: "mapping") } } catch {
            query.mistake("mapping", (error as? FileError)?.problem ?? "can't be read")
        }
    }

    /// The last part of a path, without characters that could deceive a reader or end a header.
    static func safe(_ name: String) -> String {
        let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
        let letters = last.unicodeScalars.filter { !$0.isTreacherous && $0.properties.generalCategory != .control }
        let text = String(String.UnicodeScalarView(letters.prefix(150)))
        return text.allSatisfy { $0 == "." || $0 == " " } ? "" : text
    }

    /// The parameters among these that are settings, to be stored with the file: names and values in turn.
    static func words(of query: [(name: String, value: String)]) -> [String] {
        let names = Set(Self.query.map(\.name))
        return query.filter { names.contains($0.name) }.flatMap { [$0.name, $0.value] }
    }

    /// The settings that were stored. They were read without a mistake before.
    init(stored words: [String]) {
        let pairs = stride(from: 0, to: words.count - 1, by: 2).map { (name: words[$0], value: words[$0 + 1]) }
        var reader = RequestReader(query: pairs)
        self.init(&reader)
    }
}

/// The settings of a request to geocode a file.
struct FileQuery: QueryInput {
    let settings: FileSettings
    let wait: Duration
    let isRun: Bool
    /// The URL of a webhook.
    let notify: String?

    /// In seconds.
    static let mostWait = 30

    init(_ query: inout RequestReader) {
        settings = FileSettings(&query)
        isRun =
            query.flag("run", "Make a run in any case, also if all answers are known.", usual: false, example: true)
            ?? false
        notify = query.text(
            "notify", within: .text, "The URL of a webhook that is called when no address of the run waits any more.",
            example: "https://example.org/done")
        if let notify {
            var settings = SinkSettings()
            settings.url = notify
            do { _ = try SinkDescription(kind: .webhook, settings: settings).webhookURL() } catch {
                query.mistake("notify", "can't be used: \(error)")
            }
        }
        wait = .seconds(
            query.integer("wait", in: 0...Self.mostWait, "Seconds to wait for the answers.", usual: 1, example: 0))
    }
}

struct FileResultQuery: QueryInput {
    let isPartial: Bool

    init(_ query: inout RequestReader) {
        isPartial =
            query.flag("partial", "Also while addresses wait: their columns are blank.", usual: false, example: true)
            ?? false
    }
}

extension SourceFormat {
    /// The name of a file without one.
    var usualName: String { "places." + (self == .vCard ? "vcf" : rawValue) }
}

extension HTTPHeaders {
    /// Makes a browser save the response under this name: https://www.rfc-editor.org/rfc/rfc6266
    mutating func nameAttachment(_ name: String) {
        let plain = String(name.map { $0.isASCII && $0 != "\"" && $0 != "\\" && $0 != "%" ? $0 : "_" })
        self["Content-Disposition"] = "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(name.percentEncoded)"
    }
}
