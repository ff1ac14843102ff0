import Glibc
import Postgres
import Processes
import Queue

/// Child processes that are kept running: a coordinator and the workers of a private cluster.
///
/// A process that ends unexpectedly is reported and started again. Its jobs are freed at once, because its parent knows
/// that it is dead. When the service stops, all processes drain at the same time.
struct Crew: Service {
    package struct Member: Sendable {
        package let name: String
        package let arguments: [String]
        /// Added to the environment that all members have.
        package let environment: [String: String]

        package init(name: String, arguments: [String], environment: [String: String] = [:]) {
            self.name = name
            self.arguments = arguments
            self.environment = environment
        }
    }

    package let name = "crew"

    /// The exit code for wrong arguments or settings. Another start would not help.
    private static let wrongUse = ChildProcess.Exit.code(2)

    let program: String
    let members: [Member]
    let environment: [String: String]
    let database: Database
    let registry: ProcessRegistry
    let log: Log
    let tell: (@Sendable (String) -> Void)?

    /// Starts `program` once for each member, with standard input as a lifeline. The members' log goes to our own
    /// standard error, or line by line to `tell`.
    package init(
        program: String, members: [Member], environment: [String: String], database: Database,
        registry: ProcessRegistry, log: Log, tell: (@Sendable (String) -> Void)? = nil
    ) {
        self.program = program
        self.members = members
        self.environment = environment
        self.database = database
        self.registry = registry
        self.log = log
        self.tell = tell
    }

    package func run(ready: @escaping @Sendable () -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for member in members { group.addTask { try await keepRunning(member) } }
            ready()
            // A member that can't be kept running ends the others.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func keepRunning(_ member: Member) async throws {
        var backoff = Backoff(first: .milliseconds(200), longest: .seconds(10))
        while !Task.isCancelled {
            let start = ContinuousClock.now
            let child = try ChildProcess(
                program, member.arguments, environment: environment.merging(member.environment) { _, own in own },
                input: .lifeline,
                error: tell.map { .lines($0) } ?? .inherited)
            let exit = await withTaskCancellationHandler {
                await child.exit()
            } onCancel: {
                child.send(SIGTERM)
            }
            if Task.isCancelled { return }
            if exit == Self.wrongUse {
                throw ClusterError("\(member.name) can't run with these settings; its log says why")
            }
            log.error(
                "\(member.name) ended unexpectedly; starting it again",
                ["pid": child.pid, "exit": "\(exit)", "after": start.duration(to: .now)])
            await bury(child.pid)
            if start.duration(to: .now) > .seconds(10) {
                backoff = Backoff(first: .milliseconds(200), longest: .seconds(10))
            }
            try? await Task.sleep(for: backoff.next())
        }
    }

    private func bury(_ pid: Int32) async {
        do {
            try await database.transaction { [registry] in
                try registry.bury(host: ProcessIdentity.current.host, pid: Int(pid), on: $0).updateSubjects(on: $0)
            }
        } catch {
            // The coordinator will notice that the process is silent.
            log.warning("can't remove a dead process", ["error": "\(error)"])
        }
    }
}
