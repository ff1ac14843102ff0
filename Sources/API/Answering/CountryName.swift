import Foundation
import Geocoding
import HTTP

extension Locale {
    /// The name of the country with this code in this language, from the Unicode CLDR; in English if the CLDR has none.
    func countryName(_ code: String) -> String? {
        let name = localizedString(forRegionCode: code)
        return name == nil || name == code ? Country(code)?.name : name
    }
}

extension APIRequest {
    /// The client's preferred language in `Accept-Language`; English without that header:
    /// https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4
    var locale: Locale {
        let listed = http.headers.values("Accept-Language").flatMap { $0.split(separator: ",") }
        let ranked = listed.enumerated().compactMap { place, item -> (tag: String, weight: Double, place: Int)? in
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let tag = parts.first, tag.wholeMatch(of: #/[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*/#) != nil else {
                return nil
            }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return weight > 0 ? (tag, weight, place) : nil
        }
        return Locale(identifier: ranked.max { ($0.weight, -$0.place) < ($1.weight, -$1.place) }?.tag ?? "en")
    }
}
