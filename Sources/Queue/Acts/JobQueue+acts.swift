package import Postgres

/// Changes that people make to lanes, workers and jobs. Each function makes the change and writes it to the audit log.
/// Run each in a transaction.
extension JobQueue {
    package func addLane(
        _ name: String, batch: Int, by author: Author, on database: isolated Connection
    ) throws {
        try addLane(name, batch: batch, on: database)
        try AuditLog().append(.addLane, name, after: ["batch": "\(batch)"], by: author, on: database)
    }

    /// See ``setLimits(_:of:on:)``.
    package func setLimits(
        _ limits: [RateLimit], of lane: String, by author: Author, on database: isolated Connection
    ) throws {
        let id = try lock(lane, on: database)
        let before = try limitRows(on: database)[id] ?? []
        try setLimits(limits, of: lane, on: database)
        try AuditLog().append(
            .limitLane, lane, before: ["limits": before.map(\.limit).words],
            after: ["limits": limits.sorted { $0.per < $1.per }.words], by: author, on: database)
    }

    /// See ``change(_:on:_:)``.
    @discardableResult
    package func change(
        _ lane: String, by author: Author, on database: isolated Connection,
        _ change: (inout LaneSettings) throws -> Void
    ) throws -> LaneSettings {
        var former: LaneSettings?
        let settings = try self.change(lane, on: database) { settings in
            former = settings
            try change(&settings)
        }
        let (before, after) = (former?.words ?? [:], settings.words)
        let names = after.keys.filter { before[$0] != after[$0] }
        if !names.isEmpty {
            try AuditLog().append(
                .setLane, lane, before: before.filter { names.contains($0.key) },
                after: after.filter { names.contains($0.key) }, by: author, on: database)
        }
        return settings
    }

    /// See ``pause(_:on:)``. The reason is only stored in the log.
    @discardableResult
    package func pause(
        _ lane: String, because reason: String? = nil, by author: Author, on database: isolated Connection
    ) throws -> Bool {
        guard try pause(lane, on: database) else { return false }
        try AuditLog().append(
            .pauseLane, lane, after: reason.map { ["reason": $0] } ?? [:], by: author, on: database)
        return true
    }

    /// See ``resume(_:on:)``.
    @discardableResult
    package func resume(_ lane: String, by author: Author, on database: isolated Connection) throws -> Bool {
        guard try resume(lane, on: database) else { return false }
        try AuditLog().append(.resumeLane, lane, by: author, on: database)
        return true
    }

    /// See ``hurry(_:on:)``.
    package func hurry(_ job: Int, by author: Author, on database: isolated Connection) throws -> Bool {
        guard try hurry(job, on: database) else { return false }
        try AuditLog().append(.hurryJob, "\(job)", by: author, on: database)
        return true
    }

    /// See ``discard(_:on:)``.
    package func discard(
        _ selection: JobSelection, by author: Author, on database: isolated Connection
    ) throws -> Int {
        let discarded = try discard(selection, on: database)
        if discarded > 0 {
            try AuditLog().append(
                .discardJobs, selection.target, after: selection.words(of: discarded), by: author, on: database)
        }
        return discarded
    }
}

extension ProcessRegistry {
    /// See ``setQuiet(_:_:on:)``.
    package func setQuiet(
        _ isQuiet: Bool, _ worker: String, by author: Author, on database: isolated Connection
    ) throws -> [(id: WorkerID, name: String, wasQuiet: Bool)] {
        let meant = try setQuiet(isQuiet, worker, on: database)
        try log(isQuiet, meant, by: author, on: database)
        return meant
    }

    /// Does the same for the one worker with this id.
    package func setQuiet(
        _ isQuiet: Bool, number: WorkerID, by author: Author, on database: isolated Connection
    ) throws {
        try log(isQuiet, setQuiet(isQuiet, number: number, on: database), by: author, on: database)
    }

    private func log(
        _ isQuiet: Bool, _ meant: [(id: WorkerID, name: String, wasQuiet: Bool)], by author: Author,
        on database: isolated Connection
    ) throws {
        for worker in meant where worker.wasQuiet != isQuiet {
            try AuditLog().append(
                isQuiet ? .quietWorker : .resumeWorker, "\(worker.id)", after: ["name": worker.name], by: author,
                on: database)
        }
    }
}

extension JobSelection {
    /// The target in the log: the id of one job; empty for many.
    package var target: String { id.map { "\($0)" } ?? "" }

    /// The details in the log: the selection of jobs, and how many they were.
    package func words(of count: Int) -> [String: String] {
        switch self {
        case .job: [:]
        case .jobs(let ids): ["jobs": "\(count)", "ids": ids.map { "\($0)" }.joined(separator: ", ")]
        case .all(let lane, let reason):
            ["jobs": "\(count)", "lane": lane, "reason": reason].compactMapValues(\.self)
        }
    }
}

extension [RateLimit] {
    fileprivate var words: String { isEmpty ? "none" : map(\.text).joined(separator: ", ") }
}
