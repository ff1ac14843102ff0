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
