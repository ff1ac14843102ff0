/// Decides which requests use the database now, which wait, and which is next. It is pure arithmetic without a clock or
/// a lock.
///
/// An account has at most half of the places, and a quarter while its turns are long. So a place soon becomes free for
/// another account, whatever the first one requests. A free place goes to the account that has the fewest, and among
/// equals to the one that has waited longest.
package struct Shares {
    package struct Limits: Sendable {
        /// How many turns run at once.
        package var places: Int
        /// How long a request may have to wait, as far as can be estimated. A request with a longer wait is refused at
        /// once.
        var longestWait: Duration = .seconds(2)

        /// A turn counts as long above this duration.
        var longTurn: Duration = .milliseconds(50)

        package init(places: Int) {
            self.places = places
        }

        init(places: Int, longestWait: Duration) {
            self.places = places
            self.longestWait = longestWait
        }

        /// This many requests of an account may always wait.
        var shortQueue: Int { 4 * places }

        package var placesOfAccount: Int { max(1, places / 2) }
    }

    /// The decision on a request.
    enum Admission: Equatable {
        case runs
        case waits
        /// Refused. The client should retry after this duration, in which about half of the waiting requests get their
        /// turn.
        case refused(after: Duration)
    }

    private struct Account {
        var running = 0
        /// In the order of their arrival.
        var waiting: [Int] = []
        /// The recent average duration of a turn.
        var usual: Duration = .zero
    }

    private func places(of account: Account) -> Int {
        account.usual > limits.longTurn ? max(1, limits.places / 4) : limits.placesOfAccount
    }

    let limits: Limits
    private(set) var running = 0
    private var accounts: [Int: Account] = [:]
    /// The accounts with waiting requests.
    private var queues: Set<Int> = []

    init(_ limits: Limits) {
        self.limits = limits
    }

    func waiting(of account: Int) -> Int { accounts[account]?.waiting.count ?? 0 }
    func running(of account: Int) -> Int { accounts[account]?.running ?? 0 }

    /// A new request, with a number greater than all before.
    mutating func enter(_ number: Int, account id: Int, isPatient: Bool = false) -> Admission {
        var account = accounts[id] ?? Account()
        if running < limits.places, account.running < places(of: account) {
            account.running += 1
            running += 1
            accounts[id] = account
            return .runs
        }
        let wait = account.usual * (account.waiting.count + 1) / places(of: account)
        let isLong = wait > limits.longestWait && account.waiting.count >= limits.shortQueue
        guard isPatient || !isLong else { return .refused(after: wait / 2) }
        account.waiting.append(number)
        accounts[id] = account
        queues.insert(id)
        return .waits
    }

    /// Ends a turn that took `duration`. Returns the request whose turn is next, if one waits.
    mutating func leave(account id: Int, after duration: Duration) -> Int? {
        running -= 1
        if var account = accounts[id] {
            account.running -= 1
            // The average falls faster than it rises, so an account recovers soon after long turns.
            account.usual =
                duration < account.usual ? (account.usual + duration) / 2 : (account.usual * 7 + duration) / 8
            accounts[id] = account
        }
        if accounts.count > Self.mostKnown {
            accounts = accounts.filter { $0.value.running > 0 || !$0.value.waiting.isEmpty }
        }
        return next()
    }

    func isWaiting(_ number: Int, account id: Int) -> Bool {
        // Searches from the end, because the caller's request is one of the newest.
        accounts[id]?.waiting.lastIndex(of: number) != nil
    }

    /// Removes requests of an account that would wait too long, the latest first, because its turns have become longer.
    /// `isPatient` returns true for a request without a time limit.
    mutating func refuse(account id: Int, unless isPatient: (Int) -> Bool) -> (numbers: [Int], after: Duration) {
        guard var account = accounts[id], !account.waiting.isEmpty else { return ([], .zero) }
        let wait = account.usual * account.waiting.count / places(of: account)
        guard wait > limits.longestWait else { return ([], .zero) }
        let room = max(limits.shortQueue, Int(limits.longestWait / account.usual * Double(places(of: account))))
        let refused = account.waiting.dropFirst(room).filter { !isPatient($0) }
        account.waiting.removeAll { refused.contains($0) }
        if account.waiting.isEmpty { queues.remove(id) }
        accounts[id] = account
        return (refused, limits.longestWait / 2)
    }

    /// Removes a waiting request. Returns false if it does not wait, because its turn has come.
    mutating func forget(_ number: Int, account id: Int) -> Bool {
        guard let place = accounts[id]?.waiting.firstIndex(of: number) else { return false }
        accounts[id]?.waiting.remove(at: place)
        if accounts[id]?.waiting.isEmpty == true { queues.remove(id) }
        return true
    }

    private mutating func next() -> Int? {
        guard running < limits.places, !queues.isEmpty else { return nil }
        let ready = queues.compactMap { id in accounts[id].map { (id: id, account: $0) } }
            .filter { $0.account.running < places(of: $0.account) }
        let first = ready.min {
            ($0.account.running, $0.account.waiting[0]) < ($1.account.running, $1.account.waiting[0])
        }
        guard let id = first?.id, let number = accounts[id]?.waiting.removeFirst() else { return nil }
        if accounts[id]?.waiting.isEmpty == true { queues.remove(id) }
        running += 1
        accounts[id]?.running += 1
        return number
    }

    /// Above this number of accounts, the durations of idle accounts are dropped.
    private static let mostKnown = 1_000
}
