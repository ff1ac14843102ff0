import Foundation
import Glibc
import Postgres
import Processes
import Queue
import ServerTesting

/// The faults of the database while workers use it.
enum ServerFault: String, CaseIterable {
    /// All its processes are stopped, as if the machine or the network had failed. Clients wait.
    case freeze
    /// It ends at once, and is restarted with its committed data.
    case crash
    /// Other sessions use up all connections.
    case sessions
    /// A transaction of another session holds locks that workers need.
    case locks
    /// Its clock is set, forwards or back.
    case clock
    /// Its clock is slewed for some seconds: it runs faster or slower.
    case slew
    /// Its disk is full.
    case disk
    /// Its clock is set while no process of the cluster runs, and may be set right while they run.
    case dark
    /// A proxy in front of it resets every second connection while it opens.
    case resets
    /// A proxy drops and refuses all connections for a while. Then it leads to a server with all committed data.
    case switchover
    /// A copy of it, as for staging, has a coordinator and a worker.
    case copy
    /// Its settings change to odd ones.
    case odd

    /// All processes connect through a proxy.
    var takesProxy: Bool { self == .resets || self == .switchover }
}

/// Disturbs a database, one fault after the other.
struct ServerDisturber {
    let server: PrivateServer
    /// The folder with the server's data.
    let folder: String
    let clock: SettableClock
    /// Nil if the disk can't be filled.
    let disk: SmallDisk?
    /// The proxies through which processes connect.
    let ways: [DistantServer]
    let faults: [ServerFault]
    let outages: ClosedRange<Double>
    let chronicle: Chronicle
    /// While `isDark` is set, no process of the cluster may run. `running` counts those that still do.
    let isDark: Locked<Bool>
    let running: Locked<Int>
    /// The recorder's port, for workers of a copy.
    let port: UInt16
    var random: SeededGenerator
    private var offset = 0.0
    private var clockSetAt = -Double.infinity

    init(
        _ server: PrivateServer, in folder: String, clock: SettableClock, disk: SmallDisk?, ways: [DistantServer],
        _ faults: [ServerFault], outages: ClosedRange<Double>, chronicle: Chronicle, isDark: Locked<Bool>,
        running: Locked<Int>, port: UInt16, random: SeededGenerator
    ) {
        (self.server, self.folder, self.clock, self.disk, self.ways) = (server, folder, clock, disk, ways)
        (self.faults, self.outages, self.chronicle, self.random) = (faults, outages, chronicle, random)
        (self.isDark, self.running, self.port) = (isDark, running, port)
    }

    /// Disturbs the database until the task is cancelled, and leaves it healthy.
    mutating func disturb() async throws {
        while !Task.isCancelled {
            await pause(0.5...2)
            guard !Task.isCancelled, let fault = faults.randomElement(using: &random) else { return }
            switch fault {
            case .freeze: await freeze()
            case .crash: try await crash()
            case .sessions: await crowd()
            case .locks: await lock()
            case .clock: setClock()
            case .slew: await slewClock()
            case .disk: try await fillDisk()
            case .resets: await resetConnections()
            case .switchover: try await switchOver()
            case .dark: await darken()
            case .copy: await copy()
            case .odd: await setOddly()
            }
        }
    }

    private mutating func outage() -> Double { Double.random(in: outages, using: &random) }

    /// Leaves time to observe the recovery after an outage in which processes ended.
    private mutating func watchReturn(after outage: Double) async {
        if outage > Trial.registry.silenceLimit / .seconds(1) { await pause(5...10) }
    }

    private mutating func freeze() async {
        guard let postmaster else { return }
        let began = wallTime()
        // Stops the postmaster first, so that it starts no more processes.
        kill(postmaster, SIGSTOP)
        let others = Self.children(of: postmaster)
        for other in others { kill(other, SIGSTOP) }
        let outage = outage()
        await pause(outage...outage)
        // A host that returns may have another clock.
        if faults.contains(.clock), Int.random(in: 1...4, using: &random) == 1 { setClock() }
        for other in others { kill(other, SIGCONT) }
        kill(postmaster, SIGCONT)
        chronicle.note(.frozen, "the database", since: began)
        await watchReturn(after: outage)
    }

    private mutating func crash() async throws {
        guard let postmaster else { return }
        let began = wallTime()
        kill(postmaster, SIGQUIT)
        let outage = outage() / 2
        await pause(outage...outage)
        // A standby that takes over may also have another clock.
        if faults.contains(.clock), Int.random(in: 1...4, using: &random) == 1 { setClock() }
        try await server.restart()
        chronicle.note(.crashed, "the database", since: began)
        await watchReturn(after: outage)
    }

