import Geocoding
import Questions
import Terminal

struct ReverseCommand: ChangingCommand {
    static let name = "reverse"
    static let summary = "Find what is at a coordinate."
    static let discussion = """
        Called before background work, within the limits of the lanes. Positions within about fifty metres share one \
        answer. Exits with 0 when something is there, and with 1 otherwise.
        """

    @Argument("LAT,LON", "The coordinate, in degrees.") var coordinate: Coordinate
    @Option("--chain", "NAME", "The chain to use.") var chain = "reverse"
    @Flag("-v", "--verbose", "Print each step as it happens.") var isVerbose
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let question = SingleQuestion(subject: .coordinate(coordinate), chain: chain, tellsSteps: isVerbose)
        try await Application.withCluster(workers: 1) { try await question.run(in: $0) }.answer(asJSON: json)
    }
}
