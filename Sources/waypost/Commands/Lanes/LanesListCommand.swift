import Operations
import Queue
import Sentences
import Terminal

struct LanesListCommand: Command {
    static let name = "list"
    static let summary = "Show the lanes: their state, backlog and limits."
    static let discussion = "USED is the share of the permitted calls that the last full minute used."

    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let lanes = try await Application.asking { app, db in try app.queue.lanes(on: db) }
        if json { return try Screen.output.writeJSON(lanes.map(LaneJSON.init)) }
        var table = Table(
            .left("LANE"), .left("STATE", style: conditionStyle), .right("READY"), .right("LATER"), .right("HELD"),
            .right("DEAD"), .right("USED"), .left("LIMITS"))
        for lane in lanes {
            table.add(
                lane.lane, lane.conditionText, Readable.count(lane.ready), Readable.count(lane.later),
                Readable.count(lane.held), Readable.count(lane.dead), lane.usedText, lane.limitsText)
        }
        table.write(to: .output)
    }
}
