package import Contacts
package import HTTP
package import Operations
package import Postgres
package import Queue

/// What the API stands on.
package struct Backend: Sendable {
    /// Who shows this token; nil when nobody issued it, or it was revoked.
    package var authenticate: @Sendable (_ token: String) async throws -> Caller?
    /// Whom a client on this machine works for while no token was ever issued; nil from the first token on.
    package var openCaller: @Sendable () async throws -> Caller?
    package var database: any AccountConnections
    package var editing: any ContactEditing
    /// Takes in a stream of contacts, one in a line.
    package var takeIn: @Sendable (ContactStream, Caller) async throws -> StreamSummary
    /// Remembers what was answered under an `Idempotency-Key`; without one the header means nothing.
    package var memory: (any RequestMemory)?
    package var intake: Intake
    package var queue: JobQueue
    package var log: Log

    package init(
        authenticate: @escaping @Sendable (String) async throws -> Caller?,
        openCaller: @escaping @Sendable () async throws -> Caller?, database: any AccountConnections,
        editing: any ContactEditing, takeIn: @escaping @Sendable (ContactStream, Caller) async throws -> StreamSummary,
        memory: (any RequestMemory)?, intake: Intake, queue: JobQueue, log: Log
    ) {
        self.authenticate = authenticate
        self.openCaller = openCaller
        self.database = database
        self.editing = editing
        self.takeIn = takeIn
        self.memory = memory
        self.intake = intake
        self.queue = queue
        self.log = log
    }
}

/// Connections on which an account sees its own rows and no others.
package protocol AccountConnections: Sendable {
    /// Runs `body` for this account; each statement commits by itself.
    func run<Value: Sendable>(
        as account: Int, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value

    /// Runs `body` for this account in one transaction: all of it happens, or none.
    func transaction<Value: Sendable>(
        as account: Int, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value
}

/// Changes contacts one at a time. Each returns nil, or false, where the account has no such thing.
package protocol ContactEditing: Sendable {
    func addFriend(_ names: FriendNames, account: Int, on database: isolated Connection) throws -> Int
    func changeFriend(
        _ id: Int, to names: FriendNames, account: Int, on database: isolated Connection
    ) throws -> Bool
    func removeFriend(_ id: Int, account: Int, on database: isolated Connection) throws -> Bool

    func addAddress(
        _ address: LabelledAddress, to friend: Int, account: Int, on database: isolated Connection
    ) throws -> Int?
    func changeAddress(
        _ id: Int, to address: LabelledAddress, account: Int, on database: isolated Connection
    ) throws -> Bool
    func removeAddress(_ id: Int, account: Int, on database: isolated Connection) throws -> Bool

    /// Puts what a friend's addresses wait for before all others, and returns how many do.
    func hurry(friend: Int, account: Int, on database: isolated Connection) throws -> Int?
    /// Asks again for a friend's addresses that failed or were not found, and returns how many.
    func retry(friend: Int, account: Int, on database: isolated Connection) throws -> Int?
}

/// The names of a friend.
package struct FriendNames: Hashable, Sendable {
    package var first: String
    package var last: String
    package var nickname: String

    /// What to show.
    package var whole: String { [first, last].filter { !$0.isEmpty }.joined(separator: " ") }

    package init(first: String, last: String, nickname: String) {
        self.first = first
        self.last = last
        self.nickname = nickname
    }
}

/// Contacts on their way in.
package struct ContactStream: Sendable {
    package let body: RequestBody
    package let feed: String
    /// Whoever is in the feed and not in the stream is gone.
    package let isComplete: Bool
}

/// What became of a stream of contacts.
package struct StreamSummary: Hashable, Sendable {
    package struct Refused: Hashable, Sendable {
        package let line: Int
        /// Names members, and nothing that stands in them.
        package let reason: String

        package init(line: Int, reason: String) {
            self.line = line
            self.reason = reason
        }
    }

    package var added = 0
    package var changed = 0
    package var unchanged = 0
    package var removed = 0
    package var refused = 0
    /// The first hundred.
    package var refusals: [Refused] = []

    package init() {}
}

/// Sees that a request that is sent twice is carried out once. Both steps are part of the request's transaction.
package protocol RequestMemory: Sendable {
    /// What was answered under this key before; nil when it is new. Throws ``RepeatedRequest``.
    func answer(
        to key: RequestKey, account: Int, on database: isolated Connection
    ) throws -> ServerResponse?

    /// Keeps what a new key was answered.
    func keep(
        _ response: ServerResponse, for key: RequestKey, account: Int, on database: isolated Connection
    ) throws
}

/// What a client calls a request, and what tells it from others.
package struct RequestKey: Hashable, Sendable {
    package let text: String
    /// SHA-256 of method, path and body.
    package let digest: [UInt8]
}

package enum RepeatedRequest: Error {
    /// The first one is not done yet.
    case isUnderWay
    /// The key came with another request before.
    case isAnother
}
