/// A mistake in the description of a sink. Contains nothing secret.
package struct SinkMistake: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
