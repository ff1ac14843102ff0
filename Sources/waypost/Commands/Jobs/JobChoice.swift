import Queue
import Terminal

/// The jobs that a command changes: one by its id, or all that match a filter.
struct JobChoice: ParameterGroup {
    @Argument("ID", "The job.", in: 1...) var id: Int?
    @Option("--lane", "LANE", "All jobs of this lane.") var lane: String?
    @Option("--reason", "TEXT", "All jobs whose last failure contains this text.") var reason: String?
    @Flag("--all", "All jobs.") var all
    @Flag("--yes", "Don't ask for confirmation.") var yes

    var selection: JobSelection {
        get throws(UsageError) { try JobSelection(id: id, lane: lane, reason: reason, all: all) }
    }
}
