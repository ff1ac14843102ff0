import Formats
import Geocoding
import Points
import Processes
import Shapes
import Terminal
import Towns

/// Reads files of address data, and loads them.
struct PointWork: Sendable {
    let files: [String]
    let options: PointFile.Options

    /// Returns how each file is read.
    func readings() throws -> [String] {
        try files.map { "\($0): \(try PointFile(path: $0, options: options).reading)" }
    }

    /// Only reads the files.
    func run() throws -> PointWorkResult {
        var bar = ProgressBar("Reading", total: nil)
        defer { bar.erase() }
        var result = PointWorkResult()
        try read(into: &result) { _, count in bar.update(done: count) }
        return result
    }

    /// Houses near a border may have their address from the other side.
    static let isAbroad: BorderCheck = { CountryMap.shared.isAbroad($0, from: $1, by: 1_000) }

    func run(_ load: PointLoad) async throws -> PointWorkResult {
        let app = try await Application.forCommand(.folder)
        let read = Locked(PointWorkResult())
        let bar = Locked(ProgressBar("Loading", total: nil))
        let outcome: Result<PointLoad.Outcome, any Error>
        do {
            outcome = .success(
                try await load.run(by: .current, on: app.database) { count in
                    bar.withLock { if let count { $0.update(done: count) } else { $0.finish() } }
                } reading: { add in
                    var result = PointWorkResult()
                    try self.read(into: &result) { point, _ in try add(point) }
                    read.withLock { [result] in $0 = result }
                })
        } catch { outcome = .failure(error) }
        bar.withLock { $0.erase() }
        await app.close()
        var result = read.withLock { $0 }
        result.outcome = try outcome.get()
        return result
    }

    private func read(
        into result: inout PointWorkResult, _ body: (AddressPoint, _ count: Int) throws -> Void
    ) throws {
        var count = 0
        for path in files {
            var file = try PointFile(path: path, options: options)
            let report = try file.forEach { point in
                count += 1
                try body(point, count)
            }
            result.read += report.points
            for (reason, number) in report.leftOut { result.leftOut["\(reason)", default: 0] += number }
        }
    }
}

/// The counts of files that were read, and of the points that were loaded from them.
struct PointWorkResult: Sendable {
    var read = 0
    var leftOut: [String: Int] = [:]
    /// Nil if the points were only read.
    var outcome: PointLoad.Outcome?

    /// The counts of rows that were left out, the largest first.
    private var omissions: [(reason: String, count: Int)] {
        var all = leftOut
        if let outcome {
            all["without a number, a name, or a town or postcode", default: 0] += outcome.incomplete
            all["in another country than their own", default: 0] += outcome.abroad
            all["further points of a number", default: 0] += outcome.repeated
        }
        return all.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0, $1) }
    }

    func write(as set: String) {
        if let outcome {
            Screen.output.writeLine(
                "Loaded \(Words.count(outcome.points, "point")) of \(Words.count(outcome.streets, "street")) as \(set)."
            )
        } else {
            Screen.output.writeLine("\(Words.count(read, "point")) can be loaded as \(set).")
        }
        for (reason, count) in omissions {
            Screen.output.writeLine("Left out: \(Readable.count(count)), \(reason)")
        }
        guard let outcome else { return }
        for chain in outcome.chains { Screen.output.writeLine(chain.sentence) }
        Screen.errors.writeLine(
            "Known addresses are not asked again. To ask weak answers again: waypost rematch --weak")
    }
}

extension PointWorkResult: Shaped {
    static let shape = Shape<PointWorkResult>("LoadedPoints", "The counts of a load of address points.") {
        Member("read", example: 120_000) { $0.read }
        Member("points", "Null for a dry run.", example: 119_000) { $0.outcome?.points }
        Member("streets", example: 8_000) { $0.outcome?.streets }
        Member("left_out", "Rows that were left out.", example: 1_000) { $0.omissions.map(\.count).reduce(0, +) }
        Member("chains", "The chains that were changed.", example: ["default"]) {
            $0.outcome.map { $0.chains.filter(\.isChanged).map(\.name) }
        }
    }
}
