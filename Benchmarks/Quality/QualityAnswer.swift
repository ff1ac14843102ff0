import Geocoding

/// The answer for one row.
struct QualityAnswer {
    enum Outcome { case right, wrong, far, review, none }

    let id: String
    let status: String
    let precision: String
    let confidence: Double?
    let coordinate: Coordinate?

    init(_ row: [String: String]) {
        id = row["id"] ?? ""
        status = row["status"] ?? ""
        precision = row["precision"] ?? ""
        confidence = row["area_confidence"].flatMap(Double.init)
        coordinate = Double(row["latitude"] ?? "").flatMap { latitude in
            Double(row["longitude"] ?? "").flatMap { Coordinate(latitude: latitude, longitude: $0) }
        }
    }

    /// A sure answer, or none.
    init(id: String, _ coordinate: Coordinate?) {
        self.id = id
        status = coordinate == nil ? "not_found" : "located"
        precision = ""
        confidence = nil
        self.coordinate = coordinate
    }

    func isRight(_ place: TruthPlace) -> Bool { coordinate.map { $0.kilometres(to: place.coordinate) <= 10 } ?? false }

    func outcome(_ place: TruthPlace) -> Outcome {
        if status == "needs_review" { return .review }
        guard status == "located", let coordinate else { return .none }
        let distance = coordinate.kilometres(to: place.coordinate)
        return distance <= 10 ? .right : distance <= 50 ? .wrong : .far
    }
}

extension Coordinate {
    func kilometres(to other: Coordinate) -> Double { distance(to: other) / 1_000 }
}

/// The number of answers with each outcome.
struct QualityCount {
    var right = 0
    var wrong = 0
    var far = 0
    var review = 0
    var none = 0

    var all: Int { right + wrong + review + none }

    mutating func add(_ outcome: QualityAnswer.Outcome) {
        switch outcome {
        case .right: right += 1
        case .wrong: wrong += 1
        case .far:
            wrong += 1
            far += 1
        case .review: review += 1
        case .none: none += 1
        }
    }
}
