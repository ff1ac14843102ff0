package import Geocoding

/// The providers that are called for an address, their order and their conditions.
package struct Chain: Hashable, Sendable, Codable {
    /// The providers in their order. Never empty.
    package var links: [Link]

    /// An answer with this confidence ends the question, and no other provider is called.
    package var located: Double
    /// An answer with this confidence is shown to a person if no provider found a better one.
    package var review: Double

    /// How many days the answer "not found" is kept.
    package var keepNotFound: Int
    /// After how many days a failed question is asked again.
    package var keepFailed: Int

    /// True if another spelling of a known address, or another unit of its house, may take its answer.
    package var sharesHouses: Bool

    /// The least time between two calls for one question. A provider without streets, such as the gazetteer, is called
    /// without it.
    package var pauseSeconds = 0
    /// The order of the parts of an address that is sent on one line.
    package var lineOrder = Query.LineOrder.postcodeFirst

    package init(
        _ links: [Link], located: Double = Thresholds().located, review: Double = Thresholds().review,
        keepNotFound: Int = 90, keepFailed: Int = 7, sharesHouses: Bool = true
    ) {
        (self.links, self.located, self.review) = (links, located, review)
        (self.keepNotFound, self.keepFailed, self.sharesHouses) = (keepNotFound, keepFailed, sharesHouses)
    }

    /// One provider, with its conditions.
    package struct Link: Hashable, Sendable, Codable {
        package var lane: String

        /// Only addresses in one of these countries, by their codes; nil for all.
        package var countries: [String]?
        /// Only if the best answer so far has less confidence than this.
        package var below: Double?
        /// A coarser answer does not end the question, however sure it is.
        package var stopAt: Precision?
        /// The steps of the ladder that may cost a call; nil for all.
        package var steps: [LadderStep]?

        package init(
            _ lane: String, countries: [String]? = nil, below: Double? = nil, stopAt: Precision? = nil,
            steps: [LadderStep]? = nil
        ) {
            (self.lane, self.countries, self.below) = (lane, countries, below)
            (self.stopAt, self.steps) = (stopAt, steps)
        }

        /// True if it has no conditions.
        package var isPlain: Bool { self == Self(lane) }
    }
}

extension Chain {
    /// The most seconds of a pause: a day.
    package static let pauses = 0...86_400

    /// Returns the first link from `start` on whose conditions hold; nil at the chain's end.
    package func link(from start: Int, country: String?, best: Double?) -> Int? {
        links.indices.first { index in
            guard index >= start else { return false }
            let link = links[index]
            let isThere = link.countries.map { countries in country.map(countries.contains) ?? false } ?? true
            return isThere && (best ?? 0) < link.below ?? .infinity
        }
    }

    /// True if any condition depends on the country of the address.
    package var asksForCountry: Bool { links.contains { $0.countries != nil } }

    /// Returns the link at which a question begins; the last link if no condition holds.
    package func start(of subject: Question.Subject) -> Int {
        asksForCountry ? start(inCountry: subject.country) : 0
    }

    /// Returns the same for an address in the country with this code.
    package func start(inCountry country: String?) -> Int {
        link(from: 0, country: country, best: nil) ?? links.count - 1
    }

    /// Counts how many of these addresses begin at each link, in the order of the links.
    func starts(of addresses: [Address]) -> [(link: Int, count: Int)] {
        guard asksForCountry else { return [(0, addresses.count)] }
        let counts = Dictionary(addresses.map { (start(of: .address($0)), 1) }, uniquingKeysWith: +)
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension Chain {
    /// Members that are missing in a plan written by hand get their default.
    package init(from decoder: any Decoder) throws {
        let plan = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try plan.decode([Link].self, forKey: .links))
        located = try plan.decodeIfPresent(Double.self, forKey: .located) ?? located
        review = try plan.decodeIfPresent(Double.self, forKey: .review) ?? review
        keepNotFound = try plan.decodeIfPresent(Int.self, forKey: .keepNotFound) ?? keepNotFound
        keepFailed = try plan.decodeIfPresent(Int.self, forKey: .keepFailed) ?? keepFailed
        sharesHouses = try plan.decodeIfPresent(Bool.self, forKey: .sharesHouses) ?? sharesHouses
        pauseSeconds = try plan.decodeIfPresent(Int.self, forKey: .pauseSeconds) ?? pauseSeconds
        lineOrder = try plan.decodeIfPresent(Query.LineOrder.self, forKey: .lineOrder) ?? lineOrder
    }
}

extension Chain.Link {
    /// `nominatim:countries=DE,AT:below=0.6:stop=rooftop:steps=structured,free form`, the form in commands.
    package var words: String {
        var parts = [lane]
        if let countries { parts.append("countries=" + countries.joined(separator: ",")) }
        if let below { parts.append("below=\(below)") }
        if let stopAt { parts.append("stop=\(stopAt.rawValue)") }
        if let steps { parts.append("steps=" + steps.map(\.rawValue).joined(separator: ",")) }
        return parts.joined(separator: ":")
    }
}
