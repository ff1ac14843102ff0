package import Geocoding
package import Postgres
package import Queue

/// A person's decisions on questions, with their entries in the log. Run each in a transaction.
extension QuestionQueue {
    /// See ``GeocodeStore/accept(_:candidate:on:)``.
    package func accept(
        _ id: Int, candidate number: Int, by author: Author, on database: isolated Connection
    ) throws -> Bool {
        let accepted = try DecisionStore().record(id, on: database) {
            try geocodes.accept(id, candidate: number, on: database)
        }
        if accepted {
            try AuditLog().keep(
                .acceptCandidate, "\(id)", after: ["candidate": "\(number)"], by: author, on: database)
        }
        return accepted
    }

    /// See ``GeocodeStore/reject(_:on:)``.
    package func reject(_ id: Int, by author: Author, on database: isolated Connection) throws -> Bool {
        let rejected = try DecisionStore().record(id, on: database) { try geocodes.reject(id, on: database) }
        if rejected { try AuditLog().keep(.rejectCandidates, "\(id)", by: author, on: database) }
        return rejected
    }

    /// See ``GeocodeStore/pin(_:at:on:)``. The log does not contain the coordinate.
    package func pin(
        _ id: Int, at coordinate: Coordinate, by author: Author, on database: isolated Connection
    ) throws -> Bool {
        let pinned = try DecisionStore().record(id, on: database) {
            try geocodes.pin(id, at: coordinate, on: database)
        }
        if pinned { try AuditLog().keep(.pinQuestion, "\(id)", by: author, on: database) }
        return pinned
    }

    /// Undoes the last of these decisions. See ``DecisionStore/undo(_:on:)``.
    package func undo(
        _ id: Int, by author: Author, on database: isolated Connection
    ) throws -> DecisionStore.Undoing {
        let undoing = try DecisionStore().undo(id, on: database)
        if undoing == .undone { try AuditLog().keep(.undoDecision, "\(id)", by: author, on: database) }
        return undoing
    }
}
