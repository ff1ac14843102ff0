/// A text that is never printed.
struct Secret: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    var description: String { "(secret)" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
