import Geocodes
import Questions

/// Stores contacts, and asks each new address.
///
/// A contact, its addresses, their hashes and their future jobs are stored in one transaction: no crash leaves an
/// address without a question.
package struct Intake: Sendable {
    let geocodes = GeocodeStore()
    let questions = QuestionQueue()

    package init() {}
}
