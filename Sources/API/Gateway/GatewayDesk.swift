import Access
import Contacts
import Formats
import Gateway
package import Geocoding
import Postgres
import Processes
import Questions
import Queue
import Shapes
import Towns

/// Answers the questions of the gateway: from answers that are stored, from data of our own, and by calls that go
/// through the queue.
final class GatewayDesk: Sendable {
    private let backend: Backend
    private let readers = Locked<[Int: Reader]>([:])
    private let settings: BriefMemory<Int, Settings>
    /// Places of recent replies, for `lookup`.
    private let recent = RecentPlaces()

    /// The chains and the providers for an account's questions.
    private struct Settings: Sendable {
        let forward, reverse: Chain
        /// The attribution of each lane.
        let credits: [String: String]
        let local: [String: LocalProvider]
    }

    /// Reads the answers that an account sees: those that all share, and its own pins.
    private struct Reader {
        let stored: Gathered<AddressHash, QuestionState?>
        let watch: AnswerWatch
        let asked: Gathered<NewQuestion, QuestionState>

        /// Requests wait here for their turn, and not at the account's share of the connections, which would refuse them.
        init(_ database: AccountDatabase, account: Int) {
            @Sendable func states(_ hashes: [AddressHash]) async throws -> [AddressHash: QuestionState] {
                try await database.run { try GeocodeStore().states(of: hashes, on: $0) }
            }
            stored = Gathered { hashes in
                let known = try await states(hashes)
                return hashes.map { known[$0] }
            }
            watch = AnswerWatch(states)
            asked = Gathered { questions in
                try await database.transaction { db in
                    let chain = try ContactStore().chain(of: account, on: db)
                    return try QuestionQueue().askAll(questions, along: chain, on: db)
                }
            }
        }
    }

    private func reader(of account: Int) -> Reader {
        readers.withLock { readers in
            if let reader = readers[account] { return reader }
            let reader = Reader(backend.database(of: account).withoutLimit, account: account)
            readers[account] = reader
            return reader
        }
    }

    init(_ backend: Backend) {
        self.backend = backend
        settings = BriefMemory(for: .seconds(2)) { account in
            let local = try await backend.localProviders()
            return try await backend.database(of: account).run { db in
                let name = try ContactStore().chain(of: account, on: db)
                let chains = ChainStore()
                guard let forward = try chains.current(name, on: db),
                    let reverse = try chains.current("reverse", on: db)
                else { throw NoSuchChain(name: name) }
                return Settings(
                    forward: forward.plan, reverse: reverse.plan,
                    credits: try JobQueue().attributions(on: db), local: local)
            }
        }
    }

    func answer(_ call: GatewayCall, _ query: GatewayQuery, for caller: Caller) async throws -> GatewayAnswer {
        let settings = try await settings.value(of: caller.account)
        var answer: GatewayAnswer
        switch query.subject {
        case .nothing: return GatewayAnswer([], .local)
        case .places(let numbers): answer = try await places(numbers, call.language, settings)
        case .coordinate(let place):
            answer = try await ask(.coordinate(place), query, call.language, settings, caller)
        case .address(let address):
            answer = try await ask(.address(address), query, call.language, settings, caller)
        case .line(let line, let country):
            let address = Address(line: line, beside: Address(country: country))
            answer = try await ask(.address(address), query, call.language, settings, caller)
        }
        recent.remember(answer.places)
        return answer
    }

    // MARK: Asking

    private func ask(
        _ subject: Question.Subject, _ query: GatewayQuery, _ language: Language?, _ settings: Settings,
        _ caller: Caller
    ) async throws -> GatewayAnswer {
        let isReverse = subject.coordinate != nil
        let chain = isReverse ? settings.reverse : settings.forward
        if let area = area(subject.address) {
            let shown = show(area, query, language, settings)
            return GatewayAnswer(narrowed([shown], by: query), .local)
        }
        let hash = subject.hash
        func reply(_ places: [Place], _ source: GatewayAnswer.Source, after: Duration? = nil) -> GatewayAnswer {
            let shown = places.map { show($0, query, language, settings) }
            return GatewayAnswer(narrowed(shown, by: query), source, retryAfter: after)
        }
        async let walking = LocalWalk(subject, along: chain, mending: TownMender()) { lane in
            settings.local[lane].map { ($0.terms, $0.look) }
        }
        let reader = reader(of: caller.account)
        let known = query.isLocal ? nil : try await reader.stored.value(of: hash)
        let walk = try await walking
        // A person's decision and a provider's answer are better than what is here.
        if let place = known?.place, !place.isWeak || !walk.isOver {
            return reply([place] + walk.places.filter { !$0.isNear(place) }, .cache)
        }
        if walk.isOver || known?.isFinal == true || query.isLocal {
            return reply(walk.places, walk.isOver ? .local : .cache)
        }
        reader.watch.begin(hash)
        let asked: QuestionState
        do {
            switch subject {
            case .address(let address): asked = try await reader.asked.value(of: NewQuestion(address))
            case .coordinate:
                asked = try await backend.database(of: caller.account).withoutLimit.transaction { db in
                    try QuestionQueue().askNow(subject, along: "reverse", on: db)
                }
            }
            let ended = asked.isOver ? asked : try await reader.watch.answer(to: hash, within: caller.manners.wait)
            _ = reader.watch.end(hash)
            if let ended {
                return reply((ended.place.map { [$0] } ?? []) + walk.places, asked.isOver ? .cache : .call)
            }
        } catch {
            if reader.watch.end(hash), Task.isCancelled { await leave(hash, caller) }
            throw error
        }
        let coarse = caller.manners.late == .coarse && walk.answer != nil ? walk.places : []
        return reply(coarse, .waiting, after: try await wait(for: asked, caller))
    }

