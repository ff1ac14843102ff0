import Geocoding

extension Placemark {
    /// What `geocodes.placemark` holds: the names that there are, as JSON, without the coordinate.
    ///
    /// Written by hand, for each answer of a worker goes through here, and by the keys of `Codable`, for it is read so.
    var namesAsJSON: String {
        var json: [UInt8] = [UInt8(ascii: "{")]
        func add(_ key: StaticString, _ value: String?) {
            guard let value else { return }
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json.append(UInt8(ascii: "\""))
            json.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
            json.append(contentsOf: "\":\"".utf8)
            for byte in value.utf8 {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
                // PostgreSQL has no texts with a zero in them.
                case 0: break
                case 1..<0x20: json += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
                default: json.append(byte)
                }
            }
            json.append(UInt8(ascii: "\""))
        }
        add("name", name)
        add("thoroughfare", thoroughfare)
        add("subThoroughfare", subThoroughfare)
        add("locality", locality)
        add("subLocality", subLocality)
        add("administrativeArea", administrativeArea)
        add("subAdministrativeArea", subAdministrativeArea)
        add("postalCode", postalCode)
        add("countryCode", countryCode)
        add("countryName", countryName)
        json.append(UInt8(ascii: "}"))
        return String(decoding: json, as: UTF8.self)
    }
}
