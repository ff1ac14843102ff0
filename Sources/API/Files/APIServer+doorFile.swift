import Access
import Contacts
import Formats
import Gateway
import Geocoding
import HTTP
import JSON
import Postgres
import Questions
import Queue

/// CSV files that a door takes.
extension APIServer {
    /// As many requests share their statements.
    private static let requestsAtOnce = 64

    /// Asks for all rows, waits, and returns the file with columns added. The columns are taken from the replies that the
    /// door gives to each row, so a row and a single request have the same result.
    ///
    /// While a question waits, the client gets 503 and sends the file again. Its questions are asked only once.
    func geocode(
        _ request: ServerRequest, _ asked: GatewayRequest, to file: Door.FileEndpoint, at door: Door,
        _ desk: GatewayDesk, for caller: Caller
    ) async throws -> ServerResponse {
        guard request.hasContentType("multipart/form-data") else {
            throw RequestError.malformed("Send a form with the file, as with curl -F data=@list.csv.")
        }
        let form = try await FileForm(request, request.body)
        let items = request.query + form.fields
        let table = try DoorFile(form, items, for: file, asked)
        let wait = items.last { $0.name == "wait" }.flatMap { Int(digits: $0.value) } ?? FileQuery.mostWait
        var calls: [GatewayCall?] = []
        // A row that the door refuses stays without a place, such as one without an address.
        for row in table.requests { calls.append(try? door.call(row)) }
        let database = backend.database(of: caller.account).withoutLimit
        let subjects = try await open(calls, at: desk, for: caller)
        try await ask(subjects.compactMap(\.question), for: caller.account, in: database)
        try await ask(Set(subjects.compactMap(\.cell)), in: database)
        let hashes = subjects.compactMap(\.hash)
        guard try await areAnswered(hashes, within: .seconds(min(wait, FileQuery.mostWait)), in: database) else {
            throw try await notYet(hashes, in: database)
        }
        let replies = try await replies(to: calls, at: desk, for: caller) { call, answer -> [String]? in
            if answer.source == .waiting { return nil }
            return table.cells(of: call.reply(answer).bytes)
        }
        guard replies.values.allSatisfy({ $0 != nil }) else { throw try await notYet(hashes, in: database) }
        return table.response { replies[$0] ?? nil }
    }

    /// The subjects of the calls that data of our own can't answer.
    private func open(
        _ calls: [GatewayCall?], at desk: GatewayDesk, for caller: Caller
    ) async throws -> [GatewayQuery.Subject] {
        let isOpen = try await replies(to: calls, at: desk, for: caller, isLocal: true) { $1.source != .local }
        return isOpen.filter(\.value).keys.sorted().compactMap { calls[$0]?.query?.subject }
    }

    /// Answers all calls, some at the same time. Returns a value of each answer, by the position of its call.
    private func replies<Value: Sendable>(
        to calls: [GatewayCall?], at desk: GatewayDesk, for caller: Caller, isLocal: Bool = false,
        _ value: @escaping @Sendable (GatewayCall, GatewayAnswer) -> Value
    ) async throws -> [Int: Value] {
        try await withThrowingTaskGroup { group in
            var (values, running) = ([Int: Value](), 0)
            for (index, call) in calls.enumerated() {
                guard let call, var query = call.query else { continue }
                query.isLocal = isLocal
                group.addTask { [query] in (index, value(call, try await desk.answer(call, query, for: caller))) }
                running += 1
                guard running == Self.requestsAtOnce, let (index, value) = try await group.next() else { continue }
                values[index] = value
                running -= 1
            }
            for try await (index, value) in group { values[index] = value }
            return values
        }
    }

    private func ask(_ cells: Set<CoordinateCell>, in database: AccountDatabase) async throws {
        guard !cells.isEmpty else { return }
        try await database.transaction { db in
            if cells.count > Self.fewQuestions {
                _ = try QuestionQueue().askWhatIsAt(cells, along: "reverse", on: db)
            } else {
                for cell in cells { _ = try QuestionQueue().askNow(.coordinate(cell.centre), along: "reverse", on: db) }
            }
        }
    }

    /// A refusal with the time after which the last question will be answered, as far as its lane can tell.
    private func notYet(_ hashes: [AddressHash], in database: AccountDatabase) async throws -> RequestError {
        let (waiting, reason) = try await database.run { db -> (Int, WaitReason?) in
            let waiting = try GeocodeStore().states(of: hashes, on: db).values.filter { $0.status == .waiting }
            let circumstances = try waiting.compactMap(\.job).max().flatMap {
                try JobQueue().circumstances(of: $0, on: db)
            }
            return (waiting.count, circumstances.map { WaitReason($0.lane) })
        }
        let seconds = Int(min(max(reason?.seconds ?? 5, 1), 3_600).rounded(.up))
        return RequestError(
            status: 503, detail: "\(waiting) addresses still wait; send the same file again after \(seconds) s.",
            headers: ["Retry-After": "\(seconds)"])
    }
}

extension GatewayQuery.Subject {
    fileprivate var question: NewQuestion? {
        switch self {
        case .address(let address): NewQuestion(address)
        case .line(let line, let country): NewQuestion(Address(line: line, beside: Address(country: country)))
        case .coordinate, .places, .nothing: nil
        }
    }

    fileprivate var cell: CoordinateCell? {
        if case .coordinate(let place) = self { CoordinateCell(place) } else { nil }
    }
    fileprivate var hash: AddressHash? { question?.hash ?? cell?.hash }
}
