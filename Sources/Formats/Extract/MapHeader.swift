/// The properties of a file, from the first block of an extract.
struct MapHeader {
    private(set) var writer: String?
    private(set) var isSorted = false
    /// The reason why we can't read the file.
    private(set) var problem: String?

    /// The features that this reader has. Without the others a reader would misunderstand the blocks.
    private static let known = ["OsmSchema-V0.6", "DenseNodes"]

    init(_ bytes: UnpackedBytes) throws {
        try withExtendedLifetime(bytes) { try read(WireCursor(bytes.buffer)) }
    }

    private mutating func read(_ message: WireCursor) throws {
        var cursor = message
        while let (number, form) = try cursor.field() {
            switch number {
            case 4:
                let feature = String(decoding: try cursor.message(form).rest, as: UTF8.self)
                if feature == "HistoricalInformation" {
                    problem = "contains the history of its objects; keep the last versions: osmium time-filter"
                } else if !Self.known.contains(feature) {
                    problem =
                        "needs the feature \(feature.prefix(40)), which waypost does not have; write it again: osmium cat"
                }
            case 5:
                let feature = try cursor.message(form).rest
                if feature.elementsEqual("Sort.Type_then_ID".utf8) { isSorted = true }
            case 16: writer = String(decoding: try cursor.message(form).rest.prefix(100), as: UTF8.self)
            default: try cursor.skip(form)
            }
        }
    }
}
