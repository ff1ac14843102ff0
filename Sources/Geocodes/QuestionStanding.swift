import Postgres

/// How a question stands: whether it waits, and in which job.
package struct QuestionStanding: Identifiable, Sendable {
    package let id: Int
    package let status: GeocodeStatus
    package let job: Int?

    init(_ row: Row) throws {
        id = try row.read("id")
        status = try GeocodeStatus(rawValue: row.read("status")) ?? .waiting
        job = try row.readIfPresent("job")
    }
}
