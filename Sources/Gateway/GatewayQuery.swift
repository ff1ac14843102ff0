package import Geocoding
package import HTTP

/// A question of a program, in one form for all doors.
package struct GatewayQuery: Sendable {
    package enum Subject: Hashable, Sendable {
        case address(Address)
        /// An address on one line, in this country if one is named.
        case line(String, country: String)
        case coordinate(Coordinate)
        /// Places of earlier replies.
        case places([PlaceNumber])
        /// A valid question that has no answer, such as a coordinate that is not on Earth.
        case nothing
    }

    package var subject: Subject
    package var limit = 10
    /// The codes of the only countries; nil for all.
    package var countries: Set<String>?
    package var box: Box?
    /// Places outside the box are left out. Otherwise they only come later.
    package var isBounded = false
    /// Of places that are equally good, the nearest one comes first.
    package var near: Coordinate?
    /// The only kinds of places; nil for all.
    package var kinds: Set<PlaceKind>?
    /// The finest kind in the reply.
    package var finest = PlaceKind.house
    /// Only data of our own may answer, and no provider's answer: a person is still typing, or a page of another site
    /// asks without a token.
    package var isLocal = false

    package init(_ subject: Subject) { self.subject = subject }
}

/// A rectangle on the map. Its west may lie east of its east: then it crosses the meridian of 180 degrees.
package struct Box: Hashable, Sendable {
    package let south, north, west, east: Double

    package func contains(_ place: Coordinate) -> Bool {
        guard (south...north).contains(place.latitude) else { return false }
        return west <= east
            ? (west...east).contains(place.longitude) : place.longitude >= west || place.longitude <= east
    }

    /// The corners in any order, as most services take them; nil if one is not a finite number.
    init?(_ numbers: [Double]) {
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
        let latitudes = [numbers[1], numbers[3]].map { min(max($0, -90), 90) }
        let longitudes = [numbers[0], numbers[2]].map { min(max($0, -180), 180) }
        (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
        (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
    }

    /// Around a point, by degrees in each direction.
    init(around place: Coordinate, _ reach: Double) {
        (south, north) = (max(place.latitude - reach, -90), min(place.latitude + reach, 90))
        (west, east) = (max(place.longitude - reach, -180), min(place.longitude + reach, 180))
    }
}

/// The kinds of places, from fine to coarse.
package enum PlaceKind: Int, CaseIterable, Comparable, Sendable {
    case house, street, part, town, postcode, county, region, country

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// The reply to a question.
package struct GatewayAnswer: Sendable {
    /// How it was found.
    package enum Source: String, CaseIterable, Sendable {
        /// From data of our own: the gazetteer, points, regions.
        case local
        /// From an answer that was stored.
        case cache
        /// From a call that the question waited for.
        case call
        /// It still waits for a call. Its places, if there are any, are coarser than asked.
        case waiting
    }

    /// The best first.
    package var places: [GatewayPlace]
    package var source: Source
    /// When the answer to a question that waits will be there.
    package var retryAfter: Duration?
    /// True if the search is over and nothing was found.
    package var isMiss: Bool

    package init(_ places: [GatewayPlace], _ source: Source, retryAfter: Duration? = nil) {
        (self.places, self.source, self.retryAfter) = (places, source, retryAfter)
        isMiss = places.isEmpty && source != .waiting
    }
}

/// A request that a door refuses. The door writes it in its own form.
package struct GatewayRefusal: Error, Hashable {
    package let status: Int
    package let sentence: String
    package var headers: HTTPHeaders = [:]

    package init(_ status: Int, _ sentence: String, _ headers: HTTPHeaders = [:]) {
        (self.status, self.sentence, self.headers) = (status, sentence, headers)
    }
}
