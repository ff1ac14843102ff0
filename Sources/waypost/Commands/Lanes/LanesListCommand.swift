import Queue
import Shapes
import Terminal
import Wording

struct LanesListCommand: Command {
    static let name = "list"
    static let summary = "Show the lanes: their state, backlog and limits."
    static let discussion = "USED is the share of the permitted calls that the last 60 seconds used."

    let look = WatchOptions()

    func run() async throws {
        try await look.show(in: .folder, { app, db in try app.queue.lanes(on: db) }, as: { $0 }) {
            lanes, screen in
            var table = Table(
                .left("LANE"), .left("STATE", style: conditionStyle), .right("READY"), .right("LATER"), .right("HELD"),
                .right("DEAD"), .right("USED"), .left("LIMITS"))
            for lane in lanes {
                table.add(
                    lane.lane, lane.conditionText, Readable.count(lane.ready), Readable.count(lane.later),
                    Readable.count(lane.held), Readable.count(lane.dead), lane.usedText, lane.limits.text)
            }
            table.write(to: screen)
            for lane in lanes {
                guard let failures = lane.failures else { continue }
                screen.writeLine("\(lane.lane): \(failures.sentence(asOf: lane.asOf))")
            }
        }
    }
}
