import Geocoding
import Processes
import Questions
import Shapes
import Terminal

extension Coordinate: OptionValue {
    package init?(word: String) {
        let parts = word.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0.drop { $0 == " " }) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    package var word: String { "\(latitude),\(longitude)" }
    package static var placeholder: String { "LAT,LON" }
    package static var expectation: String {
        "a latitude from -90 to 90 and a longitude from -180 to 180, like 60.17,24.94"
    }
}

extension Question.Subject {
    /// The question on one line.
    var line: String {
        switch self {
        case .coordinate(let coordinate): coordinate.word
        case .address(let address):
            Words.line([address.street, address.city, address.region, address.postcode, address.country])
        }
    }
}

extension Placemark {
    /// The place on one line, in the address format of its country; empty if its provider gave no names.
    var line: String { matchedAddress ?? "" }
}

extension Words {
    /// The non-blank parts on one line.
    static func line(_ parts: [String]) -> String {
        parts.flatMap { $0.split(whereSeparator: \.isNewline) }
            .map { $0.drop(while: \.isWhitespace) }.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension Words {
    /// `0.62`
    static func share(_ confidence: Double) -> String { "\((confidence * 100).rounded() / 100)" }
}

extension Place {
    var confidenceText: String { Words.share(confidence) }

    /// `gazetteer, structured`
    var finder: String { [provider, step?.rawValue].compactMap(\.self).joined(separator: ", ") }
}

extension QuestionDetails {
    func write(to screen: Screen) {
        var facts = Table(.left("QUESTION"), .left("\(id)"))
        facts.add(subjectTitle, subject.line)
        facts.add(
            "status", status.words + (isPinned ? ", by a person" : isShared ? ", as another spelling or unit" : ""))
        if let place = place ?? soFar?.place {
            let line = place.placemark.line
            if !line.isEmpty { facts.add(status == .waiting ? "place so far" : "place", line) }
            facts.add("coordinate", place.placemark.coordinate.word)
            facts.add("precision", place.weakness ?? place.precision.rawValue)
            facts.add("confidence", place.confidenceText)
            if place.isWeak { facts.add("area confidence", Words.share(place.areaConfidence)) }
            facts.add("found by", place.finder)
        } else if let provider {
            facts.add("asked last", provider)
        }
        if let soFar { facts.add("waits for", soFar.waitsFor) }
        if let reason { facts.add("reason", reason) }
        facts.write(to: screen)
        writeCandidates(to: screen)
        writeTrail(to: screen)
    }

    private var subjectTitle: String { if case .address = subject { "address" } else { "what is at" } }

    private func writeCandidates(to screen: Screen) {
        guard !candidates.isEmpty else { return }
        screen.writeLine()
        var table = Table(
            .right("CANDIDATE"), .left("PLACE"), .left("PRECISION"), .right("CONFIDENCE"), .left("FOUND BY"),
            .left("COORDINATE"))
        for (number, candidate) in candidates.enumerated() {
            table.add(
                "\(number + 1)", candidate.placemark.line, candidate.precision.rawValue, candidate.confidenceText,
                candidate.finder, candidate.placemark.coordinate.word)
        }
        table.write(to: screen)
    }

    private func writeTrail(to screen: Screen) {
        guard !trail.isEmpty else { return }
        screen.writeLine()
        var table = Table(.left("ASKED BEFORE"), .left("STEP"), .left("RESULT"))
        for stretch in trail { table.add(stretch.lane, stretch.step?.rawValue ?? "-", stretch.result) }
        table.write(to: screen)
    }
}
