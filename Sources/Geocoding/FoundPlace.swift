/// A place that a cluster found for an address: `place` in the replies of its API.
public struct FoundPlace: Hashable, Sendable {
    public let placemark: Placemark
    public let precision: Precision
    /// The probability that the point is the one asked for, from 0 to 1: for a house, that it is within 200 metres.
    public let confidence: Double?
    /// The probability that it is right at its own precision, such as the right town; nil from an older cluster.
    public let areaConfidence: Double?
    /// The name of the provider that found it.
    public let provider: String?
}

extension FoundPlace: Codable {
    private enum CodingKeys: String, CodingKey {
        case precision, confidence, provider
        case areaConfidence = "area_confidence"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        placemark = try Placemark(from: decoder)
        precision = try values.decode(Precision.self, forKey: .precision)
        confidence = try values.decodeIfPresent(Double.self, forKey: .confidence)
        areaConfidence = try values.decodeIfPresent(Double.self, forKey: .areaConfidence)
        provider = try values.decodeIfPresent(String.self, forKey: .provider)
    }

    public func encode(to encoder: any Encoder) throws {
        try placemark.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(precision, forKey: .precision)
        try values.encodeIfPresent(confidence, forKey: .confidence)
        try values.encodeIfPresent(areaConfidence, forKey: .areaConfidence)
        try values.encodeIfPresent(provider, forKey: .provider)
    }
}
