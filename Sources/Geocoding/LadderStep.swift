/// How much of an address a query contains, from the whole address to the town. Stored by its raw value: never rename a
/// case.
public enum LadderStep: String, CaseIterable, Codable, Comparable, Sendable {
    /// All parts that a map contains, each in its own field.
    case structured
    /// Without flat, floor, person and PO box.
    case withoutUnit = "without unit"
    /// `12` for `12a`.
    case plainNumber = "plain number"
    /// Street and postcode, because the town may be written in an unknown way.
    case withoutTown = "without town"
    /// The whole address as it was written, on one line.
    case freeForm = "free form"
    case withoutHouseNumber = "without house number"
    /// The town alone.
    case withoutStreet = "without street"

    public static func < (one: Self, other: Self) -> Bool {
        one.rank < other.rank
    }

    /// The finest precision that it can bring.
    public var finest: Precision {
        switch self {
        case .structured, .freeForm, .withoutUnit, .plainNumber, .withoutTown: .rooftop
        case .withoutHouseNumber: .street
        case .withoutStreet: .city
        }
    }

    private var rank: Int {
        switch self {
        case .structured: 0
        case .withoutUnit: 1
        case .plainNumber: 2
        case .withoutTown: 3
        case .freeForm: 4
        case .withoutHouseNumber: 5
        case .withoutStreet: 6
        }
    }
}