    private mutating func resetConnections() async {
        let began = wallTime()
        for way in ways { way.resetOpenings(every: 2) }
        for _ in 1...Int.random(in: 1...5, using: &random) {
            for way in ways { way.breakConnections() }
            await pause(0.1...0.6)
        }
        for way in ways { way.resetOpenings(every: nil) }
        chronicle.note(.reset, "connections", since: began)
    }

    /// The new server has the old one's data, like a synchronous standby, and perhaps another clock.
    private mutating func switchOver() async throws {
        let began = wallTime()
        for way in ways {
            way.resetOpenings(every: 1)
            way.breakConnections()
        }
        if let postmaster { kill(postmaster, SIGQUIT) }
        let outage = max(2, min(20, outage()))
        await pause(outage...outage)
        if faults.contains(.clock), Int.random(in: 1...4, using: &random) == 1 { setClock() }
        try await server.restart()
        while await !isUp() {}
        for way in ways { try way.lead(to: server.url) }
        chronicle.note(.switchedOver, "the database", since: began)
        await watchReturn(after: outage)
    }

    /// Half of the time the server reports errors. In the other half its WAL is full too, and it ends. Then it is
    /// restarted repeatedly, whether or not that succeeds.
    private mutating func fillDisk() async throws {
        guard let disk else { return }
        let began = wallTime()
        let isLogFull = Bool.random(using: &random)
        let room = isLogFull ? 0 : Int.random(in: 0...8 << 20, using: &random)
        let outage = outage()
        try disk.fill(leaving: room)
        if isLogFull { await fillLog() }
        var starts = 0
        while !Task.isCancelled, wallTime() < began + outage {
            try? await Task.sleep(for: .milliseconds(500))
            starts += try await restartIfEnded() ? 1 : 0
        }
        try disk.free()
        // A server started while the disk was full may still end.
        repeat { starts += try await restartIfEnded() ? 1 : 0 } while await !isUp()
        let what = isLogFull ? "no room for its log" : "\(room >> 10) KB left"
        chronicle.note(.full, "\(what), started again \(starts) times", since: began)
        await watchReturn(after: outage)
    }

    /// Uses up the server's reserved WAL files, which ends it.
    private func fillLog() async {
        var options = Database.Options(size: 1)
        options.waitLimit = .seconds(1)
        let stranger = Database(url: server.url, options: options)
        for _ in 1...20 {
            guard (try? await stranger.run { try $0.query("SELECT txid_current(), pg_switch_wal()").count }) != nil
            else {
                break
            }
        }
        await stranger.close()
    }

    private func restartIfEnded() async throws -> Bool {
        guard server.hasEnded else { return false }
        try await server.restart()
        return true
    }

    /// Also works in a cancelled task, because the database must be left healthy.
    private func isUp() async -> Bool {
        var options = Database.Options(size: 1)
        options.waitLimit = .seconds(1)
        let stranger = Database(url: server.url, options: options)
        let isUp = await Task {
            if (try? await stranger.run { try $0.query("SELECT 1").count }) != nil { return true }
            try? await Task.sleep(for: .milliseconds(50))
            return false
        }.value
        await stranger.close()
        return isUp
    }

    private mutating func crowd() async {
        let began = wallTime()
        let seconds = Double.random(in: 0.2...2, using: &random)
        var options = Database.Options(size: 200)
        options.waitLimit = .seconds(1)
        let strangers = Database(url: server.url, options: options)
        await withTaskGroup { group in
            for _ in 1...200 {
                group.addTask { _ = try? await strangers.run { try $0.query("SELECT pg_sleep(\(seconds))").count } }
            }
        }
        await strangers.close()
        chronicle.note(.crowded, "the database", since: began)
    }

    private static let locks: [SQL] = [
        "LOCK TABLE lanes", "LOCK TABLE jobs", "LOCK TABLE token_buckets", "LOCK TABLE calls", "LOCK TABLE workers",
        "SELECT FROM lanes FOR UPDATE", "SELECT FROM token_buckets FOR UPDATE", "SELECT FROM leadership FOR UPDATE",
        "SELECT FROM jobs ORDER BY run_at, id LIMIT 2000 FOR UPDATE", "SELECT FROM server_clock FOR UPDATE",
    ]

    private mutating func lock() async {
        let began = wallTime()
        let number = Int.random(in: Self.locks.indices, using: &random)
        let seconds = Double.random(in: 0.1...2, using: &random)
        let stranger = Database(url: server.url, options: .init(size: 1))
        _ = try? await stranger.transaction { db throws in
            try db.query(Self.locks[number])
            try db.query("SELECT pg_sleep(\(seconds))")
        }
        await stranger.close()
        chronicle.note(.locked, "\(Self.locks[number].text)", since: began)
    }

    /// A call of this worker is a fault, except in a lane without limits (``Trial``).
    static let worker = "worker-of-a-copy"

