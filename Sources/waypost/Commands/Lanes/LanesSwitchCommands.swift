import Queue
import Terminal

struct LanesAddCommand: ChangingCommand {
    static let name = "add"
    static let summary = "Create a lane."
    static let discussion = "A lane is named after the provider that serves it. It begins open and without limits."

    @Argument("LANE", "Its name.") var lane: String
    @Option("--batch", "N", "How many questions one call carries.", in: LaneSetting.batches) var batch = 1

    func run() async throws {
        guard lane.isName else {
            throw UsageError("a lane's name has small letters, digits, - and _, 60 at most")
        }
        try await Application.asking(.folder) { [lane, batch] app, db in
            try app.queue.addLane(lane, batch: batch, by: .current, on: db)
        }
        Screen.output.writeLine("Lane \(lane) was created. Limit it with 'waypost lanes limit \(lane) 1/s'.")
    }
}

struct LanesPauseCommand: ChangingCommand {
    static let name = "pause"
    static let summary = "Stop a lane until it is resumed. Calls under way finish; no call starts."

    @Argument("LANE", "The lane.") var lane: String
    @Option("--reason", "TEXT", "Why, for whoever reads 'waypost log'.") var reason: String?

    func run() async throws {
        let changed = try await Application.asking(.folder) { [lane, reason] app, db in
            try app.queue.pause(lane, because: reason, by: .current, on: db)
        }
        Screen.output.writeLine(changed ? "\(lane) is paused." : "\(lane) was paused already.")
    }
}

struct LanesResumeCommand: ChangingCommand {
    static let name = "resume"
    static let summary = "Resume a lane that was paused, or that its provider or its breaker stopped."

    @Argument("LANE", "The lane.") var lane: String

    func run() async throws {
        let changed = try await Application.asking(.folder) { [lane] app, db in
            try app.queue.resume(lane, by: .current, on: db)
        }
        Screen.output.writeLine(changed ? "\(lane) is open." : "\(lane) was open already.")
    }
}
