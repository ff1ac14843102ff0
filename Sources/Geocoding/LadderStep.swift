/// How much of an address a query still asks for, from all of it to the town. Stored by its raw value: never rename a
/// case.
public enum LadderStep: String, CaseIterable, Codable, Comparable, Sendable {
    /// All of it that a map knows, each part under its name.
    case structured
    /// Neither flat nor floor, nor who lives there, nor a PO box.
    case withoutUnit = "without unit"
    /// `12` for `12a`.
    case plainNumber = "plain number"
    /// Street and postcode: the town may be written in a way that nobody knows.
    case withoutTown = "without town"
    /// All of it as it was written, in one line.
    case freeForm = "free form"
    case withoutHouseNumber = "without house number"
    /// The town alone.
    case withoutStreet = "without street"

    public static func < (one: Self, other: Self) -> Bool {
        one.rank < other.rank
    }

    /// The finest answer that it can bring.
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
