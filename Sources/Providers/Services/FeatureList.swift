/// A list of places as GeoJSON: https://www.rfc-editor.org/rfc/rfc7946
struct FeatureList<Properties: Decodable>: Decodable {
    let features: [Feature]

    struct Feature: Decodable {
        let geometry: Point
        let properties: Properties
    }

    /// The longitude comes first, unlike in common usage.
    struct Point: Decodable {
        let latitude: LenientNumber
        let longitude: LenientNumber

        private enum CodingKeys: String, CodingKey {
            case coordinates
        }

        init(from decoder: any Decoder) throws {
            var degrees = try decoder.container(keyedBy: CodingKeys.self).nestedUnkeyedContainer(forKey: .coordinates)
            longitude = try degrees.decode(LenientNumber.self)
            latitude = try degrees.decode(LenientNumber.self)
        }
    }
}
