import Contacts
import Formats
import Locations
import Postgres
import Processes
import Terminal

/// A point in time on the command line.
struct PointInTime: OptionValue {
    /// Seconds since 1970.
    let seconds: Double

    /// A time in RFC 3339, or a day, which means its start in UTC.
    init?(word: String) {
        guard let seconds = Timestamp.seconds(word) ?? Timestamp.seconds("\(word)T00:00:00Z") else { return nil }
        self.seconds = seconds
    }

    var word: String { Timestamp.text(seconds) }
    static let placeholder = "TIME"
    static let expectation = "a time such as 2026-11-22T15:00:00Z, or a day such as 2026-11-22 (UTC)"
}

extension Application {
    /// The id of the account with this name.
    func account(withTrackers name: String, on database: isolated Connection) throws -> Int {
        guard let account = try contacts.account(named: name, on: database) else {
            throw Failure.noAccount(name, advice: "'waypost trackers start USER --account' creates it")
        }
        return account
    }

    /// The same, if `user` has a tracker there or is nil.
    func account(of user: String?, in name: String, on database: isolated Connection) throws -> Int {
        let account = try account(withTrackers: name, on: database)
        if let user, try TrackerStore().tracker(of: user, account: account, on: database) == nil {
            throw Failure.noTracker(in: name)
        }
        return account
    }
}

/// Refuses a name that no user can have, before anything is started.
func checkUser(_ user: String) throws(UsageError) {
    if user.isEmpty { throw UsageError("USER is empty; give what the account calls the user") }
    if TextLimit.user.fitted(user) == nil { throw UsageError("USER \(TextLimit.user.refusal)") }
}
