import Geocoding

/// Postcodes in the spelling of the gazetteer.
package enum PostcodeText {
    package static func key(_ postcode: String, in country: String) -> String {
        PostcodeKey(postcode, in: country.isEmpty ? nil : country).text
    }

    /// The part of a postcode that has a row, in countries for which GeoNames has no whole postcodes.
    package static func area(of key: String, in country: String) -> String {
        switch country {
        case "GB" where key.utf8.count > 4: String(key.dropLast(3))
        case "CA" where key.utf8.count > 3, "IE" where key.utf8.count > 3, "MT" where key.utf8.count > 3:
            String(key.prefix(3))
        // `C1043AAZ`: a province, the old postcode, and a side of a street.
        case "AR" where key.utf8.count == 8 || key.utf8.count == 5: String(key.dropFirst().prefix(4))
        case "PT" where key.utf8.count == 7: String(key.prefix(4))
        case "NL" where key.utf8.count > 4: String(key.prefix(4))
        case "US" where key.utf8.count > 5: String(key.prefix(5))
        default: ""
        }
    }

    /// The country in the letters before a number, and the number: `D-80331`. Nil for other postcodes.
    package static func signed(_ postcode: String) -> (country: String, key: String)? {
        guard let dash = postcode.firstIndex(of: "-") else { return nil }
        let (sign, number) = (String(postcode[..<dash]), postcode[dash...].dropFirst())
        guard (1...3).contains(sign.utf8.count), (3...7).contains(number.utf8.count),
            number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == " ") })
        else { return nil }
        return PostcodeKey.country(ofSign: sign).map { ($0, number.filter { $0 != " " }) }
    }
}
