import Foundation
import Geocoding

/// A made-up house in a real town, as people write it.
struct WrittenPlace {
    private let custom: PostalCustom
    var house: String
    var town: String
    var region: String
    var postcode: String
    var country: String

    init(_ place: TruthPlace) {
        var random = TruthNumbers(place.id, "house")
        let code = place.country.code
        custom = PostalCustom(of: code)
        let number = "\(Int.random(in: 1...180, using: &random))"
        let street = custom.streets.randomElement(using: &random) ?? "Main Street"
        house = custom.numberComesFirst ? number + " " + street : street + custom.comma + number
        town = LocalNames.of(place.name, in: code).flatMap { Bool.random(using: &random) ? $0 : nil } ?? place.name
        let hasCode = ["US", "CA", "AU", "BR", "IT"].contains(code) && !place.regionCode.isEmpty
        region =
            !place.asksRegion || place.region == place.name && !hasCode ? "" : hasCode ? place.regionCode : place.region
        postcode = place.postcode
        country =
            ["US": "USA", "GB": "UK"][code].flatMap { Bool.random(using: &random) ? $0 : nil } ?? place.country.name
    }

    var columns: [String] { [house, town, region, postcode, country] }

    var line: String {
        [house, townLine, country].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The part of the address between the street and the country, without a region that does not belong to it.
    var shortTownLine: String {
        var written = self
        switch custom.townLine {
        case .postcodeTown, .townThenPostcode, .townPostcodeThenRegion: written.region = ""
        default: break
        }
        return written.townLine
    }

    /// The part of the address between the street and the country.
    var townLine: String {
        func words(_ texts: String...) -> String { texts.filter { !$0.isEmpty }.joined(separator: " ") }
        func parts(_ texts: String...) -> String { texts.filter { !$0.isEmpty }.joined(separator: ", ") }
        return switch custom.townLine {
        case .postcodeTown: parts(words(postcode, town), region)
        case .postcodeTownRegion: words(postcode, town, region)
        case .townRegionPostcode: parts(town, words(region, postcode))
        case .townRegionPostcodeWithoutComma: words(town, region, postcode)
        case .townThenPostcode: parts(town, region, postcode)
        case .townPostcodeThenRegion: parts(words(town, postcode), region)
        case .townDashRegionThenPostcode: parts(region.isEmpty ? town : town + " - " + region, postcode)
        }
    }

    func withoutCommas(_ text: String) -> String {
        text.replacing(", ", with: " ").replacing(",", with: " ")
    }

    /// Without any part that would reveal the town.
    var bare: WrittenPlace {
        var written = self
        (written.house, written.postcode) = ("", "")
        return written
    }

    /// With one letter of the town lost, doubled, swapped with its neighbour or mistaken for another. Nil for short
    /// names and for names in other scripts.
    func withTypo(_ random: inout TruthNumbers) -> WrittenPlace? {
        var letters = Array(town)
        let places = letters.indices.filter { letters[$0].isASCII && letters[$0].isLetter }
        guard places.count >= 4, places.count * 2 > letters.count,
            let place = places.dropFirst().randomElement(using: &random)
        else { return nil }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: letters.remove(at: place)
        case 1: letters.insert(letters[place], at: place)
        case 2 where place + 1 < letters.count && letters[place + 1] != letters[place] && letters[place + 1].isLetter:
            letters.swapAt(place, place + 1)
        default:
            let others = "abcdefghijklmnoprstuvwyz".filter { String($0) != letters[place].lowercased() }
            letters[place] = others.randomElement(using: &random) ?? "x"
        }
        var written = self
        written.town = String(letters)
        return written
    }
}
