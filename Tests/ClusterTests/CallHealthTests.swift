import Queue
import Testing

@testable import Cluster

struct CallHealthTests {
    @Test func `a provider that fails now and then does not fill the log`() {
        var health = CallHealth()
        let (start, down) = (ContinuousClock.now, JobOutcome.retry(reason: "down"))
        #expect(health.change(after: .done(), at: start) == nil)
        #expect(health.change(after: down, at: start) == .fails(reason: "down"))
        #expect(health.change(after: .denied(reason: "no"), at: start) == nil)
        #expect(health.change(after: .void, at: start) == nil)
        #expect(health.change(after: .done(), at: start) == .recovered(failed: 2))
        for second in 1..<60 {
            #expect(health.change(after: down, at: start + .seconds(second)) == nil)
            #expect(health.change(after: .done(), at: start + .seconds(second)) == nil)
        }
        #expect(health.change(after: down, at: start + .seconds(60)) == .fails(reason: "down"))
    }
}
