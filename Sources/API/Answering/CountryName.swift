import Geocoding
import HTTP

extension APIRequest {
    /// The client's preferred language in `Accept-Language`; nil without that header:
    /// https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4
    var wantedLanguage: Language? {
        let listed = http.headers.values("Accept-Language").flatMap { $0.split(separator: ",") }
        let ranked = listed.enumerated().compactMap { place, item -> (tag: Substring, weight: Double, place: Int)? in
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let tag = parts.first else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return weight > 0 ? (tag[...], weight, place) : nil
        }
        return ranked.max { ($0.weight, -$0.place) < ($1.weight, -$1.place) }.map { Language($0.tag) }
    }
}