    private mutating func copy() async {
        let (began, url) = (wallTime(), server.url(of: "copy"))
        let made = try? await ChildProcess.output(
            of: "/bin/sh",
            [
                "-c", "psql -qc 'CREATE DATABASE copy' '\(server.url)' && pg_dump '\(server.url)' | psql -qd '\(url)'",
            ])
        if made?.exit.isSuccess == true {
            let crew = [["coordinator", url, "coordinator-of-a-copy"], ["worker", url, "\(port)", Self.worker]].map {
                try? ChildProcess(Trial.program, $0, input: .lifeline, error: .discarded)
            }
            await pause(3...6)
            for process in crew { process?.send(SIGKILL) }
            for process in crew { _ = await process?.exit() }
            chronicle.note(.copied, "the database", since: began)
        }
        await ask("DROP DATABASE IF EXISTS copy WITH (FORCE)")
    }

    /// Each of them has broken something once.
    private static let oddSettings = [
        "bytea_output = escape", "array_nulls = off", "extra_float_digits = -15", "idle_session_timeout = 300",
        "default_transaction_isolation = serializable", "standard_conforming_strings = off",
    ]

    private mutating func setOddly() async {
        let (began, settings) = (wallTime(), Self.oddSettings.shuffled(using: &random).prefix(3))
        for setting in settings { await ask("ALTER SYSTEM SET \(setting)") }
        await ask("SELECT pg_reload_conf()")
        await pause(2...6)
        await ask("ALTER SYSTEM RESET ALL")
        await ask("SELECT pg_reload_conf()")
        chronicle.note(.setOddly, settings.joined(separator: ", "), since: began)
    }

    /// Runs a statement, if the server permits it.
    private func ask(_ statement: String) async {
        let database = Database(url: server.url, options: .init(size: 1))
        _ = try? await database.run { try $0.run(script: statement) }
        await database.close()
    }

    private mutating func darken() async {
        let began = wallTime()
        isDark.withLock { $0 = true }
        while running.withLock({ $0 }) > 0, !Task.isCancelled { await pause(0.05...0.05) }
        let before = offset
        setClock(atOnce: true)
        // Simulates processes that start on another host, where they can't measure the elapsed time.
        let isElsewhere = Bool.random(using: &random)
        if isElsewhere { await ask("UPDATE server_clock SET checked_boot = 'another'") }
        await pause(0.2...2)
        isDark.withLock { $0 = false }
        chronicle.note(isElsewhere ? .moved : .dark, "the cluster", since: began)
        await pause(6...8)
        if Bool.random(using: &random) { setClock(by: before - offset) }
        await pause(4...6)
    }

    private mutating func setClock(atOnce: Bool = false) {
        // Each clock step costs a lane a second or two, so leave time for calls in between.
        guard atOnce || wallTime() > clockSetAt + 4 else { return }
        let size: Double =
            switch Int.random(in: 1...5, using: &random) {
            case 1: Double.random(in: 0.01...0.3, using: &random)
            case 2, 3: Double.random(in: 0.3...5, using: &random)
            case 4: Double.random(in: 5...30, using: &random)
            default: 600
            }
        setClock(by: Bool.random(using: &random) ? size : -size)
    }

    /// In parts per million. The last positive one is chrony's default maximum.
    private static let slews: [Double] = [500, 2_600, 3_000, 10_000, 83_333, -3_000]

    private mutating func slewClock() async {
        guard let gain = Self.slews.randomElement(using: &random) else { return }
        let began = wallTime()
        chronicle.noteClock(aheadBy: offset, gaining: gain / 1e6, since: began)
        clock.slew(by: gain)
        await pause(3...10)
        clock.slew(by: 0)
        offset = clock.offset / .seconds(1)
        chronicle.noteClock(aheadBy: offset, since: wallTime())
        chronicle.note(.slewed, "by \(Int(gain)) ppm", since: began)
    }

    private mutating func setClock(by step: Double) {
        clockSetAt = wallTime()
        offset += step
        let began = wallTime()
        chronicle.noteClock(aheadBy: offset, since: began)
        clock.set(to: .seconds(offset))
        chronicle.note(.clockSet, String(format: "by %.3f s", step), since: began)
    }

    private mutating func pause(_ seconds: ClosedRange<Double>) async {
        try? await Task.sleep(for: .seconds(Double.random(in: seconds, using: &random)))
    }

    /// The postmaster; nil while it is not running.
    private var postmaster: Int32? {
        let file = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
        return file?.split(separator: "\n").first.flatMap { Int32($0) }
    }

    private static func children(of parent: Int32) -> [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { Int32($0) }.filter { process in
            guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let end = stat.lastIndex(of: ")")
            else { return false }
            // The state and the parent follow the name in brackets.
            return stat[end...].split(separator: " ").dropFirst(2).first == "\(parent)"
        }
    }
}
