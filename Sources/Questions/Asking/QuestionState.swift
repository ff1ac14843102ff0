package import Geocoding
import Postgres

/// The state of a question: its job while it waits, or its place. Does not contain the address.
package struct QuestionState: Identifiable, Sendable {
    package let id: Int
    package let status: GeocodeStatus
    package let job: Int?
    package let place: Place?
    /// The reason why it has no place; nil if it has one.
    package let reason: String?

    init(_ row: Row) throws {
        id = try row.read("id")
        status = try GeocodeStatus(rawValue: row.read("status")) ?? .waiting
        job = try row.readIfPresent("job")
        place = try Place(row)
        reason = status.reason(try row.readIfPresent("reason"), provider: try row.readIfPresent("provider"))
    }
}
