/// A patch of the Earth, some fifty metres high. Every position in it gets the same answer to "what is here?".
///
/// So a thousand fixes from one café cost one call.
public struct CoordinateCell: Hashable, Sendable {
    /// The number of cells in a degree.
    private static let perDegree = 2_000.0

    private let row: Int
    private let column: Int

    public init(_ coordinate: Coordinate) {
        row = Int((coordinate.latitude * Self.perDegree).rounded())
        let turn = Int(360 * Self.perDegree)
        let column = Int((coordinate.longitude * Self.perDegree).rounded())
        // The date line is both 180° and -180°, and a pole has every longitude.
        self.column = abs(row) == Int(90 * Self.perDegree) ? 0 : column == turn / 2 ? -turn / 2 : column
    }

    /// The position in the question.
    public var centre: Coordinate {
        guard
            let centre = Coordinate(
                latitude: Double(row) / Self.perDegree, longitude: Double(column) / Self.perDegree)
        else { preconditionFailure("a cell lies on Earth") }
        return centre
    }

    /// The key under which the answer is stored, next to those of addresses.
    public var hash: AddressHash {
        AddressHash(digestOf: Array("cell v1\u{1F}\(row)\u{1F}\(column)".utf8))
    }
}
