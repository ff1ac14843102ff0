import Geocoding
import JSON

/// The house in a feature of GeoJSON, with the names of OpenAddresses or of OpenStreetMap.
struct PointFeature {
    private let properties: [String: JSONValue]
    private let geometry: JSONValue?

    init(_ bytes: [UInt8]) throws(PointOmission) {
        guard let members = (try? JSONValue(parsing: bytes))?.object else { throw .malformed }
        properties = members["properties"]?.object ?? [:]
        geometry = members["geometry"]?.object?["coordinates"]
    }

    /// The points of the house: OpenStreetMap writes several numbers of one house as `5;7`.
    func points(_ reading: inout PointReading) throws(PointOmission) -> [AddressPoint] {
        let number = text("addr:housenumber", "number")
        if number.isEmpty { throw .noNumber }
        let street = text("addr:street", "street", "addr:place")
        let (city, postcode) = (text("addr:city", "city"), text("addr:postcode", "postcode"))
        if street.isEmpty, city.isEmpty { throw .noStreet }
        if city.isEmpty, postcode.isEmpty { throw .noTown }
        if [number, street, city, postcode].contains(where: { $0.utf8.count > PointReading.longestText }) {
            throw .malformed
        }
        guard let centre else { throw .noPosition }
        let whole = AddressPoint(
            number: number, street: street, city: city, district: text("addr:suburb", "addr:district", "district"),
            region: text("addr:state", "addr:province", "region"), postcode: postcode,
            countryCode: try reading.code(text("addr:country", "country")),
            coordinate: try reading.coordinate(x: centre.x, y: centre.y))
        return number.split { $0 == ";" || $0 == "," }.map { part in
            var point = whole
            point.number = part.trimmed
            return point
        }
    }

    private func text(_ names: String...) -> String {
        for name in names {
            if let text = properties[name]?.written?.trimmed, !text.isEmpty { return text }
        }
        return ""
    }

    /// The point, or the centre of the box around the building.
    private var centre: (x: Double, y: Double)? {
        var box = (left: Double.infinity, right: -Double.infinity, bottom: Double.infinity, top: -Double.infinity)
        func extend(_ value: JSONValue) {
            guard let items = value.list else { return }
            guard let x = items.first?.number, let y = items.dropFirst().first?.number else {
                return items.forEach(extend)
            }
            box = (min(box.left, x), max(box.right, x), min(box.bottom, y), max(box.top, y))
        }
        geometry.map(extend)
        return box.left <= box.right ? ((box.left + box.right) / 2, (box.bottom + box.top) / 2) : nil
    }
}
