import Testing

@testable import Contacts

struct AnswerWaitTests {
    @Test func `the next look is when all will be done, and rare while that takes long`() {
        var rhythm = PollRhythm()
        let start = ContinuousClock.now
        #expect(rhythm.pause(after: .seconds(1), waiting: 1_000, at: start) == .seconds(5))
        #expect(rhythm.pause(after: .seconds(1), waiting: 900, at: start + .seconds(10)) == .seconds(5))
        #expect(rhythm.pause(after: .seconds(1), waiting: 300, at: start + .seconds(20)) == .seconds(5))
        #expect(rhythm.pause(after: .milliseconds(100), waiting: 290, at: start + .seconds(21)) == .seconds(1))
        #expect(rhythm.pause(after: .milliseconds(1), waiting: 10, at: start + .seconds(30)) == .milliseconds(100))
    }
}
