import Geocoding
import Questions
import Testing

struct QuestionTests {
    private let home = Address(street: "1 Main St", city: "Reno", region: "NV", postcode: "89501", country: "US")
    private let everyone = ProviderTerms()

    private func question(
        _ links: Chain.Link..., link: Int = 0, step: LadderStep? = nil, candidates: [Place]? = nil,
        failure: String? = nil
    ) -> Question {
        Question(
            id: 1, subject: .address(home), chain: Chain(links), link: link, step: step, candidates: candidates,
            failure: failure)
    }

    private func place(_ change: (inout Placemark) -> Void = { _ in }) throws -> Placemark {
        var place = Placemark(coordinate: try #require(Coordinate(latitude: 39.5, longitude: -119.8)))
        (place.subThoroughfare, place.thoroughfare, place.locality) = ("1", "Main Street", "Reno")
        (place.administrativeArea, place.postalCode, place.countryCode) = ("Nevada", "89501", "US")
        change(&place)
        return place
    }

    private func house() throws -> Answer { .located(try place(), .rooftop) }
    /// Another house of the street, worth a review.
    private func neighbour() throws -> Answer { .located(try place { $0.subThoroughfare = "3" }, .rooftop) }
    /// Coarser than the house in the question.
    private func street() throws -> Answer { .located(try place { $0.subThoroughfare = nil }, .street) }
    private func town() throws -> Answer {
        .located(
            try place { ($0.thoroughfare, $0.subThoroughfare, $0.postalCode) = (nil, nil, nil) }, .city)
    }
    /// Another town in another state, so not a match.
    private func elsewhere() throws -> Answer {
        .located(
            try place {
                ($0.locality, $0.administrativeArea, $0.postalCode) = ("Bangor", "Maine", "04401")
                $0.subThoroughfare = nil
            }, .street)
    }

    private func next(_ turn: Turn) -> String? {
        guard case .goesOn(let next) = turn else { return nil }
        return "\(next.lane) \(next.link) \(next.step?.rawValue ?? "-")"
    }

    @Test func `the right house ends the question, whatever lane would be next`() throws {
        let turn = question(.init("a"), .init("b")).turn(after: try house(), from: "a", everyone)
        guard case .located(let best) = turn else {
            Issue.record("\(turn)")
            return
        }
        #expect(best.confidence == 1)
        #expect(best.provider == "a")
        #expect(best.step == .structured)
    }

    @Test func `null island is not an answer, whatever its score`() throws {
        let nowhere = try #require(Coordinate(latitude: 0, longitude: 0))
        let zeros = Candidate(try place { $0.coordinate = nowhere }, .rooftop, score: 1)
        let last = question(.init("a", steps: [.freeForm]), step: .freeForm)
        #expect(last.turn(after: .found([zeros]), from: "a", everyone) == .notFound([]))

        let both = last.turn(after: .found([zeros, Candidate(try place(), .rooftop)]), from: "a", everyone)
        guard case .located(let best) = both else {
            Issue.record("\(both)")
            return
        }
        #expect(best.placemark.coordinate.latitude == 39.5)
    }

    @Test func `three-letter country codes are understood, and two countries in one answer halve the score`() throws {
        let alpha3 = try #require(Candidate(try place { $0.countryCode = "USA" }, .rooftop).checked)
        #expect(alpha3.placemark.countryCode == "US")
        let unknown = try place { ($0.countryCode, $0.countryName) = ("ZZ", "Vereinigte Staaten") }
        #expect(Candidate(unknown, .rooftop).checked?.placemark.countryCode == "US")
        let torn = try place { ($0.countryCode, $0.countryName) = ("US", "Finland") }
        #expect(Candidate(torn, .rooftop).checked?.score == 0.5)
        #expect(Candidate(try place { $0.name = "39.5, -119.8" }, .rooftop).checked?.placemark.name == nil)
        let sound = Candidate(try place(), .rooftop, score: 0.7)
        #expect(sound.checked == sound)
    }

    @Test func `a provider that finds nothing gets each further step before the next lane`() {
        var step: LadderStep?
        var way: [String] = []
        while let onward = next(
            question(.init("a"), .init("b"), step: step).turn(after: .notFound, from: "a", everyone)), way.count < 9
        {
            way.append(onward)
            guard onward.hasPrefix("a") else { break }
            step = LadderStep(rawValue: String(onward.dropFirst(4)))
        }
        #expect(
            way == ["a 0 without town", "a 0 free form", "a 0 without house number", "a 0 without street", "b 1 -"])
    }

