import FoundationEssentials
import Points
import Postgres
import Questions
import Queue
import Shapes
import Terminal
import Wording

struct PointsListCommand: Command {
    static let name = "list"
    static let summary = "Show the sets of address points."

    let look = WatchOptions()

    func run() async throws {
        try await look.show(
            in: .folder, { _, db in try PointSetStore().sets(on: db).filter { !$0.isDropped } }, as: { $0 }
        ) { sets, screen in
            let now = Duration.seconds(Date().timeIntervalSince1970)
            if sets.isEmpty {
                return screen.writeLine("There are no points. Load some with 'waypost points load FILE… --name NAME'.")
            }
            var table = Table(
                .left("SET"), .right("POINTS"), .right("STREETS"), .left("COUNTRIES"), .left("LOADED"),
                .left("ATTRIBUTION"))
            for set in sets {
                table.add(
                    set.name, Readable.count(set.points), Readable.count(set.streets),
                    set.countries.joined(separator: ", "), Words.time(set.loadedAt, asOf: now),
                    set.credit)
            }
            table.write(to: screen)
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
        Member("loaded_at") { Moment($0.loadedAt) }
    }
}

struct PointsDropCommand: ChangingCommand {
    static let name = "drop"
    static let summary = "Delete a set of address points. Answers from it stay."
    static let discussion = """
        Its lane is taken out of all chains, and stays empty: questions that wait there go on to the next link of their chain. \
        'waypost cache expire --provider NAME' lets its answers be asked again.
        """

    @Argument("NAME", "The set.") var set: String
    @Flag("--yes", "Don't ask for confirmation.") var yes

    func run() async throws {
        let app = try await Application.forCommand(.folder)
        do {
            let known = try await app.database.run { [set] db in
                try PointSetStore().set(set, on: db)
            }
            try confirm("Delete the \(Words.count(known.points, "point")) of \(set)?", isSure: yes)
            let chains = try await PointSetStore().drop(set, by: .current, on: app.database)
            await app.close()
            Screen.output.writeLine("Deleted the points of \(set).")
            for chain in chains { chain.write() }
        } catch {
            await app.close()
            throw error
        }
    }
}

extension PointChain {
    func write() {
        let links = plan.links.map(\.words).map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
        if isChanged {
            Screen.output.writeLine("The chain \(name) is now: \(links)")
        } else {
            Screen.output.writeLine(
                "The chain \(name) has links of your own and was not changed. To use the points: waypost chains set \(name) "
                    + links)
        }
    }
}
