import Geocoding

/// Reads one record of the Census geocoder's reply:
///
///     "7","1 Main St, Reno, NV, 89501","Match","Exact","1 MAIN ST, RENO, NV, 89501","-119.8,39.5","1234","L"
enum CensusMatch {
    /// Returns nil for a record of an unknown shape.
    static func answer(in record: [String]) -> Answer? {
        guard record.count >= 3 else { return nil }
        switch record[2] {
        // A tie is between several streets with that name. The reply contains none of them, so there is nothing to
        // choose from.
        case "No_Match", "Non_Match", "Tie": return .notFound
        case "Match": return match(in: record)
        default: return nil
        }
    }

    private static func match(in record: [String]) -> Answer? {
        guard record.count >= 6, let score = scores[record[3]], let coordinate = coordinate(record[5]) else {
            return nil
        }
        return .located(placemark(record[4], at: coordinate), .interpolated, score: score)
    }

    private static let scores = ["Exact": 1, "Non_Exact": 0.8]

    /// Longitude first.
    private static func coordinate(_ text: String) -> Coordinate? {
        let degrees = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard degrees.count == 2, let longitude = degrees[0], let latitude = degrees[1] else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Street, city, state, postcode.
    private static func placemark(_ address: String, at coordinate: Coordinate) -> Placemark {
        let parts = address.split(separator: ", ").map(String.init)
        guard parts.count == 4 else { return Placemark(coordinate: coordinate, name: address) }
        let words = parts[0].split(separator: " ", maxSplits: 1).map(String.init)
        let hasNumber = words.count == 2 && words[0].first?.isNumber == true
        return Placemark(
            coordinate: coordinate, thoroughfare: hasNumber ? words[1] : parts[0],
            subThoroughfare: hasNumber ? words[0] : nil, locality: parts[1], administrativeArea: parts[2],
            postalCode: parts[3], countryCode: CensusProvider.territories.contains(parts[2]) ? parts[2] : "US")
    }
}