    /// The country or the region, if the address names nothing else.
    private func area(_ address: Address?) -> Place? {
        guard let address, address.street.isEmpty, address.city.isEmpty, address.postcode.isEmpty,
            let country = Country.meant(by: address.country)
        else { return nil }
        let region = address.region.isEmpty ? nil : address.region
        guard let middle = Gazetteer.shared.middle(ofCountry: country.code, region: region) else { return nil }
        return Place(
            placemark: Placemark(coordinate: middle, administrativeArea: region, countryCode: country.code),
            precision: region == nil ? .country : .region, areaConfidence: 0.9, provider: "gazetteer")
    }

    /// Called when the last client that waited for the question has left.
    private func leave(_ hash: AddressHash, _ caller: Caller) async {
        let drops = caller.manners.left == .drop
        // The task is cancelled, and the database would not be asked in it.
        await Task { [backend] in
            try? await backend.database(of: caller.account).transaction { db in
                guard let question = try GeocodeStore().states(of: [hash], on: db)[hash]?.id else { return }
                try QuestionQueue().leave(question, drops: drops, on: db)
            }
        }.value
    }

    /// The time after which the answer will be there.
    private func wait(for asked: QuestionState, _ caller: Caller) async throws -> Duration {
        let circumstances = try await backend.database(of: caller.account).withoutLimit.run { db in
            try asked.job.flatMap { try JobQueue().circumstances(of: $0, on: db) }
        }
        let seconds = circumstances.map(WaitReason.init)?.seconds
        return .seconds(min(max(seconds ?? 1, 1), 3_600))
    }

    // MARK: Places

    private func show(
        _ place: Place, _ query: GatewayQuery, _ language: Language?, _ settings: Settings, number: PlaceNumber? = nil
    ) -> GatewayPlace {
        var placemark = place.placemark
        let code = placemark.countryCode
        if query.finest >= .town, let centre = Gazetteer.shared.centre(of: placemark) { placemark.coordinate = centre }
        let country = code.flatMap { (language ?? Language("en")).countryName($0) } ?? placemark.countryName
        let region = placemark.administrativeArea.flatMap { name in
            code.flatMap { Subdivision.code(of: name, in: $0) }
        }
        return GatewayPlace(
            placemark, place.precision, confidence: place.confidence, isWeak: place.isWeak, provider: place.provider,
            licence: settings.credits[place.provider].flatMap { $0.isEmpty ? nil : $0 } ?? place.provider,
            regionCode: region, countryName: country, number: number, finest: query.finest)
    }

    private func narrowed(_ places: [GatewayPlace], by query: GatewayQuery) -> [GatewayPlace] {
        var numbers: Set<PlaceNumber> = []
        // The town of a house is not a second answer.
        let isFine = places.first.map { !$0.isWeak } ?? false
        var places = places.filter { place in
            !(isFine && place.isWeak) && numbers.insert(place.number).inserted
                && (query.kinds?.contains(place.kind) ?? true)
                && query.countries.map { $0.contains(place.placemark.countryCode ?? "") } ?? true
                && (!query.isBounded || query.box?.contains(place.placemark.coordinate) ?? true)
        }
        if !query.isBounded, let box = query.box {
            let (inside, outside) = places.divided { box.contains($0.placemark.coordinate) }
            places = inside + outside
        }
        if let near = query.near, let best = places.first {
            // A person nearby means the nearest one of the same name.
            let (alike, others) = places.divided { $0.kind == best.kind && $0.name == best.name }
            let distances = alike.map { $0.placemark.coordinate.distance(to: near) }
            places = alike.indices.sorted { distances[$0] < distances[$1] }.map { alike[$0] } + others
        }
        return Array(places.prefix(query.limit))
    }

    /// The places with these numbers, in their order.
    private func places(
        _ numbers: [PlaceNumber], _ language: Language?, _ settings: Settings
    ) async throws -> GatewayAnswer {
        var places: [GatewayPlace] = []
        for number in numbers {
            if let place = try await place(number, language, settings) { places.append(place) }
        }
        return GatewayAnswer(places, .local)
    }

