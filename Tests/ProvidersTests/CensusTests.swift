import Geocoding
import HTTPTesting
import Testing

@testable import Providers

struct CensusTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        try await contract().check(trial)
    }

    @Test func `an unreachable server is an outage`() async throws {
        try await contract().checkNobodyListening()
    }

    private func contract() throws -> ProviderContract {
        let coordinate = try #require(Coordinate(latitude: 39.5, longitude: -119.8))
        let placemark = Placemark(
            coordinate: coordinate, thoroughfare: "MAIN ST", subThoroughfare: "1", locality: "RENO",
            administrativeArea: "NV", postalCode: "89501", countryCode: "US")
        return ProviderContract(
            make: { CensusProvider(http: $1, server: $0) },
            found: Self.match(1, at: "-119.8,39.5"), candidate: Candidate(placemark, .interpolated, score: 1),
            notFound: .json(#""1","1 Secretstreet, Secretville, , ","No_Match""#),
            bodyAt: { Self.match(1, at: "\($1),\($0)".replacing("\"", with: "")) })
    }

    private static func match(_ id: Int, at coordinate: String, _ kind: String = "Exact") -> String {
        #""\#(id)","1 Main St, Reno, NV, ","Match","\#(kind)","1 MAIN ST, RENO, NV, 89501","\#(coordinate)","7","L""#
            + "\r\n"
    }

    @Test func `rows may come back in any order`() async throws {
        let body =
            Self.match(3, at: "-119.8,39.5", "Non_Exact") + #""2","1 Main ""St"", Reno, NV, ","Tie""# + "\n"
            + "1,\"1 Main St, Reno\nNV\",No_Match\n" + Self.match(4, at: "-66.1,18.4").replacing("NV", with: "PR")
        let answers = try await call(Array(repeating: street, count: 4), answering: .json(body)).answers
        #expect(answers.prefix(2) == [.notFound, .notFound])
        #expect(answers[2].candidates.first?.score == 0.8)
        #expect(answers[2].candidates.first?.precision == .interpolated)
        #expect(answers[3].candidates.first?.placemark.countryCode == "PR")
    }

    @Test(
        arguments: [
            match(1, at: "1,2"), match(1, at: "1,2") + match(1, at: "1,2") + match(2, at: "1,2"),
            match(1, at: "1,2") + match(2, at: "1,2") + match(3, at: "1,2"),
            match(1, at: "1,2") + "\"2\",\"x\",\"Maybe\"\n", match(1, at: "1,2") + match(2, at: "1,2", "Roughly"),
            match(1, at: "1,2") + "\"2\",\"x\"\n", match(1, at: "1,2") + "2,x\"x,No_Match\n",
        ])
    func `a missing, extra or unexpected row makes the whole reply unreadable`(body: String) async {
        await #expect(throws: ProviderError.unavailable(reason: "census replied in an unexpected format")) {
            try await call([street, street], answering: .json(body))
        }
    }

    @Test func `a table has one row for each address, whatever characters it has`() async throws {
        let queries = [
            Query(Address(street: "1 \"Main\" St,\n Apt 2\r\n", city: "Reno", region: "NV", postcode: "89501")),
            Query(Address(street: "2 Calle A", city: "San Juan", country: "Puerto Rico")),
        ]
        let request = try await call(queries, answering: .json("1,x,No_Match\n2,x,No_Match")).request
        #expect(request.method == "POST")
        #expect(request.path == "/geocoder/locations/addressbatch")
        let boundary = try #require(
            request.headers["content-type"]?.split(separator: "multipart/form-data; boundary=").first)
        let body = String(decoding: request.body, as: UTF8.self)
        let parts = body.split(separator: "--\(boundary)", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 4)
        #expect(parts[0].isEmpty && parts[3] == "--\r\n")
        #expect(
            parts[1] == "\r\nContent-Disposition: form-data; name=\"benchmark\"\r\n\r\nPublic_AR_Current\r\n")
        #expect(
            parts[2].hasPrefix(
                "\r\nContent-Disposition: form-data; name=\"addressFile\"; filename=\"addresses.csv\"\r\n"))
        #expect(
            parts[2].hasSuffix(
                """
                \r\n\r\n"1","1 ""Main"" St, Apt 2","Reno","NV","89501"
                "2","2 Calle A","San Juan","PR",""
                \r\n
                """))
    }

    @Test func `an address without a street is not sent`() async throws {
        let town = Query(Address(street: "\n ", city: "Reno"))
        let talk = try await call([town, street, town], answering: .json("2,x,No_Match"))
        #expect(talk.answers[1] == .notFound)
        for answer in [talk.answers[0], talk.answers[2]] {
            #expect(answer == .refused(reason: "census takes only addresses with a street"))
        }
        #expect(talk.requests.count == 1)
        #expect(try await call([town], answering: .status(500)).requests.isEmpty)
    }

    @Test func `a refused table refuses none of its addresses`() async throws {
        await #expect(throws: ProviderError.unavailable(reason: "census refused a table of addresses")) {
            try await call([street, street], answering: .status(400))
        }
    }

    private let street = Query(Address(street: "1 Main St", city: "Reno", region: "NV"))

    @discardableResult
    private func call(_ queries: [Query], answering answer: ScriptedAnswer) async throws -> Conversation {
        try await Conversation(with: { CensusProvider(http: $1, server: $0) }, answering: answer) {
            try await $0.geocode(queries)
        }
    }
}
