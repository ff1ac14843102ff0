/// A text as Postgres compares it, byte by byte. To Swift, an é in one piece and one in two are the same.
package struct ExactText: Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.text.isExactly(right.text)
    }

    package func hash(into hasher: inout Hasher) {
        // Equal bytes are equal texts, and so have equal hashes.
        hasher.combine(text)
    }
}

extension String {
    package func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
