import Access
import Contacts
import Formats
import FoundationEssentials
import Geocoding
import HTTP
import JSON
import Questions
import Queue
import Shapes

/// Single questions. The responses contain no id, because another account's same question has the same id.
extension APIServer {
    @ListBuilder<APIRoute> var questionRoutes: [APIRoute] {
        APIRoute(.post, "/v1/geocode", .write, is: .unremembered, geocode)
            .described(
                "postGeocode", "Geocodes an address, or a list of them",
                details:
                    "`Accept-Language` says in which language `country` is, where its provider gives only the code.",
                body: .json(Schema.either(.model(Models.questionInput), .model(Models.questionListInput))),
                .ok(
                    "The answer.",
                    .either(AnswerList.schema, AnswerView.schema).with(example: [
                        "status": "located", "reason": nil,
                        "place": [
                            "latitude": 39.5296, "longitude": -119.8138, "precision": "city", "confidence": 0.9,
                            "area_confidence": 0.9, "provider": "gazetteer", "matched_address": nil, "name": nil,
                            "street": nil,
                            "house_number": nil, "city": "Reno", "neighbourhood": nil, "region": "Nevada",
                            "county": nil, "postcode": nil, "country_code": "US", "country": "United States",
                        ],
                    ])),
                .ok(
                    "The question waits; repeat the request soon.",
                    .either(AnswerList.schema, AnswerView.schema).with(example: [
                        "status": "waiting", "reason": "no provider has answered yet", "place": nil,
                        "waits_for": ["lane": "gazetteer", "why": "behind", "seconds": nil],
                    ]), status: 202, headers: ["Retry-After"]))
        APIRoute(.get, "/v1/reverse", .write, reverse)
            .described(
                "getReverse", "Finds what is at a coordinate",
                details: "Follows the chain `reverse`, or the one that `chain` names.", .ok("The answer."),
                .ok("The question waits; repeat the request soon.", status: 202, headers: ["Retry-After"]),
                refuses: [422])
    }

    /// In bytes: the most addresses in one request, at some 400 bytes each.
    private static let longestQuestions = 4 << 20
    static let mostQuestions = 10_000

    /// One address, or a list of them.
    private func geocode(_ request: APIRequest) async throws -> ServerResponse {
        var fields = try await request.fields(upTo: Self.longestQuestions)
        if fields.isGiven("addresses") { return try await geocode(listIn: &fields, for: request) }
        let address = fields.question()
        try fields.finish()
        return try await ask(.address(address), for: request).response
    }

    private func geocode(listIn fields: inout RequestReader, for request: APIRequest) async throws -> ServerResponse {
        let addresses = try await fields.questions("addresses", atMost: Self.mostQuestions)
        try fields.finish()
        let (account, language) = (request.account, request.wantedLanguage)
        // Computing hashes takes longer than storing the questions. It must not block a connection.
        let questions = addresses.map { NewQuestion($0) }
        return try await write(request, isLong: true) { database in
            let chain = try ContactStore().chain(of: account, on: database)
            let states = try QuestionQueue().askAll(questions, along: chain, on: database)
            let waiting = states.count { $0.status == .waiting }
            let answers = AnswerList(answers: states.map { AnswerView($0, in: language) }, waiting: waiting)
            var response = Reply(answers, status: waiting > 0 ? 202 : 200).response
            if waiting > 0 { response.headers["Retry-After"] = "5" }
            return response
        }
    }

    private func reverse(_ request: APIRequest, _ query: ReverseQuery) async throws -> Reply<AnswerView> {
        guard let coordinate = query.coordinate else {
            throw RequestError.invalid(parameter: "latitude", "is not on Earth")
        }
        return try await ask(.coordinate(coordinate), along: query.chain, for: request)
    }

    /// Asks with the highest priority, along the account's chain unless another one is named.
    private func ask(
        _ subject: Question.Subject, along name: String? = nil, for request: APIRequest
    ) async throws -> Reply<AnswerView> {
        let (account, language) = (request.account, request.wantedLanguage)
        return try await write(request) { database in
            let chain = try name ?? ContactStore().chain(of: account, on: database)
            let known: QuestionState
            do { known = try QuestionQueue().askNow(subject, along: chain, on: database) } catch is NoSuchChain
                where name != nil
            {
                throw RequestError.invalid(parameter: "chain", "must be the name of an existing chain")
            }
            let circumstances = try known.job.flatMap { try JobQueue().circumstances(of: $0, on: database) }
            var answer = AnswerView(known, in: language)
            if known.status == .waiting { answer.waits = .some(circumstances.map(WaitReason.init)) }
            var reply = Reply(answer, status: known.status == .waiting ? 202 : 200)
            if known.status == .waiting { reply.response.headers["Retry-After"] = "1" }
            return reply
        }
    }
}

