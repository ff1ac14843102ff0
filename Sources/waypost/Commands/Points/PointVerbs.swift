import FoundationEssentials
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
        look: { _, _, db in try PointSetStore().sets(on: db).filter { !$0.isDropped } }, as: { $0 },
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

    private static let drop = Node.confirmed(
        "drop", Dropped.self, "Delete a set of address points. Answers from it stay.",
        """
        Its lane is taken out of all chains, and stays empty: questions that wait there go on to the next link of their chain. \
        'waypost cache expire --provider NAME' lets its answers be asked again.
        """, in: .folder, find: { input, _, db in try PointSetStore().set(input.set, on: db) },
        question: { known, input in "Delete the \(Words.count(known.points, "point")) of \(input.set)?" }
    ) { _, input, app in
        let chains = try await PointSetStore().drop(input.set, by: .current, on: app.database)
        return Report(["Deleted the points of \(input.set)."] + chains.map(\.sentence))
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
