/// A text that is compared byte by byte, as Postgres does it. Swift treats a composed é and a decomposed é as equal.
package struct ExactText: Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.text.isExactly(right.text)
    }

    package func hash(into hasher: inout Hasher) {
        // Equal bytes are equal texts for Swift too, so their hashes are equal.
        hasher.combine(text)
    }
}

extension String {
    package func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