extension Address {
    /// Returns whether the address can be looked up at all; the table `addresses` has the same condition.
    var saysWhere: Bool { [street, city, country].contains { !$0.allSatisfy(\.isWhitespace) } }
}

struct ReverseQuery: QueryInput {
    /// Nil if it is not on Earth.
    let coordinate: Coordinate?
    let chain: String

    init(_ query: inout RequestReader) {
        let latitude = query.degrees("latitude", to: 90, example: 39.5296)
        let longitude = query.degrees("longitude", to: 180, example: -119.8138)
        coordinate = Coordinate(latitude: latitude ?? 0, longitude: longitude ?? 0)
        let chain = query.text(
            "chain", schema: .text.byDefault("reverse"), "The chain of providers to follow.", example: "reverse")
        self.chain = chain ?? "reverse"
    }
}

extension RequestReader {
    /// An address in parts, or on one line as `address`. A separate member overrides the line.
    mutating func question() -> Address {
        var address = Address(
            street: text("street", example: "1 Main St") ?? "", city: text("city", example: "Reno") ?? "",
            region: text("region", example: "NV") ?? "", postcode: text("postcode", example: "89501") ?? "",
            country: text("country", example: "US") ?? "")
        let line = text("address", "All on one line. Then street and city must be empty.") ?? ""
        if !line.isEmpty {
            for (name, part) in [("street", address.street), ("city", address.city)] where !part.isEmpty {
                mistake(name, "does not go with address")
            }
            if mistakeCount == 0 { address = Address(line: line, beside: address) }
        }
        if !address.saysWhere, !isMistaken("address", "street", "city", "country") {
            mistake("street", "is missing, and so are city, country and address")
        }
        return address
    }

    /// A list of addresses, each a text on one line or an object like that of a single address.
    fileprivate mutating func questions(_ name: String, atMost most: Int) async throws -> [Address] {
        guard let list = members[name]?.list, (1...most).contains(list.count) else {
            mistake(name, "must be a list of 1 to \(most) addresses")
            return []
        }
        for other in members.keys where other != name { mistake(other, "does not go with \(name)") }
        var addresses: [Address] = []
        for (place, item) in list.enumerated() {
            // Parsing lines takes time, and other tasks use the same thread.
            if place.isMultiple(of: 200) { await Task.yield() }
            guard let members = item.text.map({ ["address": JSONValue.text($0)] }) ?? item.object else {
                mistake("\(name)[\(place)]", "is neither a text nor an object")
                continue
            }
            var one = RequestReader(members)
            addresses.append(one.question())
            add(one, at: "\(name)[\(place)]")
            if mistakeCount >= Self.mostMistakes { break }
        }
        return addresses
    }

    /// The most mistakes that a response lists.
    private static let mostMistakes = 100
}

/// The state of a question for a client, with the country in the client's language.
struct AnswerView: Shaped {
    let state: QuestionState
    let place: FoundPlaceView?
    /// Nil in a list, and of a question that does not wait.
    var waits: WaitReason??

    init(_ state: QuestionState, in language: Language?) {
        self.state = state
        place = state.place.map { FoundPlaceView($0, in: language) }
    }

    static let shape = Shape<AnswerView>("Answer", "The state of a question.") {
        Member("status", example: .located) { $0.state.status }
        Member("reason", "Why it has no place, or a coarse one; null for a fine place.") {
            $0.state.reason ?? $0.state.place?.weakness
        }
        Member("place") { $0.place }
        Member(ifAny: "waits_for", "Only of a single question that waits.") { $0.waits }
    }
}

struct AnswerList: Shaped {
    let answers: [AnswerView]
    let waiting: Int

    static let shape = Shape<AnswerList>("Answers", "The states of a list of questions.") {
        Member("data", "In the order of the questions.") { $0.answers }
        Member("waiting", "How many of them wait.", example: 1) { $0.waiting }
    }
}
