package import Geocoding
package import Questions

/// The descriptions of the two confidences, in all shapes.
package let confidenceHelp = "The probability that the point is the one asked for: a house within 200 metres."
package let areaConfidenceHelp = "The probability that it is right at its own precision, such as the right town."

/// A place with its names, as its provider found it.
package struct FoundPlaceView: Shaped {
    let place: Place
    private let names: PlaceNames

    /// Without a `language`, the name of the country is the provider's, or in English.
    package init(_ place: Place, in language: Language? = nil) {
        (self.place, names) = (place, PlaceNames(place.placemark, in: language))
    }

    package static let shape = Shape<FoundPlaceView>("FoundPlace", "A place that a provider found.") {
        Member("latitude", example: 39.5296) { $0.place.placemark.coordinate.latitude }.bounds(-90, 90)
        Member("longitude", example: -119.8138) { $0.place.placemark.coordinate.longitude }.bounds(-180, 180)
        Member("precision", example: .city) { $0.place.precision }
        Member("confidence", confidenceHelp, example: 0.9) { $0.place.confidence }.bounds(0, 1)
        Member("area_confidence", areaConfidenceHelp, example: 0.9) { $0.place.areaConfidence }.bounds(0, 1)
        Member("provider", example: "gazetteer") { $0.place.provider }
        Member("matched_address", "The place on one line, as its country writes addresses.", example: "Reno, NV") {
            $0.place.placemark.matchedAddress
        }
        Including { $0.names }
    }
}

/// The names of a place, with the members that the library's `Placemark` decodes. They are null if its provider gave
/// none.
package struct PlaceNames: Shaped {
    private let names: Placemark?
    private let countryName: String?

    package init(_ names: Placemark?, in language: Language?) {
        self.names = names
        let code = names?.countryCode
        countryName =
            code.flatMap { language?.countryName($0) } ?? names?.countryName ?? code.flatMap { Country($0)?.name }
    }

    package static let shape = Shape<PlaceNames>("", "") {
        Member("name") { $0.names?.name }
        Member("street") { $0.names?.thoroughfare }
        Member("house_number") { $0.names?.subThoroughfare }
        Member("city", example: "Reno") { $0.names?.locality }
        Member("neighbourhood") { $0.names?.subLocality }
        Member("region", example: "Nevada") { $0.names?.administrativeArea }
        Member("county") { $0.names?.subAdministrativeArea }
        Member("postcode") { $0.names?.postalCode }
        Member("country_code", example: "US") { $0.names?.countryCode }
        Member("country", "In the language of `Accept-Language`.", example: "United States") { $0.countryName }
    }
}

/// A place that a question may take, compared part by part with the question.
package struct CandidateView: Shaped {
    let place: Place
    /// Nil for the question of a coordinate.
    let compared: Comparison?

    init(_ place: Place, for subject: Question.Subject) {
        self.place = place
        compared = subject.address.map { address in
            Comparison(matches: Confidence(of: Candidate(place.placemark, place.precision), for: address).components)
        }
    }

    package static let shape = Shape<CandidateView>("Candidate", "A place that a question may take.") {
        Including { FoundPlaceView($0.place) }
        Member("is_weak", "True if it is coarser than the question.") { $0.place.isWeak }
        Member("step", "The step of its provider.", example: .structured) { $0.place.step }
        Member("days", "How long its provider permits storing it; null without a limit.") { $0.place.days }
        Member("compared", "The parts of the question; null for a coordinate.") { $0.compared }
    }

    package struct Comparison: Shaped {
        let matches: [Confidence.Component: Match]

        package static let shape = Shape<Comparison>("", "") {
            for part in Confidence.Component.allCases {
                Member(part == .houseNumber ? "house_number" : part.rawValue, example: .same) {
                    $0.matches[part] ?? .unasked
                }
            }
        }
    }
}

extension Match: JSONRepresentable {}

extension QuestionDetails: Shaped {
    package static let shape = Shape<QuestionDetails>("Question", "A question with what was found.") {
        Member("id", example: 7) { $0.id }.bounds(1)
        Member("address") { $0.subject.address }
        Member(ifAny: "coordinate", "In place of the address, for a coordinate.") { $0.subject.coordinate }
        Member("status", example: .needsReview) { $0.status }
        Member("reason", "Why it has no place, or a coarse one.", example: "two places fit equally well") { $0.reason }
        Member("provider", "The provider that was called last.", example: "nominatim") { $0.provider }
        Member("is_pinned", "True if a person decided it.") { $0.isPinned }
        Member("is_shared", "True if it took the answer of another spelling or unit.") { $0.isShared }
        Member("is_under_way", "True if it is in a job.") { $0.job != nil }
        Member("place") { question in question.place.map { CandidateView($0, for: question.subject) } }
        Member(ifAny: "place_so_far", "While it waits: the best place so far.") { question in
            question.soFar?.place.map { CandidateView($0, for: question.subject) }
        }
        Member(ifAny: "lane", "While it waits: the lane that it waits in.") { $0.soFar?.waitsFor }
        Member("candidates", "The best first.") { question in
            question.candidates.map { CandidateView($0, for: question.subject) }
        }
        Member("calls", "The calls before the last.") { $0.trail }
    }
}

extension QuestionDetails.Stretch: Shaped {
    package static let shape = Shape<QuestionDetails.Stretch>("", "") {
        Member("lane", example: "gazetteer") { $0.lane }
        Member("step", example: .structured) { $0.step }
        Member("result", example: "found city at 0.3") { $0.result }
    }
}

extension Address: Shaped {
    package static let shape = Shape<Address>("", "") {
        Member("street", example: "1 Main St") { $0.street }
        Member("city", example: "Reno") { $0.city }
        Member("region", example: "") { $0.region }
        Member("postcode", example: "") { $0.postcode }
        Member("country", example: "US") { $0.country }
    }
}

extension Coordinate: Shaped {
    package static let shape = Shape<Coordinate>("", "") {
        Member("latitude", example: 39.5296) { $0.latitude }.bounds(-90, 90)
        Member("longitude", example: -119.8138) { $0.longitude }.bounds(-180, 180)
    }
}
