import Formats
import Glibc
import HTTP

/// A source of contacts on the command line: where it is, and how to read it.
struct Source: Sendable {
    enum Place: Sendable {
        case file(String)
        case server(HTTPURL)
    }

    let place: Place
    let format: SourceFormat
    let options: ReadingOptions

    /// The name of the source in messages.
    var name: String {
        switch place {
        case .file("-"): "standard input"
        case .file(let path): path
        case .server(let url): url.authority
        }
    }

    /// The path of a file that can be read several times; nil for a pipe and for a server.
    var lastingPath: String? {
        guard case .file(let path) = place, fingerprint != nil else { return nil }
        return path
    }

    /// Returns whether `path` is the source itself under another name: a link, another path, or standard input from the
    /// file.
    func isSame(as path: String) -> Bool {
        guard case .file(let source) = place, path != "-" else { return false }
        var (one, other) = (stat(), stat())
        guard stat(path, &other) == 0, (source == "-" ? fstat(STDIN_FILENO, &one) : stat(source, &one)) == 0,
            other.st_mode & S_IFMT == S_IFREG
        else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    /// The default name of the feed: the whole path or URL, because two files of the same name in different folders are
    /// two feeds. A pipe has no feed.
    var feed: String {
        switch place {
        case .server(let url): return url.text
        case .file(let path):
            guard lastingPath != nil, let real = realpath(path, nil) else { return "" }
            defer { free(real) }
            return String(cString: real)
        }
    }

    /// Identifies the source and its version; nil if that is impossible.
    var fingerprint: String? {
        guard case .file(let path) = place else { return nil }
        return SourceFingerprint.ofFile(path, options: ["\(format)", "\(options)"])
    }

    /// Opens a file from its start.
    func open(_ path: String) throws -> any ContactReader {
        try format.reader(path: path, options: options)
    }
}

/// Distinguishes the name of a missing file from an address.
enum FileName {
    /// Returns whether `text` is almost certainly a file name: a path, or the name of a document. `St. Gallen` and
    /// `Hauptstr. 5` are not.
    static func isLikely(_ text: String) -> Bool {
        if ["/", "./", "../", "~/"].contains(where: text.hasPrefix) { return true }
        guard let dot = text.lastIndex(of: "."), dot > text.startIndex, !text[..<dot].hasSuffix(" ") else {
            return false
        }
        return endings.contains(text[text.index(after: dot)...].lowercased())
    }

    /// Endings of files in which people store addresses, including those that we can't read.
    private static let endings: Set<String> = [
        "csv", "tsv", "tab", "txt", "vcf", "vcard", "ldif", "ldi", "json", "geojson", "ndjson", "jsonl", "xml", "html",
        "htm",
        "pdf", "doc", "docx", "rtf", "odt", "pages", "xls", "xlsx", "xlsm", "xlsb", "ods", "numbers", "ppt", "pptx",
        "kml",
        "kmz", "gpx", "shp", "gpkg", "sqlite", "db", "mdb", "accdb", "zip", "gz", "bz2", "xz", "7z", "rar", "tar",
        "tgz",
        "parquet", "yaml", "yml", "sql", "pst", "olm", "abbu", "png", "jpg", "jpeg",
    ]
}
