import Contacts
import Geocoding
import Testing

@testable import waypost

struct NextStepsTests {
    @Test(
        arguments: [
            ([.located: 3, .notFound: 7], true, true), ([.located: 3, .notFound: 6], true, false),
            ([.located: 3, .notFound: 7], false, false), ([.notFound: 2], true, false),
            ([.located: 1, .waiting: 20], true, false), ([.located: 1, .needsReview: 3, .waiting: 2], true, true),
        ] as [([GeocodeStatus: Int], Bool, Bool)])
    func `a result under a third of a table first asks if the columns are right`(
        counts: [GeocodeStatus: Int], isTable: Bool, isSaid: Bool
    ) {
        var progress = AddressProgress()
        progress.byStatus = counts
        progress.missedWithoutCountry = 2
        let steps = NextSteps(
            after: progress, isTable: isTable, account: "default", knowsStreets: false, hasDefaultCountry: false,
            cluster: .temporary)

        let first =
            "Only \(counts[.located] ?? 0) of \(progress.answered) addresses were located. Are the columns right? "
        #expect(steps.sentences.first?.hasPrefix(first) == isSaid, "\(steps.sentences)")
        #expect(steps.sentences.count > 0)
    }
}
