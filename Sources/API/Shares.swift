/// Who uses the database now, who waits, and whose turn is next: arithmetic without a clock or a lock of its own.
///
/// An account has at most half of the places, and a quarter while its turns are long, so a place comes free soon for another one whatever the
/// first asks for. A free place goes to the account that has the fewest; among those to the one that waits the longest.
struct Shares {
    struct Limits: Sendable {
        /// How many statements run at once.
        var places: Int
        /// How long a request may have to wait, as far as can be told. Who would wait longer is refused at once.
        var longestWait: Duration = .seconds(2)

        /// Longer turns than this are long.
        var longTurn: Duration = .milliseconds(50)

        /// So many may always wait.
        var shortQueue: Int { 4 * places }

        var placesOfAccount: Int { max(1, places / 2) }
    }

    /// What becomes of a request.
    enum Admission: Equatable {
        case runs
        case waits
        /// Come again after so long: when half of those who wait have had their turn.
        case refused(after: Duration)
    }

    private struct Account {
        var running = 0
        /// In the order in which they came.
        var waiting: [Int] = []
        /// How long a turn lasted lately.
        var usual: Duration = .zero
    }

    private func places(of account: Account) -> Int {
        account.usual > limits.longTurn ? max(1, limits.places / 4) : limits.placesOfAccount
    }

    let limits: Limits
    private(set) var running = 0
    private var accounts: [Int: Account] = [:]
    /// The accounts of which somebody waits.
    private var queues: Set<Int> = []

    init(_ limits: Limits) {
        self.limits = limits
    }

    func waiting(of account: Int) -> Int { accounts[account]?.waiting.count ?? 0 }
    func running(of account: Int) -> Int { accounts[account]?.running ?? 0 }

    /// A request, with a number that is greater than those before.
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

    /// A turn is over, after so long. Returns the request whose turn it is now, if somebody waits.
    mutating func leave(account id: Int, after duration: Duration) -> Int? {
        running -= 1
        if var account = accounts[id] {
            account.running -= 1
            // Short turns after long ones are soon believed.
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
        // The newest come last, and who asks has just come.
        accounts[id]?.waiting.lastIndex(of: number) != nil
    }

    /// Takes away those of an account who would wait too long, now that it is known how long its turns last: the latest first. `isPatient`
    /// tells who waits as long as it takes.
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

    /// A request that waits no longer. False if it does not wait, for its turn has come.
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

    /// Of more accounts it is forgotten how long their turns last.
    private static let mostKnown = 1_000
}
