import Geocoding
import Testing

struct QueryLadderTests {
    private let flat = Address(
        street: "Mannerheimintie 5 as 4", city: "Helsinki", postcode: "00100", country: "Finland")

    private func sentences(_ ladder: QueryLadder) -> [String] {
        ladder.rungs.map { "\($0.step.rawValue): \($0.query.address.street), \($0.query.form.rawValue)" }
    }

    @Test func `a query asks for less with every step`() {
        let ladder = QueryLadder(for: flat, forms: [.structured, .freeForm])
        #expect(
            sentences(ladder) == [
                "structured: Mannerheimintie 5 as 4, structured",
                "free form: Mannerheimintie 5 as 4, free form",
                "without unit: Mannerheimintie 5, structured",
                "without house number: Mannerheimintie, structured",
                "without street: , structured",
            ])
        #expect(ladder.rungs.allSatisfy { $0.query.address.city == "Helsinki" && $0.query.address.postcode == "00100" })
    }

    @Test func `a provider is asked only in the forms that it takes`() {
        let freeForm = QueryLadder(for: flat, forms: [.freeForm])
        #expect(freeForm.rungs.map(\.step) == [.freeForm, .withoutUnit, .withoutHouseNumber, .withoutStreet])
        #expect(freeForm.rungs.allSatisfy { $0.query.form == .freeForm })
        let structured = QueryLadder(for: flat, forms: [.structured])
        #expect(structured.rungs.map(\.step) == [.structured, .withoutUnit, .withoutHouseNumber, .withoutStreet])
        #expect(structured.rungs.allSatisfy { $0.query.form == .structured })
    }

    @Test func `the same query is never asked twice`() {
        let house = Address(street: "Mannerheimintie, 5", city: "Helsinki", country: "FI")
        #expect(
            QueryLadder(for: house, forms: [.structured]).rungs.map(\.step)
                == [.structured, .withoutHouseNumber, .withoutStreet])
        let street = Address(street: "Mannerheimintie", city: "Helsinki", country: "FI")
        #expect(QueryLadder(for: street, forms: [.structured]).rungs.map(\.step) == [.structured, .withoutStreet])
        let town = Address(city: "Helsinki", country: "FI")
        #expect(QueryLadder(for: town, forms: [.structured]).rungs.map(\.step) == [.structured])
    }

    @Test func `an address of a box alone has only its town to relax to`() {
        let box = Address(street: "PO Box 12", city: "Palo Alto", country: "US")
        let ladder = QueryLadder(for: box, forms: [.structured])
        #expect(sentences(ladder) == ["structured: PO Box 12, structured", "without unit: , structured"])
    }

    @Test func `nobody is asked about a whole country for the sake of a street`() {
        let townless = Address(street: "Main St 5", region: "CA", country: "US")
        #expect(
            QueryLadder(for: townless, forms: [.structured]).rungs.map(\.step) == [.structured, .withoutHouseNumber])
    }

    @Test func `a step that settings forbid is left out`() {
        let ladder = QueryLadder(for: flat, forms: [.structured, .freeForm], steps: [.structured, .withoutStreet])
        #expect(ladder.rungs.map(\.step) == [.structured, .withoutStreet])
    }

    @Test(arguments: [[], [Query.Form.structured], [.freeForm]], [Set<LadderStep>(), [.withoutUnit], [.freeForm]])
    func `there is always one query`(forms: [Query.Form], steps: Set<LadderStep>) {
        for address in [Address(), Address(city: "Helsinki"), Address(country: "FI")] {
            #expect(QueryLadder(for: address, forms: Set(forms), steps: steps).rungs.count == 1)
        }
    }

    @Test func `a worker goes on after the step that failed, and stops at the end`() {
        let ladder = QueryLadder(for: flat, forms: [.structured], steps: [.structured, .withoutHouseNumber])
        #expect(ladder.next(after: .structured)?.step == .withoutHouseNumber)
        #expect(ladder.next(after: .withoutUnit)?.step == .withoutHouseNumber)
        #expect(ladder.next(after: .withoutHouseNumber) == nil)
        #expect(ladder.next(after: .withoutStreet) == nil)
    }

    @Test func `steps are stored by these names`() {
        #expect(
            LadderStep.allCases.map(\.rawValue)
                == ["structured", "free form", "without unit", "without house number", "without street"])
        #expect(LadderStep.allCases.sorted() == LadderStep.allCases)
    }
}
