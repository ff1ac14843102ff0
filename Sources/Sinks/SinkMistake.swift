/// What is wrong with the description of a sink. Holds nothing secret.
package struct SinkMistake: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