    private func place(
        _ number: PlaceNumber, _ language: Language?, _ settings: Settings
    ) async throws -> GatewayPlace? {
        if let known = recent.place(number) { return known }
        var query = GatewayQuery(.nothing)
        let found: [Place]
        switch number.own {
        case (_, .country(let code))?:
            (query.finest, found) = (.country, area(Address(country: code)).map { [$0] } ?? [])
        case (let kind, .coordinate(let coordinate))?:
            query.finest = kind
            found = try await walk(.coordinate(coordinate), along: settings.reverse, settings).places
        case nil:
            guard number.kind == .relation else { return nil }
            for (lane, provider) in settings.local {
                guard let candidate = try await provider.area(number.id) else { continue }
                let place = Place(
                    placemark: candidate.placemark, precision: candidate.precision, areaConfidence: 1, provider: lane)
                return show(place, query, language, settings, number: number)
            }
            return nil
        }
        let shown = found.first.map { show($0, query, language, settings, number: number) }
        return shown.flatMap { query.finest == $0.kind || number.own == nil ? $0 : nil }
    }

    private func walk(
        _ subject: Question.Subject, along chain: Chain, _ settings: Settings
    ) async throws -> LocalWalk {
        try await LocalWalk(subject, along: chain, mending: nil) { lane in
            settings.local[lane].map { ($0.terms, $0.look) }
        }
    }
}

/// A provider in this process.
package struct LocalProvider: Sendable {
    let terms: ProviderTerms
    let look: LocalWalk.Look
    /// The area of a relation of OpenStreetMap.
    let area: @Sendable (Int) async throws -> Candidate?

    package init(
        _ provider: any GeocodingProvider, area: @escaping @Sendable (Int) async throws -> Candidate? = { _ in nil }
    ) {
        terms = provider.terms
        self.area = area
        let addresses = Gathered<Query, Geocoding.Answer> { try await provider.geocode($0) }
        let coordinates = Gathered<Coordinate, Geocoding.Answer> { try await provider.reverseGeocode($0) }
        look = { query, coordinate in
            if let query { return try await addresses.value(of: query) }
            guard let coordinate else { return .notFound }
            return try await coordinates.value(of: coordinate)
        }
    }
}

/// The last places that were shown, by their numbers.
private final class RecentPlaces: Sendable {
    private static let most = 20_000

    private struct State {
        var places: [PlaceNumber: GatewayPlace] = [:]
        var order: [PlaceNumber] = []
    }

    private let state = Locked(State())

    func place(_ number: PlaceNumber) -> GatewayPlace? { state.withLock { $0.places[number] } }

    func remember(_ places: [GatewayPlace]) {
        state.withLock { state in
            for place in places where state.places.updateValue(place, forKey: place.number) == nil {
                state.order.append(place.number)
            }
            guard state.order.count > Self.most * 2 else { return }
            for number in state.order.prefix(Self.most) { state.places[number] = nil }
            state.order.removeFirst(Self.most)
        }
    }
}

extension [GatewayPlace] {
    fileprivate func divided(_ isFirst: (GatewayPlace) -> Bool) -> (first: Self, rest: Self) {
        (filter(isFirst), filter { !isFirst($0) })
    }
}

/// Remembers values for a short time.
final class BriefMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let lifetime: Duration
    private let look: @Sendable (Key) async throws -> Value
    private let known = Locked<[Key: (task: Task<Value, any Error>, until: ContinuousClock.Instant)]>([:])

    init(for lifetime: Duration, _ look: @escaping @Sendable (Key) async throws -> Value) {
        (self.lifetime, self.look) = (lifetime, look)
    }

    func value(of key: Key) async throws -> Value {
        let task = known.withLock { known in
            if let (task, until) = known[key], until > .now { return task }
            let task = Task { [look] in try await look(key) }
            known[key] = (task, .now + lifetime)
            return task
        }
        do { return try await task.value } catch {
            known.withLock { $0[key] = nil }
            throw error
        }
    }
}

extension Question.Subject {
    fileprivate var hash: AddressHash {
        switch self {
        case .address(let address): NewQuestion(address).hash
        case .coordinate(let place): CoordinateCell(place).hash
        }
    }
}

extension QuestionState {
    /// True if it needs no further call.
    fileprivate var isOver: Bool { status != .waiting }
    /// True if its providers found nothing.
    fileprivate var isFinal: Bool { status == .notFound || status == .needsReview }
}

extension Place {
    /// True if it is the same place, found twice.
    fileprivate func isNear(_ other: Place) -> Bool {
        precision == other.precision && placemark.isWithin(precision <= .street ? 100 : 2_000, of: other.placemark)
    }
}
