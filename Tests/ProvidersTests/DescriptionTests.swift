import ExtremesTesting
import Geocoding
import HTTP
import Testing

@testable import Providers

struct DescriptionTests {
    private static let limits = #""limits": ["5/s", "1/2s", "3000/d", {"calls": 7, "seconds": 60}]"#

    @Test func `a description gives the provider's terms`() throws {
        let terms = try read(recorded("descriptions", "nominatim")).terms
        #expect(terms.batch == 1 && terms.forms == [.structured] && terms.canReverse && terms.storage == .unlimited)
        #expect(terms.limits == [CallLimit(1, per: .seconds(1))])
        let other = try read(recorded("descriptions", "photon")).terms
        #expect(other.forms == [.freeForm] && other.storage == .days(30) && other.limits.isEmpty)
    }

    @Test func `omitted members have careful defaults, and limits are read as on the command line`()
        throws
    {
        let text = try recorded("descriptions", "photon").replacing("\"storage\": 30", with: Self.limits)
        let terms = try read(text).terms
        #expect(terms.storage == .session)
        #expect(
            terms.limits == [
                CallLimit(5, per: .seconds(1)), CallLimit(1, per: .seconds(2)), CallLimit(3_000, per: .seconds(86_400)),
                CallLimit(7, per: .seconds(60)),
            ])
        for bad in ["5", "0/s", "5/", "5/0s", "x/s", "5/year", "5/s/s", "0.5/s", "1/9223372036854775807d", "1e300/s"] {
            let said = "\"limits\": [\"\(bad)\"]"
            #expect(
                mistakes(text.replacing(Self.limits, with: said)).contains { $0.hasPrefix("limits is") }, "\(bad)"
            )
        }
    }

    @Test func `a description has the terms of use of its service`() throws {
        let use = """
            "storage": 30, "attribution": "© Atlas", "terms": {"link": "https://atlas.example.org/terms",
            "read": "2026-11-28", "personalData": false, "machines": 1, "interactiveOnly": true, "autocomplete": true,
            "note": "no maps"}
            """
        let text = try recorded("descriptions", "photon")
        #expect(try read(text).terms.use == nil)
        let expected = TermsOfUse(
            link: "https://atlas.example.org/terms", read: "2026-11-28", storage: .days(30), attribution: "© Atlas",
            personalData: .no, machines: 1, isInteractiveOnly: true, autocomplete: .yes, note: "no maps")
        #expect(try read(text.replacing("\"storage\": 30", with: use)).terms.use == expected)
        let wrong = use.replacing("\"machines\": 1", with: "\"machines\": 0").replacing(
            "2026-11-28\"", with: "\", \"x\": 1")
        let told = mistakes(text.replacing("\"storage\": 30", with: wrong)).map { $0.prefix { $0 != ";" } }
        #expect(told.prefix(2) == [#"terms.machines is "0""#, "terms.x is not a member of a description"])
    }

    @Test func `each number of a description may be extreme`() throws {
        let text = try recorded("descriptions", "photon").replacing(
            "\"storage\": 30", with: "\"storage\": 30, " + Self.limits)
        for variant in Extremes.variants(of: text, each: Extremes.numbers.count) {
            guard let terms = try? read(variant).terms else { continue }
            #expect(terms.limits.allSatisfy { $0.calls > 0 && $0.per <= .seconds(366 * 86_400) }, "\(variant)")
            if case .days(let days) = terms.storage { #expect((1...36_500).contains(days)) }
        }
    }

    @Test func `an empty description reports all missing members at once`() {
        #expect(
            mistakes("{}").map { $0.prefix { $0 != ";" } } == [
                "name is missing", "search is missing", "latitude is missing", "longitude is missing",
                "precision is missing",
            ])
    }

    @Test func `every wrong member is reported with its valid values`() {
        let told = mistakes(
            """
            {"name": "My Service", "search": "ftp://secret.example.org/{line}", "reverse": "http://h/?x={secret}",
             "headers": {"X": 5}, "latitude": "a[].b[].c", "longitude": "a..b", "placemark": {"street": 7, "town": "x"},
             "precision": {"words": {"road": "roadish"}, "otherwise": "near"}, "score": {"path": "s", "largest": 0},
             "notFound": {"a[].b": "x"}, "statuses": {"200": "notFound"}, "box": 5, "limits": [{"calls": 0, "seconds": 1}],
             "countries": ["Nowhere"], "attribution": 5, "storage": "forever", "serach": ""}
            """)
        #expect(
            told.map { $0.prefix { $0 != ";" } } == [
                #"name is "My Service""#, "search is not valid", "reverse is not valid",
                "headers is not valid", #"latitude is "a[].b[].c""#, #"longitude is "a..b""#, #"box is "5""#,
                #"placemark.street is "7""#, "placemark.town is not a member of a description",
                "precision.words is not valid", #"precision.otherwise is "near""#,
                #"score.largest is "0""#, "notFound is not valid", "statuses is not valid",
                "limits is not valid", "countries is not valid", #"attribution is "5""#,
                #"storage is "forever""#, "serach is not a member of a description",
            ])
        #expect(told.allSatisfy { $0.contains("takes ") && !$0.contains("secret") })
    }

    @Test func `wrong steps, outcomes and words of scores are reported, too`() throws {
        let text = try recorded("descriptions", "photon").replacing(
            #""score": { "path": "features[].properties.trust", "largest": 10 }"#,
            with: """
                "score": {"path": "a.[b", "words": {"true": 2}}, "quotaReset": 5, "structuredSearch": "SERVER/?q={line}",
                "outcome": {"words": {"OK": "fine"}, "path": "status"}
                """
        ).replacing(
            #""otherwise": "city""#,
            with: #""otherwise": "city", "steps": [{"paths": "a.[=b]", "others": "near"}, {"joined": [], "x": 1}]"#)
        #expect(
            mistakes(text).map { $0.prefix { $0 != ";" } } == [
                #"precision.steps.0.others is "near""#, #"precision.steps.0.paths is "a.[=b]""#,
                "precision.steps.1.joined is not valid", "precision.steps.1.x is not a member of a description",
                #"score.path is "a.[b""#, "score.words is not valid", "outcome.found is missing",
                "outcome.words is not valid", #"quotaReset is "5""#, "structuredSearch is not valid",
                "{key} is used, but no key is set",
            ])
    }

    @Test(arguments: ShippedService.allCases)
    func `each description in the program can be used, and has terms of use`(service: ShippedService) {
        let terms = service.provider(key: "secret", http: HTTPClient(HTTPClient.Options(userAgent: "Waypost"))).terms
        #expect(terms.use?.link.hasPrefix("https://") == true)
        #expect(!terms.limits.isEmpty && terms.canReverse && !terms.attribution.isEmpty)
    }

    @Test(arguments: [
        ("SERVER/search?street={street}", "http://{city}.example.org/?q={city}", "search is not valid"),
        ("SERVER/search?street={street}", "SERVER/search?q={line}&street={street}", "it takes either {line}"),
        ("[].lon\"", "places[].lon\"", "it takes one for all"),
        ("SERVER/search?street={street}", "SERVER/search?key={key}&street={street}", "no key is set"),
    ])
    func `members that contradict each other are reported`(good: String, bad: String, expected: String) throws {
        let text = try recorded("descriptions", "nominatim").replacing(good, with: bad)
        let told = mistakes(text)
        #expect(told.count == 1 && told[0].contains(expected), "\(told)")
    }

    @Test(arguments: [
        #"{"404": {"path": "error", "words": {"Unable": "nothing"}}}"#, #"{"404": {"path": "error"}}"#,
        #"{"404": {"path": "a..b", "words": {}}}"#, #"{"404": {"path": "a", "words": {}, "x": 1}}"#,
    ])
    func `a status whose words can't be used is refused`(statuses: String) throws {
        let text = try recorded("descriptions", "photon").replacing(
            #"{ "404": "notFound", "403": "quota" }"#, with: statuses)
        #expect(mistakes(text).contains { $0.hasPrefix("statuses is not valid") })
    }

    @Test func `a description that is not an object is refused`() {
        #expect(mistakes("[1") == ["it is not a JSON object"])
    }

    private func read(_ text: String, key: String? = "secret") throws -> GenericProvider.Description {
        try GenericProvider.Description(
            json: Array(text.replacing("SERVER", with: "https://example.org").utf8), key: key)
    }

    private func mistakes(_ text: String) -> [String] {
        do {
            _ = try read(text, key: nil)
            return []
        } catch { return (error as? DescriptionError)?.mistakes ?? [] }
    }
}
