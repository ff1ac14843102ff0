import Geocoding

/// Recognizes mistyped names of countries: `Germny`, `Untied States`.
enum CountrySpelling {
    /// The code of the only country whose name is one typo away; nil for codes and other short texts.
    static func country(like text: String) -> String? {
        let key = Folding.canonical(text)
        guard key.utf8.count >= 5, key.utf8.count <= 60, !key.contains(where: \.isNumber) else { return nil }
        var codes: Set<String> = []
        Typos.forEach(of: Array(key.utf8)) { spelling in
            guard spelling.count >= 5 else { return }
            if let country = Country(folded: spelling) { codes.insert(country.code) }
        }
        return codes.count == 1 ? codes.first : nil
    }
}
