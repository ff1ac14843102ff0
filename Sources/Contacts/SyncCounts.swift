/// What became of friends that were stored: each is added, changed or unchanged.
package struct SyncCounts: Sendable, Equatable {
    /// New, or soft-deleted before and restored.
    package var added = 0
    package var changed = 0
    /// Nothing was written for them.
    package var unchanged = 0
    /// Their addresses, known ones included.
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
