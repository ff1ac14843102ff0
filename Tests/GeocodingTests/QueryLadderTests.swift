import Geocoding
import Testing

struct QueryLadderTests {
    private let flat = Address(
        street: "Mannerheimintie 5 as 4", city: "Helsinki", postcode: "00100", country: "Finland")

    private func sentences(_ ladder: QueryLadder) -> [String] {
        ladder.rungs.map { "\($0.step.rawValue): \($0.query.address.street), \($0.query.form.rawValue)" }
    }

    @Test func `the first query has all that maps contain, and each step has less`() {
        let ladder = QueryLadder(for: flat, forms: [.structured, .freeForm])
        #expect(
            sentences(ladder) == [
                "structured: Mannerheimintie 5, structured",
                "without town: Mannerheimintie 5, structured",
                "free form: Mannerheimintie 5 as 4, free form",
                "without house number: Mannerheimintie, structured",
                "without street: , structured",
            ])
        #expect(ladder.rungs.map(\.query.address.city) == ["Helsinki", "", "Helsinki", "Helsinki", "Helsinki"])
        #expect(ladder.rungs.allSatisfy { $0.query.address.postcode == "00100" })
    }

    @Test func `a provider gets only the forms that it accepts`() {
        let freeForm = QueryLadder(for: flat, forms: [.freeForm])
        #expect(freeForm.rungs.map(\.step) == [.freeForm, .withoutTown, .withoutHouseNumber, .withoutStreet])
        #expect(freeForm.rungs.allSatisfy { $0.query.form == .freeForm })
        #expect(freeForm.next(after: .freeForm)?.step == .withoutTown)
        let structured = QueryLadder(for: flat, forms: [.structured])
        #expect(structured.rungs.map(\.step) == [.structured, .withoutTown, .withoutHouseNumber, .withoutStreet])
        #expect(structured.rungs.allSatisfy { $0.query.form == .structured })
    }

    @Test(arguments: [
        ("Talweg 12-14", "DE", "Talweg 12"), ("Talweg 12 – 14", "DE", "Talweg 12"),
        ("37-39 82nd St", "US", "37-39 82nd St"),
        ("Talweg 12, 2. Stock", "AT", "Talweg 12"), ("c/o Meier\nTalweg 12", "DE", "Talweg 12"),
        ("12 High Street, Flat 3", "GB", "12 High Street"), ("Talweg 12a", "DE", "Talweg 12a"),
        ("Talweg 12", "DE", "Talweg 12"), ("PO Box 12", "US", ""), ("Talweg", "DE", "Talweg"),
    ])
    func `the first query has the street in the form of maps`(street: String, country: String, asked: String) {
        let address = Address(street: street, city: "Town", country: country)
        #expect(QueryLadder(for: address, forms: [.structured]).rungs[0].query.address.street == asked)
        #expect(QueryLadder.firstRung(for: address, forms: [.structured]).query.address.street == asked)
    }

    @Test(arguments: [
        ("FL-9490", "Liechtenstein", "9490"), ("D-80331", "DE", "80331"), ("A-1010", "Austria", "1010"),
        ("SW1A 1AA", "GB", "SW1A 1AA"), ("00-950", "PL", "00-950"), ("D02 X285", "IE", "D02 X285"),
        ("1015 CN", "NL", "1015 CN"), ("C1043AAZ", "AR", "C1043AAZ"),
    ])
    func `the first query has the postcode without its country`(written: String, country: String, asked: String) {
        let address = Address(street: "Talweg 12", city: "Town", postcode: written, country: country)
        #expect(QueryLadder(for: address, forms: [.structured]).rungs[0].query.address.postcode == asked)
    }

    @Test func `a region is sent only where town names need it or the postcode is missing`() {
        func region(_ postcode: String, _ country: String) -> String {
            let address = Address(street: "Talweg 12", city: "Town", region: "XY", postcode: postcode, country: country)
            return QueryLadder(for: address, forms: [.structured]).rungs[0].query.address.region
        }
        #expect(region("20147", "IT").isEmpty)
        #expect(region("", "IT") == "XY")
        #expect(region("89501", "US") == "XY")
    }

    @Test func `an address that is all in its street keeps it`() {
        let line = Address(street: "Talweg 12, 2. Stock, 53111 Bonn", country: "DE")
        #expect(QueryLadder(for: line, forms: [.structured]).rungs[0].query.address == line)
    }

    @Test func `a house number with a letter is also asked without it`() {
        let house = Address(street: "12a High St", city: "Ely", country: "GB")
        let ladder = QueryLadder(for: house, forms: [.structured])
        #expect(
            sentences(ladder) == [
                "structured: 12a High St, structured", "plain number: 12 High St, structured",
                "without house number: High St, structured", "without street: , structured",
            ])
        #expect(ladder.next(after: .structured, isStreetKnown: true)?.step == .plainNumber)
        #expect(ladder.next(after: .plainNumber, isStreetKnown: true) == nil)
    }

    @Test func `a step that can't be finer than the best answer so far is skipped`() {
        let ladder = QueryLadder(for: flat, forms: [.structured, .freeForm])
        #expect(ladder.next(after: .freeForm, finerThan: .city)?.step == .withoutHouseNumber)
        #expect(ladder.next(after: .freeForm, finerThan: .street) == nil)
        #expect(ladder.next(after: .withoutHouseNumber, finerThan: .city) == nil)
        #expect(ladder.next(after: .withoutHouseNumber, finerThan: .region)?.step == .withoutStreet)
    }

    @Test func `no query is repeated`() {
        let house = Address(street: "Mannerheimintie, 5", city: "Helsinki", country: "FI")
        #expect(
            QueryLadder(for: house, forms: [.structured]).rungs.map(\.step)
                == [.structured, .withoutHouseNumber, .withoutStreet])
        let street = Address(street: "Mannerheimintie", city: "Helsinki", country: "FI")
        #expect(QueryLadder(for: street, forms: [.structured]).rungs.map(\.step) == [.structured, .withoutStreet])
        let town = Address(city: "Helsinki", country: "FI")
        #expect(QueryLadder(for: town, forms: [.structured]).rungs.map(\.step) == [.structured])
    }

    @Test func `a post box address has only the town as a further step`() {
        let box = Address(street: "PO Box 12", city: "Palo Alto", country: "US")
        let ladder = QueryLadder(for: box, forms: [.structured])
        #expect(sentences(ladder) == ["structured: , structured"])
    }

    @Test func `an address without a town has no query for a whole country`() {
        let townless = Address(street: "Main St 5", region: "CA", country: "US")
        #expect(
            QueryLadder(for: townless, forms: [.structured]).rungs.map(\.step) == [.structured, .withoutHouseNumber])
    }

    @Test func `a step excluded by settings is left out`() {
        let ladder = QueryLadder(for: flat, forms: [.structured, .freeForm], steps: [.structured, .withoutStreet])
        #expect(ladder.rungs.map(\.step) == [.structured, .withoutStreet])
    }

    @Test(arguments: [[], [Query.Form.structured], [.freeForm]], [Set<LadderStep>(), [.withoutUnit], [.freeForm]])
    func `there is always one query`(forms: [Query.Form], steps: Set<LadderStep>) {
        for address in [Address(), Address(city: "Helsinki"), Address(country: "FI")] {
            #expect(QueryLadder(for: address, forms: Set(forms), steps: steps).rungs.count == 1)
        }
    }

    @Test func `the next step follows the failed one, and the last has none`() {
        let ladder = QueryLadder(for: flat, forms: [.structured], steps: [.structured, .withoutHouseNumber])
        #expect(ladder.next(after: .structured)?.step == .withoutHouseNumber)
        #expect(ladder.next(after: .withoutUnit)?.step == .withoutHouseNumber)
        #expect(ladder.next(after: .withoutHouseNumber) == nil)
        #expect(ladder.next(after: .withoutStreet) == nil)
    }

    @Test func `steps are stored by these names`() {
        #expect(
            LadderStep.allCases.map(\.rawValue)
                == [
                    "structured", "without unit", "plain number", "without town", "free form", "without house number",
                    "without street",
                ])
        #expect(LadderStep.allCases.sorted() == LadderStep.allCases)
    }
}
