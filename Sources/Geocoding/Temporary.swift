public enum LadderStep: String, CaseIterable, Codable, Sendable { case structured, freeForm = "free form", withoutUnit = "without unit", withoutHouseNumber = "without house number", withoutStreet = "without street" }
public struct QueryLadder: Sendable {
    public struct Rung: Sendable { public var step: LadderStep; public var query: Query }
    public var rungs: [Rung]
    public init(for address: Address, forms: Set<Query.Form>, permitted: Set<LadderStep>) { rungs = [Rung(step: .structured, query: Query(address))] }
    public func next(after: LadderStep) -> Rung? { nil }
}
public struct Confidence: Sendable { public var value: Double; public init(of c: Candidate, for a: Address) { value = c.score ?? 1 } }
public struct Thresholds: Sendable { public var located = 0.75; public var review = 0.4; public static let usual = Thresholds() }
extension Address { public var withoutUnit: Address? { nil } }
