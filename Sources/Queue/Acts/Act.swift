/// What somebody did to the cluster.
package struct Act: Sendable, Identifiable {
    /// Called as its command is. Stored: never rename one.
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
        case purgeFriends = "friends.purge"
        case startTracker = "trackers.start"
        case stopTracker = "trackers.stop"
        case signInTracker = "trackers.sign-in"
        case signOutTracker = "trackers.sign-out"
        case eraseTracker = "trackers.erase"
        case createAccount = "accounts.create"
        case renameAccount = "accounts.rename"
        case deleteAccount = "accounts.delete"
    }

    package let id: Int
    /// On the database's clock, since 1970.
    package let at: Duration
    package let author: Author
    /// A word of ``Verb``, or of a newer program.
    package let verb: String
    /// What it was done to; empty where that was many things.
    package let target: String
    /// What was changed, by name: as it was, and as it was left. Where many things were meant, which, and how many they were.
    package let before: [String: String]
    package let after: [String: String]
}

/// Which acts are meant.
package struct ActFilter: Sendable {
    /// A verb, or the group of one: `lanes.pause` or `lanes`.
    package var verb: String?
    package var target: String?
    /// A name, the number of a token, an account, or a machine.
    package var who: String?
    /// Only those of so long ago at most.
    package var age: Duration?

    package init(verb: String? = nil, target: String? = nil, who: String? = nil, age: Duration? = nil) {
        self.verb = verb
        self.target = target
        self.who = who
        self.age = age
    }
}
