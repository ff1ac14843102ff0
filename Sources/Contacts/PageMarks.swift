import Processes

/// The first rows of numbered pages. With its first row's key, the next page, or the same page again, is found without
/// reading all rows before it.
///
/// A mark is valid as long as nothing has changed: it is stored with the number of changes, which only grows.
package final class PageMarks: Sendable {
    /// One of the lists of an account.
    struct List: Hashable {
        enum Kind { case friends, addresses }

        let kind: Kind
        let account: Int
        let isByChange: Bool
        let isDescending: Bool
        let limit: Int
    }

    /// The first row of a page.
    struct Key: Equatable {
        /// To the microsecond, as the database writes it.
        let time: String
        let id: Int
    }

    private struct Mark: Hashable {
        let list: List
        let page: Int
    }

    /// A mark takes some 200 bytes.
    private static let most = 20_000

    private let marks = Locked<[Mark: (changes: Int, key: Key)]>([:])

    package init() {}

    func key(of page: Int, in list: List, changes: Int) -> Key? {
        marks.withLock { marks in
            guard let mark = marks[Mark(list: list, page: page)], mark.changes == changes else { return nil }
            return mark.key
        }
    }

    func set(_ key: Key, of page: Int, in list: List, changes: Int) {
        marks.withLock { marks in
            if marks.count >= Self.most { marks.removeAll(keepingCapacity: true) }
            marks[Mark(list: list, page: page)] = (changes, key)
        }
    }
}
