import Foundation
import Geocoding

/// A place whose coordinate comes from another source than the gazetteer's.
struct TruthPlace: Sendable {
    enum Kind: String {
        case city, town, village, hamlet
    }

    let id: String
    let source: String
    let kind: Kind
    let name: String
    let region: String
    let regionCode: String
    /// True if people in this country write the region, or the name needs it.
    let asksRegion: Bool
    let postcode: String
    let country: Country
    let coordinate: Coordinate

    /// Tune settings on one half only. The held-out half shows whether they are better.
    var isHeldOut: Bool { TruthNumbers.hash(id) & 1 == 1 }
}

extension TruthPlace {
    /// All places in the `.tsv` files of a folder, in a meaningless order.
    static func read(folder: String) throws -> [TruthPlace] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = all.filter { $0.hasSuffix(".tsv") }
        guard !files.isEmpty else {
            throw Options.Mistake("no .tsv file in \(folder); its README says what stands in one")
        }
        var places: [String: TruthPlace] = [:]
        for file in files.sorted() {
            let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            for (number, line) in text.split(separator: "\n").enumerated().dropFirst() {
                guard let place = TruthPlace(line) else {
                    throw Options.Mistake("line \(number + 1) of \(folder)/\(file) is no place")
                }
                places[place.id] = place
            }
        }
        return places.values.sorted { (TruthNumbers.hash($0.id), $0.id) < (TruthNumbers.hash($1.id), $1.id) }
    }

    private init?(_ line: Substring) {
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard cells.count == 11, let kind = Kind(rawValue: cells[2]), let country = Country(cells[8]),
            let latitude = Double(cells[9]), let longitude = Double(cells[10]),
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        self.init(
            id: cells[0], source: cells[1], kind: kind, name: cells[3], region: cells[4], regionCode: cells[5],
            asksRegion: cells[6] == "1", postcode: cells[7], country: country, coordinate: coordinate)
    }
}

/// Numbers that are equal in every run, for a place and a purpose.
struct TruthNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ texts: String...) {
        state = Self.hash(texts.joined(separator: "\u{1F}"))
    }

    /// FNV-1a, with its bits mixed.
    static func hash(_ text: String) -> UInt64 {
        mixed(text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        var z = number
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
