import Testing

@testable import Access

struct SharesTests {
    private func shares(places: Int = 4) -> Shares { Shares(Shares.Limits(places: places)) }

    @Test func `an account may use half of the places, and another account does not wait for it`() {
        var shares = shares()
        let own = (1...6).map { shares.enter($0, account: 1) }
        #expect(own == [.runs, .runs, .waits, .waits, .waits, .waits])
        let others = (2...4).map { shares.enter($0 + 5, account: $0) }
        #expect(others == [.runs, .runs, .waits])
        #expect(shares.running == 4)
    }

    @Test func `a freed place goes to the account that runs the fewest, then to the longest waiting`() {
        var shares = shares()
        let entered = [(1, 1), (2, 1), (3, 2), (4, 2), (5, 1), (6, 1), (7, 2), (8, 3)].map { number, account in
            shares.enter(number, account: account)
        }
        #expect(entered == [.runs, .runs, .runs, .runs, .waits, .waits, .waits, .waits])
        let turns = [1, 1, 3, 2, 2].map { shares.leave(account: $0, after: .milliseconds(1)) }
        #expect(turns == [8, 5, 6, 7, nil])
    }

    @Test func `a request that would wait too long is refused at once, a thousand short ones are not`() throws {
        var shares = shares()
        func spend(_ duration: Duration) {
            for _ in 0..<40 {
                _ = shares.enter(0, account: 1)
                _ = shares.leave(account: 1, after: duration)
            }
        }
        spend(.milliseconds(1))
        let short = (1...1_000).map { shares.enter($0, account: 1) }
        #expect(!short.contains { if case .refused = $0 { true } else { false } })

        shares = Shares(Shares.Limits(places: 4))
        spend(.milliseconds(500))
        let long = (1...64).map { shares.enter($0, account: 1) }
        #expect(long.count { $0 == .runs } == 1)
        #expect(long.count { $0 == .waits } == 16)
        guard case .refused(let pause)? = long.last else {
            return #expect(Bool(false), "the last of 64 is not refused")
        }
        #expect(pause > .seconds(4) && pause < .seconds(5))
        let patient = shares.enter(65, account: 1, isPatient: true)
        let other = shares.enter(66, account: 2)
        #expect(patient == .waits && other == .runs)
    }

    @Test func `when requests take longer than expected, the last ones are refused, except patient ones`() {
        var shares = shares()
        for number in 1...64 { _ = shares.enter(number, account: 1) }
        _ = shares.leave(account: 1, after: .milliseconds(500))
        let refused = shares.refuse(account: 1) { $0 == 64 }
        // A request of half a second raises the usual duration to 62.5 ms, and 32 of those take two seconds. The
        // patient one stays too.
        #expect(refused.numbers == Array(35...63))
        #expect(shares.waiting(of: 1) == 33)
        let more = shares.refuse(account: 1) { $0 == 64 }
        #expect(more.numbers.isEmpty)
    }

    @Test func `a client that left the queue gets no place`() {
        var shares = shares(places: 2)
        let entered = (1...3).map { shares.enter($0, account: 1) }
        #expect(entered == [.runs, .waits, .waits])
        let forgotten = [2, 2].map { shares.forget($0, account: 1) }
        #expect(forgotten == [true, false])
        let turns = [1, 1].map { shares.leave(account: $0, after: .zero) }
        #expect(turns == [3, nil])
        #expect(shares.running == 0)
    }
}
