import Queue
import Terminal

struct LanesAddCommand: Command {
    static let name = "add"
    static let summary = "Make a lane."
    static let discussion = "A lane is named after the provider that serves it. It begins open and without limits."

    @Argument("LANE", "Its name.") var lane: String
    @Option("--batch", "N", "How many subjects one call carries.", in: 1...100_000) var batch = 1

    func run() async throws {
        guard lane.isName else {
            throw UsageError("a lane's name is small letters, digits, - and _, 60 at most")
        }
        try await Application.asking { [lane, batch] app, db in try app.queue.addLane(lane, batch: batch, on: db) }
        Screen.output.writeLine("There is a lane \(lane) now. Limit it with 'waypost lanes limit \(lane) 1/s'.")
    }
}

struct LanesPauseCommand: Command {
    static let name = "pause"
    static let summary = "Stop a lane until it is resumed. Calls under way end; none is begun."

    @Argument("LANE", "The lane.") var lane: String

    func run() async throws {
        let changed = try await Application.asking { [lane] app, db in try app.queue.pause(lane, on: db) }
        Screen.output.writeLine(changed ? "\(lane) is paused." : "\(lane) was paused already.")
    }
}

struct LanesResumeCommand: Command {
    static let name = "resume"
    static let summary = "Open a lane that a person paused, its provider blocked, or its breaker closed."

    @Argument("LANE", "The lane.") var lane: String

    func run() async throws {
        let changed = try await Application.asking { [lane] app, db in try app.queue.resume(lane, on: db) }
        Screen.output.writeLine(changed ? "\(lane) is open." : "\(lane) was open already.")
    }
}
