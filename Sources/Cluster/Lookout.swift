import Postgres
import Processes
import Queue

/// Looks for jobs in all lanes in which a worker waits for them, in one statement.
///
/// A waiting worker is notified of new jobs. The lookout finds the others: jobs that were returned to their lane, that
/// became due, or whose notification was lost. It also notices when there are fewer workers.
struct Lookout {
    let worker: Worker
    let membership: Membership
    /// True while no notification arrives.
    let isDeaf: Locked<Bool>

    /// Looks until the task is cancelled. `loops` are those of the worker at present.
    func run(over loops: @Sendable () -> [LaneLoop]) async {
        var last = membership.crowd
        var pace = 1.0
        var isFirst = true
        var hasRehearsed = false
        while (try? await Task.sleep(for: worker.poll * pace * Self.wait(in: last, isFirst: isFirst))) != nil {
            let loops = loops()
            if !hasRehearsed, let loop = Self.rehearsal(among: loops.filter(\.isWaiting)) {
                loop.send(.lookedOut(hasJobs: true, crowd: last))
                hasRehearsed = true
            }
            isFirst = false
            let (lanes, id) = (loops.filter(\.isWaiting).map(\.lane), membership.id)
            let found = try? await membership.run { [queue = worker.queue] in
                try queue.lookForJobs(in: lanes, for: id, on: $0)
            }
            // If the database is away, the claims say so.
            guard let found else { continue }
            pace = isDeaf.withLock { $0 } ? Self.pace(after: pace, hasJobs: !found.lanes.isEmpty) : 1
            for loop in loops where found.crowd < last || found.lanes.contains(loop.lane) {
                loop.send(.lookedOut(hasJobs: found.lanes.contains(loop.lane), crowd: found.crowd))
            }
            last = found.crowd
        }
    }

    /// The time to the next look of a worker of a crowd, as a multiple of the poll. Of many workers each looks less
    /// often, but soon enough to notice that most of them have gone. Workers that start together look one after another,
    /// because each claims if it finds jobs.
    static func wait(in crowd: Double, isFirst: Bool) -> Double {
        min(crowd, 10) * .random(in: isFirst ? 0...1 : 0.5...1.5)
    }

    /// Returns the loop that claims now, although nothing may be there. The first claim of a session takes 20 to 50 ms,
    /// thirty times as long as later ones, because the server plans each statement. For the first claims of 200 workers in a
    /// busy lane, a core would be busy for eight seconds.
    static func rehearsal(among loops: [LaneLoop]) -> LaneLoop? {
        loops.filter { $0.work.sender != nil }.randomElement() ?? loops.randomElement()
    }

    /// The time to the next look of a worker without notifications, as a share of the poll. It looks often while it
    /// finds jobs, and half as often after each look that finds none.
    static func pace(after pace: Double, hasJobs: Bool) -> Double { hasJobs ? 1 / 32 : min(1, pace * 2) }
}