    @Test func `steps left out of a link are skipped`() {
        let strict = Chain.Link("a", steps: [.structured])
        #expect(next(question(strict, .init("b")).turn(after: .notFound, from: "a", everyone)) == "b 1 -")
    }

    @Test func `a provider that found the street is not called again, but the next one is`() throws {
        #expect(next(question(.init("a"), .init("b")).turn(after: try street(), from: "a", everyone)) == "b 1 -")
    }

    @Test func `a provider that found only a town gets the steps for the street, then the next lane`() throws {
        let first = question(.init("a"), .init("b")).turn(after: try town(), from: "a", everyone)
        #expect(next(first) == "a 0 without town")
        guard case .goesOn(let onward) = first else { return }
        let last = question(.init("a"), .init("b"), step: .withoutHouseNumber, candidates: onward.candidates)
        #expect(next(last.turn(after: .notFound, from: "a", everyone)) == "b 1 -")
    }

    @Test func `a provider without streets is called once`() throws {
        let towns = ProviderTerms(forms: [.structured], finest: .postcode)
        #expect(next(question(.init("a"), .init("b")).turn(after: try town(), from: "a", towns)) == "b 1 -")
        #expect(next(question(.init("a"), .init("b")).turn(after: .notFound, from: "a", towns)) == "b 1 -")
        let flat = Address(street: "1 Main St, Apt 4", city: "Reno", country: "US")
        let asked = Question(id: 1, subject: .address(flat), chain: Chain([.init("a")]))
        #expect(asked.rung(towns)?.query.address == flat)
        #expect(asked.rung(everyone)?.query.address.street == "1 Main St")
    }

    @Test func `a weak answer is accepted when no lane is left, and marked as weak`() throws {
        for (answer, precision) in [(try street(), Precision.street), (try town(), .city)] {
            let last = question(.init("a", steps: [.structured]))
            guard case .located(let best) = last.turn(after: answer, from: "a", everyone) else {
                Issue.record("it is lost")
                return
            }
            #expect(best.isWeak && best.precision == precision && best.areaConfidence > 0.9)
            #expect(best.confidence < 0.75)
        }
    }

    @Test func `a street is better than its town, and a doubtful house worse than both`() throws {
        func end(_ first: Answer, _ second: Answer) throws -> Turn {
            let links = [Chain.Link("a", steps: [.structured]), .init("b", steps: [.structured])]
            let first = Question(id: 1, subject: .address(home), chain: Chain(links)).turn(
                after: first, from: "a", everyone)
            guard case .goesOn(let onward) = first else { return first }
            return Question(id: 1, subject: .address(home), chain: Chain(links), link: 1, candidates: onward.candidates)
                .turn(after: second, from: "b", everyone)
        }
        let blurred = Answer.located(try place { ($0.subThoroughfare, $0.thoroughfare) = (nil, "Main") }, .street)
        for turn in [try end(try town(), blurred), try end(blurred, try town())] {
            guard case .located(let best) = turn else {
                Issue.record("\(turn)")
                return
            }
            #expect(best.precision == .street && best.areaConfidence == 0.85)
        }
        guard case .located(let best) = try end(try town(), try neighbour()) else {
            Issue.record("the town is lost")
            return
        }
        #expect(best.precision == .city && best.isWeak)
        guard case .located(let house) = try end(try town(), try house()) else {
            Issue.record("the house is lost")
            return
        }
        #expect(house.precision == .rooftop && !house.isWeak)
    }

    @Test func `a link may accept a weak answer; a condition on confidence doesn't`() throws {
        let content = question(.init("a", stopAt: .city), .init("b"))
        guard case .located = content.turn(after: try town(), from: "a", everyone) else {
            Issue.record("it goes on")
            return
        }
        let dear = question(.init("a", steps: [.structured]), .init("b", below: 0.3))
        #expect(next(dear.turn(after: try town(), from: "a", everyone)) == "b 1 -")
        guard case .needsReview = dear.turn(after: try neighbour(), from: "a", everyone) else {
            Issue.record("it is paid for")
            return
        }
    }

