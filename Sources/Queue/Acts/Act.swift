import Processes

/// One change that a person made to the cluster, as the audit log stores it.
package struct Act: Sendable, Identifiable {
    /// Each verb has the name of its command. Stored: never rename one.
    package enum Verb: String, Sendable, CaseIterable {
        case addLane = "lanes.add"
        case limitLane = "lanes.limit"
        case setLane = "lanes.set"
        case pauseLane = "lanes.pause"
        case resumeLane = "lanes.resume"
        case hurryJob = "jobs.hurry"
        case retryJobs = "jobs.retry"
        case cancelJobs = "jobs.cancel"
        case discardJobs = "jobs.discard"
        case quietWorker = "workers.quiet"
        case resumeWorker = "workers.resume"
        case setChain = "chains.set"
        case useChain = "chains.use"
        case acceptCandidate = "review.accept"
        case rejectCandidates = "review.reject"
        case pinQuestion = "review.pin"
        case undoDecision = "review.undo"
        case expireAnswers = "cache.expire"
        case purgeAnswers = "cache.purge"
        case askAnew = "cache.rematch"
        case createToken = "tokens.create"
        case revokeToken = "tokens.revoke"
        case addSink = "sinks.add"
        case setSink = "sinks.set"
        case signInSink = "sinks.sign-in"
        case removeSink = "sinks.remove"
        case undoImport = "import.undo"
        case purgeFriends = "friends.purge"
        case startTracker = "trackers.start"
        case stopTracker = "trackers.stop"
        case signInTracker = "trackers.sign-in"
        case signOutTracker = "trackers.sign-out"
        case eraseTracker = "trackers.erase"
        case createAccount = "accounts.create"
        case renameAccount = "accounts.rename"
        case deleteAccount = "accounts.delete"
        case loadPoints = "points.load"
        case dropPoints = "points.drop"
    }

    package let id: Int
    /// On the database's clock, since 1970.
    package let at: Duration
    package let author: Author
    /// A word of ``Verb``, or of a newer program.
    package let verb: String
    /// The thing that was changed; empty if the act changed many.
    package let target: String
    /// The values that were changed, by name, before and after the act. If the act changed many things, these contain
    /// the selection and their number.
    package let before: [String: String]
    package let after: [String: String]
}

/// Selects acts of the log.
package struct ActFilter: Sendable {
    /// A verb, or the group of one: `lanes.pause` or `lanes`.
    package var verb: String?
    package var target: String?
    /// A name, the id of a token, an account, or a machine.
    package var who: String?
    /// Only acts that are at most this old.
    package var age: Duration?

    package init(verb: String? = nil, target: String? = nil, who: String? = nil, age: Duration? = nil) {
        self.verb = verb
        self.target = target
        self.who = who
        self.age = age
    }
}

extension Duration {
    /// The duration as the log of acts contains it.
    package var logged: String { exactText }
}
