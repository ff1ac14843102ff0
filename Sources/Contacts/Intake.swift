import Geocodes
import Questions

/// Takes contacts in, and sees that each new address is asked for.
///
/// A contact, its addresses, their hashes and the jobs to come are one transaction: no crash leaves
/// an address that nobody will ever look up.
package struct Intake: Sendable {
    let geocodes = GeocodeStore()
    let questions = QuestionQueue()

    package init() {}
}