    @Test func `a house number with a letter is also asked without it, even where the street is known`() throws {
        let asked = Question(
            id: 1, subject: .address(Address(street: "Talweg 5a", city: "Bonn", country: "DE")),
            chain: Chain([.init("a"), .init("b")]))
        let answer = Answer.located(
            try place { place in
                (place.thoroughfare, place.subThoroughfare, place.locality) = ("Talweg", nil, "Bonn")
                (place.administrativeArea, place.postalCode, place.countryCode) = (nil, nil, "DE")
            }, .street)
        #expect(next(asked.turn(after: answer, from: "a", everyone)) == "a 0 plain number")
        #expect(next(asked.turn(after: .notFound, from: "a", everyone)) == "a 0 plain number")
    }

    @Test func `a corrected address is asked, and the result compared with the original`() throws {
        struct Mending: AddressMending {
            func mended(_ address: Address) -> Address {
                var address = address
                address.city = "Reno"
                return address
            }
        }
        var written = home
        written.city = "Rneo"
        var asked = Question(id: 1, subject: .address(written), chain: Chain([.init("a")]))
        asked.mend(by: Mending(), for: everyone)
        #expect(asked.rung(everyone)?.query.address.city == "Reno")
        guard case .located(let best) = asked.turn(after: try house(), from: "a", everyone) else {
            Issue.record("it is not believed")
            return
        }
        #expect(best.confidence == 0.95)
    }

    @Test func `two houses of one address in different streets tie, and in one street do not`() throws {
        func found(_ first: Precision, metres: Double, town: String = "Reno") throws -> Answer {
            let far = try #require(Coordinate(latitude: 39.5 + metres / 111_000, longitude: -119.8))
            var other = try place()
            other = Placemark(
                coordinate: far, thoroughfare: other.thoroughfare, subThoroughfare: other.subThoroughfare,
                locality: town,
                administrativeArea: "Nevada", countryCode: "US")
            return .found([Candidate(try place { $0.postalCode = nil }, first), Candidate(other, first)])
        }
        let address = Address(street: "1 Main St", country: "US")
        func turn(_ answer: Answer) -> Turn {
            Question(id: 1, subject: .address(address), chain: Chain([.init("a", steps: [.structured])]))
                .turn(after: answer, from: "a", everyone)
        }
        guard case .located = turn(try found(.rooftop, metres: 300)) else {
            Issue.record("a house and its shop are a tie")
            return
        }
        guard case .needsReview = turn(try found(.rooftop, metres: 700)) else {
            Issue.record("one was taken")
            return
        }
        guard case .located = turn(try found(.street, metres: 5_000)) else {
            Issue.record("a long street is a tie")
            return
        }
        guard case .needsReview = turn(try found(.street, metres: 5_000, town: "Sparks")) else {
            Issue.record("one of two streets was taken")
            return
        }
    }

    @Test func `candidates stored before the member "weak" existed can be read`() throws {
        let json = """
            [{"placemark": {"coordinate": {"latitude": 1, "longitude": 2}}, "precision": "city", "confidence": 0.5,
              "provider": "a", "isLent": false}]
            """
        #expect(try [Place](json: json).map(\.isWeak) == [false])
    }

    @Test func `the best answer is kept along the way, and shown to a person in the end`() throws {
        let first = question(.init("a"), .init("b")).turn(after: try neighbour(), from: "a", everyone)
        guard case .goesOn(let onward) = first
        else {
            Issue.record("it ended")
            return
        }
        let strict = Chain.Link("b", steps: [.structured])
        let last = question(.init("a"), strict, link: 1, candidates: onward.candidates)
        guard case .needsReview(let candidates) = last.turn(after: .notFound, from: "b", everyone) else {
            Issue.record("nobody is to look at it")
            return
        }
        #expect(candidates.map(\.provider) == ["a"])
        guard case .needsReview(let more) = last.turn(after: try elsewhere(), from: "b", everyone) else {
            Issue.record("nobody is to look at it")
            return
        }
        #expect(more.map(\.provider) == ["a", "b"])
        #expect(more[0].confidence > more[1].confidence)
    }

