/// The results of storing friends: each friend is added, changed or unchanged.
package struct SyncCounts: Sendable, Equatable {
    /// New, or restored after a soft delete.
    package var added = 0
    package var changed = 0
    /// Friends for which nothing was written.
    package var unchanged = 0
    /// Their addresses, including known ones.
    package var addresses = 0
    /// Addresses that had not been asked before.
    package var questions = 0

    package init(added: Int = 0, changed: Int = 0, unchanged: Int = 0, addresses: Int = 0, questions: Int = 0) {
        self.added = added
        self.changed = changed
        self.unchanged = unchanged
        self.addresses = addresses
        self.questions = questions
    }

    package var friends: Int { added + changed + unchanged }

    package static func += (left: inout Self, right: Self) {
        left.added += right.added
        left.changed += right.changed
        left.unchanged += right.unchanged
        left.addresses += right.addresses
        left.questions += right.questions
    }
}
