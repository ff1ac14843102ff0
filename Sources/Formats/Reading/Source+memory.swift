package import Processes

extension Source {
    /// The most bytes that a workbook in memory may unpack to.
    private static let mostUnpacked = 512 << 20

    /// Returns the source with these bytes, which a client sent under this name. Without a format, the name and the
    /// bytes show it.
    package init(_ memory: MemoryFile, named name: String, format: SourceFormat?, options: ReadingOptions) throws {
        let path = memory.path
        // The name alone does not tell the formats that end in .json.
        let named = name.lowercased().hasSuffix(".json") || !SourceFormat.isNamed(name) ? nil : name
        let format = try format ?? SourceFormat(path: named ?? path)
        self.init(place: .file(path), format: format, options: options)
        guard format.isWorkbook else { return }
        let sizes = try ZipFile(InputFile(path: path)).entries.map(\.size)
        guard sizes.allSatisfy({ 0...Self.mostUnpacked ~= $0 }), sizes.reduce(0, +) <= Self.mostUnpacked else {
            throw FileError(file: path, problem: "unpacks to more than 512 MiB; save its table as CSV")
        }
    }

    /// True if a copy of the source in its own format can be written.
    package var canBeCopied: Bool { format.isTable || format == .vCard }
}
