/// The precision of a coordinate. Stored by its raw value: never rename a case.
public enum Precision: String, Codable, Sendable, CaseIterable, Comparable {
    /// On the building itself.
    case rooftop
    /// Between two known house numbers.
    case interpolated
    case street
    case postcode
    case city
    case region
    case country

    /// Finer is smaller, so `min` picks the best answer and `precision <= .street` accepts a street or better.
    public static func < (one: Self, other: Self) -> Bool {
        one.rank < other.rank
    }

    private var rank: Int {
        switch self {
        case .rooftop: 0
        case .interpolated: 1
        case .street: 2
        case .postcode: 3
        case .city: 4
        case .region: 5
        case .country: 6
        }
    }
}
