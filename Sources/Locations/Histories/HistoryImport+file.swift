package import Formats

extension HistoryFormat {
    /// Detects the format from the first bytes of a file. Nil if it is not a history, or can't be detected, as for a
    /// server.
    package init?(path: String) throws {
        guard !path.hasPrefix("https://"), !path.hasPrefix("http://") else { return nil }
        // UTF-16 has a mark, and a zero next to each letter.
        self.init(beginning: try InputFile.beginning(of: path).filter { $0 != 0 && $0 < 0x80 })
    }
}

extension HistoryImport {
    /// Stores all fixes of a file. `report` is the path for a table of refused positions. `onProgress` also gets the
    /// size of the file in bytes, if it has one.
    package func run(
        _ path: String, _ format: HistoryFormat, report: String? = nil,
        onProgress: (Progress, Int?) -> Void = { _, _ in }
    ) async throws -> (progress: Progress, refusals: Refusals) {
        let file = try InputFile(path: path)
        var refusals = try Refusals.Log(of: file.name, report: report)
        var reader = format.reader(TextSource(encoding: nil, read: file.read).read)
        do {
            let progress = try await run(&reader) {
                try refusals.add(.refused(line: $0, reason: "the fix \($1)"))
            } onProgress: {
                onProgress($0, file.size)
            }
            return (progress, try refusals.finish())
        } catch let error as HistoryError {
            throw FileError(file: file.name, problem: "\(error)")
        }
    }
}
