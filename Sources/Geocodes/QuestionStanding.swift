package import Geocoding
import Postgres

/// How a question stands: whether it waits, and in which job, or where it is. Not what was asked.
package struct QuestionStanding: Identifiable, Sendable {
    package let id: Int
    package let status: GeocodeStatus
    package let job: Int?
    package let place: GradedCandidate?
    /// Why it has no place; nil where it has one.
    package let reason: String?

    init(_ row: Row) throws {
        id = try row.read("id")
        status = try GeocodeStatus(rawValue: row.read("status")) ?? .waiting
        job = try row.readIfPresent("job")
        place = try GradedCandidate(row)
        reason = status.reason(try row.readIfPresent("reason"), provider: try row.readIfPresent("provider"))
    }
}