    @Test func `a find in an entirely different place is not a match`() throws {
        let last = question(.init("a", steps: [.structured]))
        guard case .notFound(let candidates) = last.turn(after: try elsewhere(), from: "a", everyone) else {
            Issue.record("it counts as an answer")
            return
        }
        #expect(candidates.count == 1)
    }

    @Test func `a provider's failure does not count as not found`() {
        let first = question(.init("a"), .init("b", steps: [.structured])).turn(afterFailure: "it is down")
        guard case .goesOn(let onward) = first else {
            Issue.record("it ended")
            return
        }
        #expect(onward.lane == "b" && onward.failure == "a did not look: it is down")
        let last = question(.init("a"), .init("b", steps: [.structured]), link: 1, failure: onward.failure)
        #expect(last.turn(after: .notFound, from: "b", everyone) == .failed(reason: "a did not look: it is down"))
        #expect(
            question(.init("a")).turn(afterFailure: "a answered 500")
                == .failed(reason: "a did not look: it answered 500"))
    }

    @Test func `an end without a provider that did not look is provisional, and names it`() throws {
        let failure = "b did not look: it is down"
        for answer in [try town(), try neighbour()] {
            let links = [Chain.Link("a", steps: [.structured]), .init("b", steps: [.structured]), .init("c")]
            guard case .goesOn(let first) = question(links[0], links[1]).turn(after: answer, from: "a", everyone) else {
                Issue.record("it ended")
                return
            }
            let asked = question(links[0], links[1], link: 1, candidates: first.candidates)
            let complete = asked.turn(after: .notFound, from: "b", everyone)
            #expect(asked.turn(afterFailure: "it is down") == .provisional(complete, failure: failure))
            #expect(
                asked.turn(after: .refused(reason: "it is down"), from: "b", everyone)
                    == .provisional(complete, failure: failure))
            #expect(asked.turn(outsideOf: "b") == complete)
            // The failure is not forgotten while the last provider looks.
            guard
                case .goesOn(let next) = question(links[0], links[1], links[2], link: 1, candidates: first.candidates)
                    .turn(afterFailure: "it is down")
            else {
                Issue.record("it ended")
                return
            }
            let last = question(
                links[0], links[1], links[2], link: 2, candidates: next.candidates, failure: next.failure)
            #expect(last.turn(outsideOf: "c") == .provisional(complete, failure: failure))
        }
    }

    @Test func `a question is not "not found" if its last provider refused it`() {
        let last = question(.init("a"), .init("b", steps: [.structured]), link: 1, candidates: [])
        #expect(
            last.turn(after: .refused(reason: "b answered 400"), from: "b", everyone)
                == .failed(reason: "b did not look: it answered 400"))
    }

    @Test func `a good answer from one provider makes up for the failure of another`() throws {
        let last = question(.init("a"), .init("b"), link: 1, failure: "it is down")
        guard case .located = last.turn(after: try house(), from: "b", everyone) else {
            Issue.record("it counts for nothing")
            return
        }
    }

    @Test func `a provider that refuses every query counts as failed`() {
        let only = question(.init("a", steps: [.structured]))
        #expect(
            only.turn(after: .refused(reason: "too long"), from: "a", everyone)
                == .failed(reason: "a did not look: too long"))
    }

    @Test func `a link is skipped for other countries and where the answer is good enough for its price`() throws {
        let links = [
            Chain.Link("a"), Chain.Link("de", countries: ["DE"]), Chain.Link("dear", below: 0.3), Chain.Link("c"),
        ]
        let chain = Chain(links)
        #expect(chain.link(from: 1, country: "US", best: 0.5) == 3)
        #expect(chain.link(from: 1, country: "US", best: nil) == 2)
        #expect(chain.link(from: 1, country: "DE", best: 0.5) == 1)
        #expect(chain.link(from: 1, country: nil, best: 0.5) == 3)
        #expect(chain.link(from: 4, country: "DE", best: nil) == nil)
    }

    @Test func `a coarse answer does not end a question that wants a finer one`() throws {
        let town = Question(
            id: 1, subject: .address(Address(city: "Reno", country: "US")),
            chain: Chain([.init("a", stopAt: .street), .init("b")]))
        let answer = Answer.located(
            try place { ($0.thoroughfare, $0.subThoroughfare, $0.postalCode) = (nil, nil, nil) }, .city)
        #expect(next(town.turn(after: answer, from: "a", everyone)) == "b 1 -")
        // Without another lane the coarse answer is good enough.
        let alone = Question(id: 1, subject: town.subject, chain: Chain([.init("a", stopAt: .street)]))
        guard case .located = alone.turn(after: answer, from: "a", everyone) else {
            Issue.record("it is lost")
            return
        }
    }

    @Test func `a person decides between two equal towns unless another provider does`() throws {
        let town = Address(city: "Springfield", country: "US")
        func springfield(_ latitude: Double, _ score: Double) throws -> Candidate {
            var place = Placemark(coordinate: try #require(Coordinate(latitude: latitude, longitude: -93)))
            (place.locality, place.countryCode) = ("Springfield", "US")
            return Candidate(place, .city, score: score)
        }
        let both = Answer.found([try springfield(37, 0.64), try springfield(42, 0.63)])
        let alone = Question(id: 1, subject: .address(town), chain: Chain([.init("a", steps: [.structured])]))
        guard case .needsReview(let candidates) = alone.turn(after: both, from: "a", everyone) else {
            Issue.record("one was taken")
            return
        }
        #expect(candidates.count == 2)
        let two = Question(
            id: 1, subject: .address(town), chain: Chain([.init("a", steps: [.structured]), .init("b")]))
        #expect(next(two.turn(after: both, from: "a", everyone)) == "b 1 -")
        // A large town is meant more often than a village with its name, and two points next to each other are the same
        // place.
        for (latitude, score) in [(42.0, 0.4), (37.01, 0.64)] {
            let clear = Answer.found([try springfield(37, 0.64), try springfield(latitude, score)])
            guard case .located = alone.turn(after: clear, from: "a", everyone) else {
                Issue.record("nobody is sure")
                return
            }
        }
    }

    @Test func `the five best candidates are kept, each once`() throws {
        let many = try (0..<8).map { number in
            Candidate(try place { ($0.subThoroughfare, $0.name) = ("3", "\(number)") }, .rooftop)
        }
        let link = question(.init("a", steps: [.structured]))
        guard case .needsReview(let five) = link.turn(after: .found(many + many), from: "a", everyone) else {
            Issue.record("nobody is to look at it")
            return
        }
        #expect(five.map(\.placemark.name) == ["0", "1", "2", "3", "4"])
        // The same place again is not another candidate.
        let again = question(.init("a", steps: [.structured]), candidates: Array(five.prefix(2)))
        guard case .needsReview(let same) = again.turn(after: .found(Array(many.prefix(2))), from: "a", everyone) else {
            Issue.record("nobody is to look at it")
            return
        }
        #expect(same.map(\.placemark.name) == ["0", "1"])
    }

    @Test func `lent answers are marked, and so are those kept for some days`() throws {
        let lent = question(.init("a")).turn(after: try house(), from: "a", ProviderTerms(storage: .session))
        guard case .located(let best) = lent else {
            Issue.record("\(lent)")
            return
        }
        #expect(best.isLent && best.days == 1)
        let kept = question(.init("a")).turn(after: try house(), from: "a", ProviderTerms(storage: .days(30)))
        guard case .located(let best) = kept else {
            Issue.record("\(kept)")
            return
        }
        #expect(!best.isLent && best.days == 30)
    }

    @Test func `any find at a coordinate is the answer`() throws {
        let coordinate = try #require(Coordinate(latitude: 39.5, longitude: -119.8))
        let asked = Question(id: 1, subject: .coordinate(coordinate), chain: Chain([.init("a")]))
        guard case .located(let best) = asked.turn(after: try street(), from: "a", everyone) else {
            Issue.record("it is not believed")
            return
        }
        #expect(best.step == nil)
        #expect(asked.turn(after: .notFound, from: "a", everyone) == .notFound([]))
    }
}
