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
    private let settings = BriefCache<Int, Settings>()
    /// Places of recent replies, for `lookup`. One may be an account's own pin, so no other account sees it.
    private let recent = RecentValues<Owned<PlaceNumber>, Place>(most: 20_000, lifetime: .seconds(86_400))
    /// Places that were found without a call. A change of our data or of an answer is seen after this time, as a revoked
    /// token is.
    private let found = RecentValues<Owned<Asked>, Found>(most: 20_000, lifetime: .seconds(5))

    /// A key within an account.
    private struct Owned<Key: Hashable & Sendable>: Hashable, Sendable {
        let account: Int
        let key: Key
    }

    private struct Asked: Hashable, Sendable {
        let subject: GatewayQuery.Subject
        let isLocal: Bool
    }

    private struct Found: Sendable {
        let places: [Place]
        let source: GatewayAnswer.Source
    }

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
        let watch: AnswerWatch<QuestionState>
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
            watch = AnswerWatch { try await states($0).filter { $0.value.isOver } }
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

    /// The caller without a token. Requests at the same time share a look-up.
    private let open: Gathered<Int, Caller?>
    /// The callers with these tokens. Look-ups wait for their turn here, so that many requests at once are not over the
    /// share of those that are not known yet.
    private let bearers: Gathered<String, Caller?>

    init(_ backend: Backend) {
        self.backend = backend
        open = Gathered { keys in
            let caller = try await backend.openCaller()
            return keys.map { _ in caller }
        }
        bearers = Gathered { tokens in
            var callers: [Caller?] = []
            for token in tokens {
                try await callers.append(backend.tokens.authenticate(token, on: backend.strangers.withoutLimit))
            }
            return callers
        }
    }

    func caller(bearing token: String) async throws -> Caller? {
        if let known = backend.tokens.cached(token) { return known }
        return try await bearers.value(of: token)
    }

    func openCaller() async throws -> Caller? { try await open.value(of: 0) }

    private func settings(of account: Int) async throws -> Settings {
        let found = try await settings.value(for: account) { [backend] in
            let local = try await backend.localProviders()
            return try await backend.database(of: account).withoutLimit.run { db in
                let name = try ContactStore().chain(of: account, on: db)
                let chains = ChainStore()
                guard let forward = try chains.current(name, on: db),
                    let reverse = try chains.current("reverse", on: db)
                else { return nil }
                return Settings(
                    forward: forward.plan, reverse: reverse.plan,
                    credits: try JobQueue().attributions(on: db), local: local)
            }
        }
        return try found.orThrow(.conflict("the account's chain, or the chain reverse, does not exist"))
    }

    func answer(_ call: GatewayCall, _ query: GatewayQuery, for caller: Caller) async throws -> GatewayAnswer {
        let settings = try await settings(of: caller.account)
        let key = Owned(account: caller.account, key: Asked(subject: query.subject, isLocal: query.isLocal))
        if let known = found[key] { return reply(known, query, call.language, settings, caller) }
        let subject: Question.Subject
        switch query.subject {
        case .nothing: return GatewayAnswer([], .local)
        case .places(let numbers): return try await places(numbers, query, call.language, settings, caller)
        case .coordinate(let place): subject = .coordinate(place)
        case .address(let address): subject = .address(address)
        case .line(let line, let country):
            subject = .address(Address(line: line, beside: Address(country: country)))
        }
        return try await ask(subject, query, call.language, settings, caller) { [found] in found[key] = $0 }
    }

    private func reply(
        _ found: Found, _ query: GatewayQuery, _ language: Language?, _ settings: Settings, _ caller: Caller
    ) -> GatewayAnswer {
        let shown = found.places.map { place in
            let shown = show(place, query, language, settings)
            recent[Owned(account: caller.account, key: shown.number)] = place
            return shown
        }
        return GatewayAnswer(narrowed(shown, by: query), found.source)
    }

    // MARK: Asking

    private func ask(
        _ subject: Question.Subject, _ query: GatewayQuery, _ language: Language?, _ settings: Settings,
        _ caller: Caller, keeping keep: (Found) -> Void
    ) async throws -> GatewayAnswer {
        let isReverse = subject.coordinate != nil
        let chain = isReverse ? settings.reverse : settings.forward
        let hash = subject.hash
        func reply(_ places: [Place], _ source: GatewayAnswer.Source) -> GatewayAnswer {
            let found = Found(places: places, source: source)
            if source == .local || source == .cache { keep(found) }
            return self.reply(found, query, language, settings, caller)
        }
        if let area = area(subject.address) { return reply([area], .local) }
        async let walking = walk(subject, along: chain, settings, mending: TownMender())
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
        var question: QuestionState?
        do {
            let asked: QuestionState
            switch subject {
            case .address(let address): asked = try await reader.asked.value(of: NewQuestion(address))
            case .coordinate:
                asked = try await backend.database(of: caller.account).withoutLimit.transaction { db in
                    try QuestionQueue().askNow(subject, along: "reverse", on: db)
                }
            }
            question = asked
            let ended = asked.isOver ? asked : try await reader.watch.answer(to: hash, within: caller.manners.wait)
            _ = reader.watch.end(hash)
            if let ended {
                return reply((ended.place.map { [$0] } ?? []) + walk.places, asked.isOver ? .cache : .call)
            }
        } catch {
            if reader.watch.end(hash), Task.isCancelled, let id = question?.id { await backend.leave(id, caller) }
            throw error
        }
        if caller.manners.late == .coarse, walk.answer != nil {
            let coarse = reply(walk.places, .waiting)
            if !coarse.places.isEmpty { return coarse }
        }
        // Meanwhile it may have gone on to another provider of its chain.
        let job = try await reader.stored.value(of: hash)?.job
        return GatewayAnswer([], .waiting, retryAfter: try await backend.wait(for: job, caller))
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

    /// The places with these numbers, in their order. They are looked up at once, so that they share statements.
    private func places(
        _ numbers: [PlaceNumber], _ query: GatewayQuery, _ language: Language?, _ settings: Settings, _ caller: Caller
    ) async throws -> GatewayAnswer {
        let found = try await withThrowingTaskGroup { group in
            for (index, number) in numbers.enumerated() {
                group.addTask { (index, try await self.place(number, query, language, settings, caller)) }
            }
            return try await group.reduce(into: [Int: GatewayPlace]()) { found, one in found[one.0] = one.1 }
        }
        return GatewayAnswer(numbers.indices.compactMap { found[$0] }, .local)
    }

    private func place(
        _ number: PlaceNumber, _ query: GatewayQuery, _ language: Language?, _ settings: Settings, _ caller: Caller
    ) async throws -> GatewayPlace? {
        var query = query
        guard let own = number.own else {
            guard number.kind == .relation else { return nil }
            for (lane, provider) in settings.local {
                guard let found = try await provider.area(number.id) else { continue }
                let place = Place(
                    placemark: found.placemark, precision: found.precision, areaConfidence: 1, provider: lane)
                return show(place, query, language, settings, number: number)
            }
            return nil
        }
        query.finest = own.kind
        var found = query.isLocal ? nil : recent[Owned(account: caller.account, key: number)]
        if found == nil {
            switch own.subject {
            case .country(let code): found = area(Address(country: code))
            case .coordinate(let place):
                found = try await walk(.coordinate(place), along: settings.reverse, settings).places.first
            }
        }
        let shown = found.map { show($0, query, language, settings, number: number) }
        return shown?.kind == own.kind ? shown : nil
    }

    private func walk(
        _ subject: Question.Subject, along chain: Chain, _ settings: Settings, mending: TownMender? = nil
    ) async throws -> LocalWalk {
        try await LocalWalk(subject, along: chain, mending: mending) { lane in
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

    /// `areas` returns those of several relations.
    package init(
        _ provider: any GeocodingProvider,
        areas: @escaping @Sendable ([Int]) async throws -> [Int: Candidate] = { _ in [:] }
    ) {
        terms = provider.terms
        let relations = Gathered<Int, Candidate?> { ids in
            let found = try await areas(ids)
            return ids.map { found[$0] }
        }
        area = { try await relations.value(of: $0) }
        let addresses = Gathered<Query, Geocoding.Answer> { try await provider.geocode($0) }
        let coordinates = Gathered<Coordinate, Geocoding.Answer> { try await provider.reverseGeocode($0) }
        look = { query, coordinate in
            if let query { return try await addresses.value(of: query) }
            guard let coordinate else { return .notFound }
            return try await coordinates.value(of: coordinate)
        }
    }
}

extension [GatewayPlace] {
    fileprivate func divided(_ isFirst: (GatewayPlace) -> Bool) -> (first: Self, rest: Self) {
        (filter(isFirst), filter { !isFirst($0) })
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
