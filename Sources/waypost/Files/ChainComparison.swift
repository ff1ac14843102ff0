import Formats
import Geocoding
import Questions
import Terminal
import Wording

/// The results of two chains for the same addresses. It contains no part of an address.
struct ChainComparison: Sendable {
    struct End: Sendable {
        let status: GeocodeStatus
        let place: GradedCandidate?
    }

    struct Row: Sendable {
        /// The line where the contact begins in the file, and the number of the address in the contact.
        let line, position: Int
        /// The results of both chains.
        let ends: [End]
        /// The distance between the two places; nil unless both chains found one.
        let metres: Double?
        /// The chain with the better result; nil if both are equal.
        let better: Int?

        /// `located` is the confidence from which an answer counts as located.
        init(line: Int, position: Int, ends: [End], located: Double) {
            (self.line, self.position, self.ends) = (line, position, ends)
            switch (ends[0].place, ends[1].place) {
            case (let one?, let other?):
                metres = one.placemark.coordinate.distance(to: other.placemark.coordinate)
                better =
                    one.isBetter(than: other, located: located)
                    ? 0 : other.isBetter(than: one, located: located) ? 1 : nil
            case (nil, nil): (metres, better) = (nil, nil)
            case (let one, _): (metres, better) = (nil, one == nil ? 1 : 0)
            }
        }
    }

    let chains: [String]
    let distinct: Int
    let rows: [Row]

    private static let shown = 10

    func count(_ chain: Int, _ status: GeocodeStatus) -> Int { rows.count { $0.ends[chain].status == status } }

    func weak(_ chain: Int) -> Int { rows.count { $0.ends[chain].place?.isWeak == true } }

    func better(_ chain: Int?) -> Int { rows.count { $0.better == chain } }

    /// Sorted from the smallest to the largest.
    var distances: [Double] { rows.compactMap(\.metres).sorted() }

    /// The rows with the largest distances.
    var differences: [Row] {
        Array(rows.filter { ($0.metres ?? 0) >= 1 }.sorted { ($0.metres ?? 0) > ($1.metres ?? 0) }.prefix(Self.shown))
    }
}

extension [Double] {
    /// The quantile of a sorted list.
    func quantile(_ share: Double) -> Double? {
        isEmpty ? nil : self[Swift.min(count - 1, Int(Double(count) * share))]
    }
}

extension ChainComparison {
    func write(to screen: Screen) {
        var table = Table(
            .left("CHAIN"), .right("LOCATED"), .right("WEAK"), .right("TO REVIEW"), .right("NOT FOUND"),
            .right("FAILED"), .right("BETTER"))
        for (index, name) in chains.enumerated() {
            table.add(
                name, share(count(index, .located)), share(weak(index)), share(count(index, .needsReview)),
                share(count(index, .notFound)), share(count(index, .failed)), share(better(index)))
        }
        table.write(to: screen)
        screen.writeLine("Equally good: \(share(better(nil))).")
        let distances = distances
        if let median = distances.quantile(0.5), let most = distances.quantile(0.9), let farthest = distances.last {
            screen.writeLine(
                "Both located \(share(distances.count)): half of them within \(Self.metres(median)), nine of ten within "
                    + "\(Self.metres(most)), the farthest \(Self.metres(farthest)).")
        }
        let differences = differences
        guard !differences.isEmpty else { return }
        var list = Table(
            .right("LINE"), .right("ADDRESS"), .right("APART"), .left(chains[0]), .left(chains[1]), .left("BETTER"))
        for row in differences {
            list.add(
                "\(row.line)", "\(row.position)", row.metres.map(Self.metres) ?? "-", row.ends[0].words,
                row.ends[1].words, row.better.map { chains[$0] } ?? "equal")
        }
        list.write(to: screen)
    }

    /// `12 (40 %)`
    private func share(_ number: Int) -> String {
        let percent = rows.isEmpty ? 0 : Int((Double(number) * 100 / Double(rows.count)).rounded())
        return "\(Readable.count(number)) (\(percent) %)"
    }

    private static func metres(_ metres: Double) -> String { "\(Readable.count(Int(metres.rounded()))) m" }

    /// Writes all rows as CSV.
    func write(to path: String) throws {
        let file = try OutputFile(path: path)
        let ends = ["status", "precision", "confidence", "weak", "provider", "latitude", "longitude"]
        let names =
            ["line", "address"] + chains.flatMap { chain in ends.map { "\(chain)_\($0)" } } + ["metres", "better"]
        try file.write(Array((names.joined(separator: ",") + "\r\n").utf8))
        for row in rows {
            let cells =
                ["\(row.line)", "\(row.position)"] + row.ends.flatMap(\.cells)
                + [row.metres.map { "\(Int($0.rounded()))" } ?? "", row.better.map { chains[$0] } ?? "equal"]
            try file.write(Array((cells.joined(separator: ",") + "\r\n").utf8))
        }
        try file.commit()
    }
}

extension ChainComparison.End {
    /// `rooftop 0.92 by nominatim`
    fileprivate var words: String {
        place.map { "\($0.precision.rawValue) \($0.confidenceText) by \($0.provider)" } ?? status.words
    }

    /// The cells contain no comma and no quote.
    fileprivate var cells: [String] {
        [
            status.rawValue, place?.precision.rawValue ?? "", place?.confidenceText ?? "",
            place.map { $0.isWeak ? "yes" : "no" } ?? "", place?.provider ?? "",
            place.map { "\($0.placemark.coordinate.latitude)" } ?? "",
            place.map { "\($0.placemark.coordinate.longitude)" } ?? "",
        ]
    }
}
