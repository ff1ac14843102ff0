/// How much of an address a query still asks for, from all of it to the town. Stored by its raw value: never rename a case.
public enum LadderStep: String, CaseIterable, Codable, Comparable, Sendable {
    /// All of it, each part under its name.
    case structured
    /// All of it, in one line.
    case freeForm = "free form"
    /// Neither flat nor floor, nor who lives there, nor a PO box.
    case withoutUnit = "without unit"
    case withoutHouseNumber = "without house number"
    /// The town alone.
    case withoutStreet = "without street"

    /// What asks for more comes first.
    public static func < (one: Self, other: Self) -> Bool {
        one.rank < other.rank
    }

    /// The finest answer that it is asked for.
    public var finest: Precision {
        switch self {
        case .structured, .freeForm, .withoutUnit: .rooftop
        case .withoutHouseNumber: .street
        case .withoutStreet: .city
        }
    }

    private var rank: Int {
        switch self {
        case .structured: 0
        case .freeForm: 1
        case .withoutUnit: 2
        case .withoutHouseNumber: 3
        case .withoutStreet: 4
        }
    }
}
