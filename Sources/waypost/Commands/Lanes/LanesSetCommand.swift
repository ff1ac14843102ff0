import Queue
import Terminal

struct LanesSetCommand: ChangingCommand {
    static let name = "set"
    static let summary = "Change settings of a lane other than its limits, at once and for the whole cluster."

    @Argument("LANE", "The lane.") var lane: String
    @OptionTable(LaneSetting.all.map(\.option)) var changes: [LaneChange]

    func run() async throws {
        if changes.isEmpty { throw UsageError("give an option, for example --calls-at-once 4") }
        let state = try await Application.asking(.folder) { [self] app, db in
            try app.queue.change(lane, by: .current, on: db) { settings in
                for change in changes { change.apply(to: &settings) }
            }
            return try app.queue.lane(lane, on: db)
        }
        state.write(to: .output)
    }
}

extension LaneSetting {
    /// `--calls-at-once` for the column `calls_at_once`.
    var option: OptionTable<LaneChange>.Row {
        let name = "--" + column.replacing("_", with: "-")
        return switch values {
        case .count(let range, let canBeNone):
            .init(name, help, in: range, orNone: canBeNone) { LaneChange(self, .count($0)) }
        case .time(let range): .init(name, help, in: range) { $0.map { LaneChange(self, .time($0)) } }
        case .price:
            .init(name, help, orNone: true) { price in permits(.price(price)) ? LaneChange(self, .price(price)) : nil }
        }
    }
}
