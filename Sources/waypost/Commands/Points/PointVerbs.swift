import Formats
import FoundationEssentials
import Geocoding
import Points
import Postgres
import Processes
import Questions
import Queue
import Shapes
import Terminal

enum PointVerbs {
    static let group = Node.group(
        "points", "Load open address data, and see and drop the sets.",
        [.command(PointsLoadCommand.self), list, drop])

    private static let list = Node.list(
        "list", NoInput.self, "Show the sets of address points.", in: .folder,
        look: { _, _, db in try PointSetStore().sets(on: db).filter { !$0.isDropped && !$0.isRegion } }, as: { $0 },
        empty: "There are no points. Load some with 'waypost points load FILE… --name NAME'.",
        [
            .left("SET") { $0.name }, .right("POINTS") { Readable.count($0.points) },
            .right("STREETS") { Readable.count($0.streets) },
            .left("COUNTRIES") { $0.countries.joined(separator: ", ") },
            .left("LOADED") { Words.time($0.loadedAt, asOf: .seconds(Date().timeIntervalSince1970)) },
            .left("ATTRIBUTION") { $0.credit },
        ])

    private struct Dropped: ConfirmedInput {
        @Argument("NAME", "The set.") var set: String
        @Flag("--yes", "Don't ask for confirmation.") var yes
    }

    private static let drop = drop(
        "Delete a set of address points. Answers from it stay."
    ) { "Delete the \(Words.count($0.points, "point")) of \($0.name)?" }

    /// Drops a set, or a region.
    static func drop(
        _ summary: String, question: @escaping @Sendable (PointSet) -> String
    ) -> Node {
        .confirmed(
            "drop", Dropped.self, summary,
            """
            Its lane is taken out of all chains, and stays empty: questions that wait there go on to the next link of their chain. \
            'waypost cache expire --provider NAME' lets its answers be asked again.
            """, in: .folder, find: { input, _, db in try PointSetStore().set(input.set, on: db) },
            question: { known, _ in question(known) }
        ) { _, input, app in
            let chains = try await PointSetStore().drop(input.set, by: .current, on: app.database)
            return Report(["Deleted \(input.set)."] + chains.map(\.sentence))
        }
    }
}

extension PointSet: Shaped {
    static let shape = Shape<PointSet>("PointSet", "A set of address points, with the lane of its name.") {
        Member("name", example: "ban") { $0.name }
        Member("points", example: 26_000_000) { $0.points }
        Member("streets", example: 2_000_000) { $0.streets }
        Member("countries", "Empty if the data does not say.", example: ["FR"]) { $0.countries }
        Member("attribution", example: "© BAN") { $0.attribution }
        Member("licence", example: "Licence Ouverte 2.0") { $0.licence }
        Member("areas", "Areas with a border; zero without a region.", example: 0) { $0.areas }
        Member("loaded_at") { Moment($0.loadedAt) }
    }
}

extension PointChain {
    /// The state of a chain after a set was loaded or dropped.
    var sentence: String {
        let links = plan.links.map(\.words).map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
        return isChanged
            ? "The chain \(name) is now: \(links)"
            : "The chain \(name) has links of your own and was not changed. To use the points: waypost chains set \(name) "
                + links
    }
}

struct PointsLoadCommand: ChangingCommand {
    static let name = "load"
    static let summary = "Load open address data: a lane then answers house by house, offline."
    static let discussion = """
        Reads tables (CSV, TSV, PSV) and GeoJSON, also packed (.gz, .zip), of OpenAddresses and of many countries. Of a table \
        that is not known, --columns names the columns:

          waypost points load adresses-france.csv.gz --name ban --attribution "© BAN" --licence "Licence Ouverte 2.0"
          waypost points load berlin.geojson.gz --name oa --country DE --dry-run
          waypost points load town.csv --name town --country AT --columns number=hnr,street=str,postcode=plz,longitude=x,latitude=y

        The lane of a new set is put into the chains default (after the gazetteer) and reverse (before it). A chain that does \
        not begin with the gazetteer, without conditions, is not changed. No known address is asked again; \
        'waypost rematch --weak' does that. The same name again loads a new version, which replaces the old one when it is \
        complete.
        """

    @Argument("FILE", "The files of the set.", completion: .files) var files: [String]
    @Option("--name", "NAME", "The name of the set and of its lane: small letters, digits, - and _.") var set: String
    @Option("--attribution", "TEXT", "Whom to name next to the places; by default that of the version before.")
    var attribution: String?
    @Option("--licence", "TEXT", "The licence of the data; by default that of the version before.")
    var licence: String?
    @Option("--country", "The country of points that name none.") var country: Country?
    @Option("--columns", "PART=COLUMN,…", "The columns of a table that is not known.") var columns: String?
    @Option("--crs", "EPSG:N", "The coordinate system, if the coordinates are not degrees.") var system: String?
    @Option("--encoding", "Character encoding of tables; detected if omitted.") var encoding = TextEncoding.automatic
    @Flag("-n", "--dry-run", "Only read the files, and print what they have.") var isDryRun
    @Flag("--json", "Print JSON.") var json

    var changes: Bool { !isDryRun }

    func run() async throws {
        guard set.isName else {
            throw UsageError("a set's name has small letters, digits, - and _, 60 at most, not \"\(set)\"")
        }
        if ProviderSettings.taken.contains(set) {
            throw UsageError("\(set) is the name of a provider; give the points another name, such as \(set)-points")
        }
        let work = PointWork(files: files, options: try options())
        var load = PointLoad(set)
        (load.attribution, load.licence, load.isAbroad) = (attribution, licence, PointWork.isAbroad)
        let result: PointWorkResult
        do {
            // Wrong files are reported before the database is used.
            for line in try work.readings() { Screen.errors.writeLine(line) }
            result = isDryRun ? try work.run() : try await work.run(load)
        } catch let mistake as ColumnMistake {
            throw UsageError("--columns: \(mistake)")
        }
        if json { return Screen.output.writeJSON(result) }
        result.write(as: set)
    }

    private func options() throws -> PointFile.Options {
        var options = PointFile.Options()
        do { options.layout = try columns.map { try PointLayout(columns: $0) } } catch {
            throw UsageError("--columns: \(error)")
        }
        (options.country, options.system, options.encoding) = (country, system ?? "", encoding)
        return options
    }
}
