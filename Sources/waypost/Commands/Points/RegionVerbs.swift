import Formats
import FoundationEssentials
import Geocoding
import Points
import Postgres
import Processes
import Queue
import Shapes
import Terminal

enum RegionVerbs {
    static let group = Node.group(
        "region", "Load a map of OpenStreetMap, and see and drop the regions.",
        [.command(RegionLoadCommand.self), list, drop])

    private static let list = Node.list(
        "list", NoInput.self, "Show the regions.", in: .folder,
        look: { _, _, db in try PointSetStore().sets(on: db).filter { !$0.isDropped && $0.isRegion } }, as: { $0 },
        empty: "There are no regions. Load one with 'waypost region load FILE.osm.pbf'.",
        [
            .left("REGION") { $0.name }, .right("HOUSES") { Readable.count($0.points) },
            .right("STREETS") { Readable.count($0.streets) }, .right("AREAS") { Readable.count($0.areas) },
            .left("COUNTRIES") { $0.countries.joined(separator: ", ") },
            .left("LOADED") { Words.time($0.loadedAt, asOf: .seconds(Date().timeIntervalSince1970)) },
        ])

    private static let drop = PointVerbs.drop(
        "Delete a region. Answers from it stay."
    ) { "Delete \($0.name) with \(Words.count($0.points, "house"))?" }
}

struct RegionLoadCommand: ChangingCommand {
    static let name = "load"
    static let summary = "Load a map of OpenStreetMap: houses, streets, towns and their borders, offline."
    static let discussion = """
        Reads an extract (.osm.pbf) of a country or a part of it. A lane then answers addresses and coordinates:

          waypost region load liechtenstein.osm.pbf
          waypost region load bayern.osm.pbf --name bavaria --dry-run

        Take extracts that follow borders: a town whose border is cut is left out, and named here. Outside its towns a region \
        answers nothing, so the next lane of the chain does. If a set of points has the houses of the country, \
        --without-houses loads only streets, towns and borders, and the points come first in the chains.

        The same name again loads a new version, which replaces the old one when it is complete.
        """

    @Argument("FILE", "The extract.", completion: .files) var file: String
    @Option("--name", "NAME", "The name of the region and of its lane; by default from the file's name.") var set:
        String?
    @Option("--country", "The country, if the extract does not contain its border.") var country: Country?
    @Flag("--without-houses", "Load only streets, towns and borders.") var withoutHouses
    @Flag("-n", "--dry-run", "Only read the file, and print what it has.") var isDryRun
    @Flag("--json", "Print JSON.") var json

    var changes: Bool { !isDryRun }

    func run() async throws {
        let name = set ?? Self.name(of: file)
        guard name.isName else {
            throw UsageError(
                "a region's name has small letters, digits, - and _, 60 at most, not \"\(name)\"; give one with --name")
        }
        if ProviderSettings.taken.contains(name) {
            throw UsageError("\(name) is the name of a provider; give the region another name with --name")
        }
        var load = RegionLoad(name)
        (load.country, load.withoutHouses, load.isAbroad) = (country, withoutHouses, PointWork.isAbroad)
        let result = try await read(load)
        if json { return Screen.output.writeJSON(result) }
        result.write(as: name)
    }

    /// `bayern` for `maps/bayern-latest.osm.pbf`.
    private static func name(of file: String) -> String {
        let name = file.split(separator: "/").last.map { $0.prefix { $0 != "." }.lowercased() } ?? ""
        return name.hasSuffix("-latest") ? String(name.dropLast(7)) : name
    }

