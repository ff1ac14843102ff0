import Formats
import Glibc

/// A line along which houses have numbers: https://wiki.openstreetmap.org/wiki/Addresses#Interpolation
struct InterpolationDraft {
    /// The text of `addr:interpolation`.
    let method: UInt32
    let address: RegionObjects.HouseAddress
    /// A range of `positions`.
    let line: Range<Int>
    let nodes: [Int64]

    /// A line with more houses is a mistake.
    static let mostHouses = 300
}

/// The numbers between those of two houses.
struct NumberSeries {
    /// Each with its share of the way from the first number to the last.
    let numbers: [(text: String, share: Double)]

    /// Nil if the two are not the ends of a series, or if there are too many numbers between them.
    init?(method: String, from first: String, to last: String) {
        if method == "alphabetic" {
            guard let start = Self.lettered(first), let end = Self.lettered(last), start.number == end.number else {
                return nil
            }
            self.init(from: Int(start.letter), to: Int(end.letter), step: 1, phase: 0) {
                start.number + String(UnicodeScalar(UInt8(clamping: $0)))
            }
        } else {
            let steps = ["even": 2, "odd": 2, "all": 1]
            guard let start = Int32(first), let end = Int32(last), let step = steps[method] ?? Int(method),
                (1...100).contains(step)
            else { return nil }
            // A first number of the wrong parity does not change the others.
            let phase = ["even": 0, "odd": 1][method] ?? Int(min(start, end))
            self.init(from: Int(start), to: Int(end), step: step, phase: phase) { String($0) }
        }
    }

    /// The numbers between two that differ from `phase` by a multiple of `step`.
    private init?(from start: Int, to end: Int, step: Int, phase: Int, text: (Int) -> String) {
        guard start != end, abs(end - start) / step <= InterpolationDraft.mostHouses else { return nil }
        let between = (min(start, end) + 1..<max(start, end)).filter { ($0 - phase) % step == 0 }
        numbers = between.map { (text($0), Double($0 - start) / Double(end - start)) }
    }

    /// `12b` as `12` and `b`.
    private static func lettered(_ text: String) -> (number: String, letter: UInt8)? {
        guard let letter = text.utf8.last, (UInt8(ascii: "A")...UInt8(ascii: "z")).contains(letter),
            text.utf8.dropLast().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return (String(text.dropLast()), letter)
    }
}

extension RegionReading {
    /// Adds the houses between the numbered nodes of each line of interpolation.
    func addInterpolatedHouses() {
        for draft in interpolations {
            let numbered = draft.nodes.indices.filter { numberedNodes[draft.nodes[$0]] != nil }
            var isUsed = false
            for (start, end) in zip(numbered, numbered.dropFirst()) where addHouses(on: draft, from: start, to: end) {
                isUsed = true
            }
            if !isUsed { objects.counts.unusedInterpolations += 1 }
        }
    }

    /// Adds the houses between two nodes of a line. False if their numbers are not a series.
    private func addHouses(on draft: InterpolationDraft, from start: Int, to end: Int) -> Bool {
        guard let first = numberedNodes[draft.nodes[start]].map({ objects.houses[$0] }),
            let last = numberedNodes[draft.nodes[end]].map({ objects.houses[$0] }),
            let series = NumberSeries(
                method: objects.texts[draft.method], from: objects.texts[first.number], to: objects.texts[last.number])
        else { return false }
        let line = objects.positions[draft.line.lowerBound + start...draft.line.lowerBound + end]
        let path = MeasuredPath(line.filter { $0 != .unknown })
        let address = draft.address.completed(by: objects.addresses[Int(first.address)])
            .completed(by: objects.addresses[Int(last.address)])
        for (text, share) in series.numbers {
            objects.houses.append(
                RegionObjects.House(
                    position: path.position(at: share), number: objects.texts.number(of: text),
                    address: number(of: address), kind: .interpolated))
            objects.counts.interpolatedHouses += 1
        }
        return true
    }
}

extension RegionObjects.HouseAddress {
    fileprivate func completed(by other: Self) -> Self {
        var result = self
        if street == 0, place == 0 { (result.street, result.place) = (other.street, other.place) }
        if city == 0 { result.city = other.city }
        if district == 0 { result.district = other.district }
        if postcode == 0 { result.postcode = other.postcode }
        return result
    }
}

/// A line with the distance of each position from its start.
struct MeasuredPath {
    private let positions: [MapPosition]
    private var distances: [Double] = []

    init(_ positions: [MapPosition]) {
        self.positions = positions
        var distance = 0.0
        for (index, position) in positions.enumerated() {
            if index > 0 {
                let before = positions[index - 1]
                let east = Double(position.longitude) - Double(before.longitude)
                let north = Double(position.latitude) - Double(before.latitude)
                // The length of a degree of longitude at this latitude.
                distance += hypot(north, east * cos(Double(position.latitude) / 1e7 * .pi / 180))
            }
            distances.append(distance)
        }
    }

    func position(at share: Double) -> MapPosition {
        guard let length = distances.last, let end = distances.firstIndex(where: { $0 >= length * share }), end > 0
        else {
            return positions.first ?? .unknown
        }
        let (before, after) = (positions[end - 1], positions[end])
        let piece = distances[end] - distances[end - 1]
        let part = piece > 0 ? (length * share - distances[end - 1]) / piece : 0
        func between(_ first: Int32, _ second: Int32) -> Int32 {
            Int32(clamping: Int64(Double(first) + (Double(second) - Double(first)) * part))
        }
        return MapPosition(
            latitude: between(before.latitude, after.latitude), longitude: between(before.longitude, after.longitude))
    }
}
