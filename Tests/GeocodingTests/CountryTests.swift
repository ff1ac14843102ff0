import Testing

@testable import Geocoding

struct CountryTests {
    @Test(arguments: [
        "FI": ["fi", "FIN", "Finland", "Suomi", " suomi ", "Finnland", "Финляндия", "フィンランド"],
        "US": ["US", "U.S.", "USA", "U.S.A.", "u s a", "The  United States of America", "EE. UU.", "США"],
        "GB": ["UK", "U.K.", "Great Britain", "England", "Scotland", "Wales", "Northern Ireland", "Royaume-Uni"],
        "CH": ["Schweiz", "Suisse", "Svizzera", "Svizra", "SUISSE", "スイス"],
        "DE": ["Deutschland", "DEU", "Allemagne", "Bundesrepublik Deutschland"],
        "JP": ["日本", "Japan", "Nippon", "JPN"],
        "RU": ["Россия", "россия", "Russian Federation", "Russie"],
        "NL": ["Holland", "Nederland", "The Netherlands", "Pays-Bas", "Pays Bas"],
        "CZ": ["Czechia", "Czech Republic", "Česko", "Cesko", "Česká republika"],
        "CI": ["Ivory Coast", "Côte d’Ivoire", "Cote d'Ivoire", "COTE D IVOIRE"],
        "GE": ["Georgia", "საქართველო", "GEO"],
        "AT": ["Áo", "Österreich", "Osterreich", "A\u{301}o"],
        "AO": ["AO", "Angola"],
        "BE": ["Belgique", "Belgien", "Bỉ"],
        "GW": ["Guinea-Bissau", "Guinea Bissau"],
        "TR": ["Türkiye", "Turkey", "TURKIYE", "Türki\u{307}ye"],
        "KR": ["대한민국", "South Korea", "Republic of Korea", "Korea, Republic of"],
        "VA": ["Vatican", "Holy See"],
        "XK": ["Kosovo", "Republika e Kosovës"],
        "AL": ["Shqipëria", "Shqipëri", "Republika e Shqipërisë"],
        "MN": ["Монгол улс", "Монгол", "Mongol Uls"],
        "TH": ["ประเทศไทย", "ไทย", "ราชอาณาจักรไทย"],
        "LA": ["ສປປລາວ", "ສປປ ລາວ", "ລາວ", "ປະເທດລາວ"],
        "BY": ["Weißrussland", "Беларусь", "Рэспубліка Беларусь"],
        "IN": ["भारत", "இந்தியா", "ভারত", "భారతదేశం"],
        "KH": ["កម្ពុជា", "ប្រទេសកម្ពុជា"],
        "MM": ["မြန်မာ", "မြန်မာနိုင်ငံ"],
        "UZ": ["Oʻzbekiston", "O‘zbekiston Respublikasi", "Ўзбекистон"],
        "ET": ["ኢትዮጵያ", "Itoophiyaa"],
        "SA": ["المملكة العربية السعودية", "السعودية", "KSA"],
        "ZA": ["iNingizimu Afrika", "Suid-Afrika", "RSA"],
    ])
    func `a country is known by all its names`(code: String, spellings: [String]) {
        for spelling in spellings {
            #expect(Country(spelling)?.code == code, "\(spelling)")
        }
    }

    @Test(arguments: ["", " ", "Atlantis", "XX", "Europe", "12", "Korea"])
    func `what is no country is none`(spelling: String) {
        #expect(Country(spelling) == nil)
    }

    @Test func `every country is known by its codes and its English name`() {
        #expect(Country.all.count == 250)
        for country in Country.all {
            #expect(Country(country.code) == country)
            #expect(Country(country.name) == country)
        }
    }

    @Test func `every name in the table is in canonical form, and one country's alone`() {
        let lines = CountryNames.table.split(separator: "\n").filter { $0.hasPrefix(" ") }
        let names = lines.flatMap { $0.dropFirst().split(separator: "|").map(String.init) }
        #expect(names.count > 7_500)
        for name in names where !Folding.canonical(name).utf8.elementsEqual(name.utf8) { Issue.record("\(name)") }

        let headings = Country.all.flatMap { [$0.code, $0.name] }.map(Folding.canonical)
        let keys = (names + headings).map { SpellingKey($0.utf8) }
        #expect(Set(keys).count == keys.count)
    }

    @Test func `a name that several countries share goes to English, or to nobody`() {
        #expect(Country("Guinea")?.code == "GN")
        #expect(Country("Dominica")?.code == "DM")
        #expect(Country("Niger")?.code == "NE")
        #expect(Country("Kongo") == nil)
    }
}