    private func read(_ load: RegionLoad) async throws -> LoadedRegion {
        let bar = Locked(ProgressBar("Reading", total: nil))
        defer { bar.withLock { $0.erase() } }
        let objects = try RegionObjects(reading: MapExtract(path: file)) { _, count in
            bar.withLock { $0.update(done: count) }
        }
        bar.withLock {
            $0.erase()
            $0 = ProgressBar("Loading", total: nil)
        }
        let join = try load.join(objects)
        if isDryRun { return LoadedRegion(objects: objects, counts: join.counts, outcome: nil) }
        let app = try await Application.forCommand(.folder)
        let outcome: Result<PointLoad.Outcome, any Error>
        do {
            outcome = .success(
                try await load.run(join, by: .current, on: app.database) { count in
                    bar.withLock { if let count { $0.update(done: count) } else { $0.finish() } }
                })
        } catch { outcome = .failure(error) }
        await app.close()
        return LoadedRegion(objects: objects, counts: join.counts, outcome: try outcome.get())
    }
}

/// The counts of a region, and of the parts that were left out.
struct LoadedRegion: Sendable {
    let objects: RegionObjects
    let counts: RegionJoin.Counts
    /// Nil if the extract was only read.
    let outcome: PointLoad.Outcome?

    private var omissions: [(count: Int, reason: String)] {
        let read = objects.counts
        return [
            (counts.withoutStreet, "houses without a street, a place, or a street within 100 m"),
            (outcome?.abroad ?? 0, "houses in another country than their town"),
            (read.housesWithoutNumber, "houses with a name and no number"),
            (read.housesWithoutPosition, "houses whose nodes are not in the extract"),
            (read.unusedInterpolations, "lines of interpolation without two numbers"),
        ].filter { $0.0 > 0 }
    }

    func write(as name: String) {
        func line(_ text: String) { Screen.output.writeLine(text) }
        line(
            (outcome == nil ? "The extract has " : "Loaded \(name): ")
                + [
                    Words.count(counts.houses, "house"), Words.count(counts.streets, "street"),
                    Words.count(objects.places.count, "place"), Words.count(counts.areas, "area"),
                ].joined(separator: ", ") + ".")
        if counts.ofNearestStreet + counts.interpolated > 0 {
            line(
                "Interpolated: \(Readable.count(counts.interpolated)) between two numbers, "
                    + "\(Readable.count(counts.ofNearestStreet)) at the nearest street")
        }
        for omission in omissions { line("Left out: \(Readable.count(omission.count)) \(omission.reason)") }
        let broken = objects.brokenBoundaries
        if !broken.isEmpty {
            line(
                "Left out: \(Words.count(broken.count, "border")) cut by the edge of the extract: "
                    + broken.map { objects.texts[$0.name] }.filter { !$0.isEmpty }.sorted().joined(separator: ", "))
        }
        if counts.towns == 0 {
            line(
                """
                No border of a town is complete: coordinates get the nearest place, and houses the town that they name. Take an \
                extract that follows borders.
                """)
        }
        for chain in outcome?.chains ?? [] { line(chain.sentence) }
        if outcome != nil {
            Screen.errors.writeLine(
                "Known addresses are not asked again. To ask weak answers again: waypost rematch --weak")
        }
    }
}

extension LoadedRegion: Shaped {
    static let shape = Shape<LoadedRegion>("LoadedRegion", "The counts of an extract of OpenStreetMap.") {
        Member("houses", example: 12_000) { $0.counts.houses }
        Member("streets", example: 1_500) { $0.counts.streets }
        Member("places", example: 43) { $0.objects.places.count }
        Member("areas", example: 14) { $0.counts.areas }
        Member("interpolated", example: 0) { $0.counts.interpolated + $0.counts.ofNearestStreet }
        Member("left_out", "Houses that were left out.", example: 7) { $0.omissions.map(\.count).reduce(0, +) }
        Member("broken_borders", "Names of areas whose border is cut.", example: ["Feldkirch"]) { loaded in
            loaded.objects.brokenBoundaries.map { loaded.objects.texts[$0.name] }
        }
        Member("chains", "The chains that were changed; null for a dry run.", example: ["default"]) {
            $0.outcome.map { $0.chains.filter(\.isChanged).map(\.name) }
        }
    }
}
