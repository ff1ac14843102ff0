import Glibc
import Postgres
import Processes
import Queue
import Terminal

struct TopCommand: Command {
    static let name = "top"
    static let summary = "Watch and steer the cluster on the whole screen."
    static let discussion = """
        Lanes with what they use of their limits, workers, and errors as they come. Keys pause a lane, change a limit or make a \
        worker quiet; each is asked first. ? shows the keys.

        Where there is no terminal, use 'waypost stats --watch'.
        """

    @Option("--every", "DURATION", "How long to wait between looks.", in: .milliseconds(200)...(.seconds(60)))
    var every: Duration = .seconds(1)

    func run() async throws {
        let app = try await Application.forCommand(.running)
        guard let window = try FullScreen.open() else {
            throw UsageError("top needs a terminal whose cursor can be moved; use 'waypost stats --watch'")
        }
        defer { window.close() }
        await TopSession(app: app, window: window, every: every).run()
        window.close()
        await app.database.close()
    }
}

/// One run of `waypost top`: it reads, draws, and carries out keys, one after the other.
private struct TopSession: Sendable {
    let app: Application
    let window: FullScreen
    let every: Duration

    private enum Event: Sendable {
        case key(Key)
        case seen(TopSnapshot)
        case away(String)
        /// Time to draw again, because the window may have a new size.
        case tick
        case stop
    }

    func run() async {
        let (events, event) = AsyncStream.makeStream(of: Event.self)
        Signals.watch(
            first: { _ in event.yield(.stop) },
            second: { [window] signal in
                window.close()
                _exit(128 + signal)
            })
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await key in window.keys { event.yield(.key(key)) }
                event.yield(.stop)
            }
            group.addTask { try await lookOnAndOn(event) }
            group.addTask {
                while true {
                    try await Task.sleep(for: .milliseconds(250))
                    event.yield(.tick)
                }
            }
            await heed(events)
            group.cancelAll()
        }
    }

    private func lookOnAndOn(_ event: AsyncStream<Event>.Continuation) async throws {
        while true {
            do { event.yield(.seen(try await look())) } catch is CancellationError { return } catch {
                event.yield(.away((error as? DatabaseError)?.message ?? "\(error)"))
            }
            try await Task.sleep(for: every)
        }
    }

    private func look() async throws -> TopSnapshot {
        try await app.database.transaction(isSnapshot: true) { [app] db in try TopSnapshot(app, db) }
    }

    private func heed(_ events: AsyncStream<Event>) async {
        var view = TopView()
        var size = (0, 0)
        draw(view)
        for await event in events {
            switch event {
            case .stop: return
            case .seen(let snapshot): view.see(snapshot)
            case .away(let reason): view.message = "The database is away; trying again: \(reason)"
            case .tick:
                let now = (window.screen.width, window.screen.height)
                guard now != size else { continue }
                size = now
            case .key(let key):
                guard let action = view.press(key) else { break }
                if action == .quit { return }
                do {
                    try await perform(action, &view)
                    view.see(try await look())
                } catch { view.message = "\(error)" }
            }
            draw(view)
        }
    }

    private func draw(_ view: TopView) {
        let screen = window.screen
        let lines = screen.capture { copy in
            for line in view.lines(on: copy, height: screen.height) { copy.writeLine(line) }
        }
        screen.redraw(String(lines.dropLast()), usingAll: true)
    }

    private func perform(_ action: TopAction, _ view: inout TopView) async throws {
        let (queue, registry) = (app.queue, app.registry)
        switch action {
        case .quit: break
        case .pause(let lane):
            let changed = try await app.database.transaction { try queue.pause(lane, by: .current, on: $0) }
            view.message = changed ? "\(lane) is paused." : "\(lane) was paused already."
        case .resume(let lane):
            let changed = try await app.database.transaction { try queue.resume(lane, by: .current, on: $0) }
            view.message = changed ? "\(lane) is open." : "\(lane) was open already."
        case .limit(let lane, let limits):
            try await app.database.transaction { try queue.setLimits(limits, of: lane, by: .current, on: $0) }
            let text = limits.map(\.text).joined(separator: ", ")
            view.message = limits.isEmpty ? "\(lane) has no limits now." : "\(lane) is limited to \(text) now."
        case .quiet(let worker):
            try await app.database.transaction { try registry.setQuiet(true, number: worker, by: .current, on: $0) }
            view.message = "Worker \(worker) is quiet."
        case .wake(let worker):
            try await app.database.transaction { try registry.setQuiet(false, number: worker, by: .current, on: $0) }
            view.message = "Worker \(worker) takes jobs again."
        case .showJobs(let lane):
            let jobs = try await app.database.transaction { try queue.list(in: lane, limit: 200, on: $0) }
            view.show(.jobs(lane: lane, jobs, selected: 0))
        case .showJob(let id):
            view.show(.job(try await text(ofJob: id)))
        }
    }

    /// The job, its failures, and the reason why it waits.
    private func text(ofJob id: Int) async throws -> String {
        let found = try await app.database.transaction { [queue = app.queue] in try queue.circumstances(of: id, on: $0)
        }
        guard let found else { return "Job \(id) has ended." }
        return window.screen.capture { screen in
            found.job.write(to: screen)
            screen.writeLine()
            screen.writeLine(WhyJobWaits(found).advice(job: id, lane: found.lane))
        }
    }
}
