import Foundation
import Geocoding

/// A way to write an address. Each form is a CSV file of its own.
enum QualityForm: String, CaseIterable {
    /// Each part in its column.
    case columns
    /// A line with commas, in the order of its country.
    case line
    /// The same without commas.
    case plain
    /// A column `address` in mixed forms: with commas, with line breaks or with neither; with a country or without.
    case mixed
    /// Columns, with one typing error in the town.
    case typo
    /// The same, with only the town, its country and, where it is usual, its region.
    case bareTypo = "bare-typo"
    /// `Pune, Maharashtra, India`, `Richmond, VA`
    case nameRegion = "name-region"
    /// `1010 Wien`
    case postcodeTown = "postcode-town"
    /// Columns with the country in other words, in upper case, without accents, `D-80331`.
    case variants

    /// The goal, in percent of the places that the gazetteer can contain: at least this many right, at most this many
    /// wrong.
    var aim: (right: Double, wrong: Double?)? {
        switch self {
        case .columns: (97, 0.2)
        case .line, .plain, .mixed: (92, 0.3)
        case .typo, .postcodeTown: (90, nil)
        case .nameRegion: (95, nil)
        case .bareTypo, .variants: nil
        }
    }

    var header: [String] {
        switch self {
        case .columns, .typo, .bareTypo, .variants: ["id", "street", "city", "region", "postcode", "country"]
        case .line, .plain: ["id", "Full Address"]
        case .mixed, .nameRegion, .postcodeTown: ["id", "address"]
        }
    }

    /// A place in this form; nil where it can't be written this way.
    func row(of place: TruthPlace) -> [String]? {
        let written = WrittenPlace(place)
        var random = TruthNumbers(place.id, rawValue)
        return switch self {
        case .columns: written.columns
        case .line: [written.line]
        case .plain: [written.withoutCommas(written.line)]
        case .mixed: [mixed(written, &random)]
        case .typo: written.withTypo(&random)?.columns
        case .bareTypo: written.bare.withTypo(&random)?.columns
        case .nameRegion: nameRegion(written, place, &random).map { [$0] }
        case .postcodeTown: place.postcode.isEmpty ? nil : [written.shortTownLine]
        case .variants: CountryVariant.allCases.randomElement(using: &random)?.columns(of: written, place, &random)
        }
    }

    private func mixed(_ written: WrittenPlace, _ random: inout TruthNumbers) -> String {
        var written = written
        let canDoWithout = !written.postcode.isEmpty || !written.region.isEmpty
        if canDoWithout, Int.random(in: 0..<4, using: &random) == 0 { written.country = "" }
        return switch Int.random(in: 0..<10, using: &random) {
        case 0..<6: written.line
        case 6..<8: written.line.replacing(", ", with: "\n")
        default: written.withoutCommas(written.line)
        }
    }

    private func nameRegion(_ written: WrittenPlace, _ place: TruthPlace, _ random: inout TruthNumbers) -> String? {
        let hasCode = ["US", "CA", "AU", "BR"].contains(place.country.code)
        guard !place.region.isEmpty, place.region != place.name else { return nil }
        let region = hasCode && Bool.random(using: &random) ? place.regionCode : place.region
        guard !region.isEmpty else { return nil }
        let isEnough = ["US", "CA"].contains(place.country.code) && Int.random(in: 0..<3, using: &random) > 0
        return ([written.town, region] + (isEnough ? [] : [written.country])).joined(separator: ", ")
    }
}

/// Another spelling of a country, or of a whole address.
private enum CountryVariant: CaseIterable {
    case noCountry, ownLanguage, twoLetters, threeLetters, upperCase, noAccents, prefixedPostcode

    func columns(of written: WrittenPlace, _ place: TruthPlace, _ random: inout TruthNumbers) -> [String] {
        var written = written
        let code = place.country.code
        switch self {
        case .noCountry:
            guard !written.postcode.isEmpty || !written.region.isEmpty else { return written.columns }
            written.country = ""
        case .ownLanguage: written.country = CountryNamesAbroad.own(code) ?? written.country
        case .twoLetters: written.country = code
        case .threeLetters: written.country = CountryNamesAbroad.threeLetters[code] ?? code
        case .upperCase: return written.columns.map { $0.uppercased() }
        case .noAccents:
            return written.columns.map { $0.folding(options: .diacriticInsensitive, locale: nil) }
        case .prefixedPostcode:
            if let prefix = CountryNamesAbroad.prefixes[code], written.postcode.first?.isNumber == true {
                written.postcode = prefix + "-" + written.postcode
            }
        }
        return written.columns
    }
}

/// Spellings of countries from another source than the table under test.
private enum CountryNamesAbroad {
    /// The name in the country's most spoken language.
    static func own(_ code: String) -> String? {
        let language = Locale(identifier: "und_\(code)").language.languageCode?.identifier
        guard let likely = Locale.Language(identifier: "und-\(code)").maximalIdentifier.split(separator: "-").first
        else {
            return nil
        }
        return Locale(identifier: language ?? String(likely)).localizedString(forRegionCode: code)
    }

    static let prefixes = [
        "DE": "D", "AT": "A", "CH": "CH", "FR": "F", "IT": "I", "BE": "B", "NL": "NL", "SE": "SE", "DK": "DK",
        "FI": "FI",
        "ES": "E", "LI": "FL", "LU": "L", "LT": "LT", "CZ": "CZ", "SK": "SK", "SI": "SI", "HR": "HR", "HU": "H",
        "NO": "N",
        "PL": "PL", "EE": "EE", "RO": "RO", "RS": "RS", "PT": "P", "GR": "GR",
    ]

    static let threeLetters: [String: String] = {
        var letters: [String: String] = [:]
        for pair in """
        AT AUT DE DEU CH CHE FR FRA IT ITA ES ESP PT PRT NL NLD BE BEL LU LUX DK DNK SE SWE NO NOR FI FIN IS ISL IE IRL
        GB GBR US USA CA CAN MX MEX BR BRA AR ARG CL CHL CO COL PE PER VE VEN EC ECU UY URY PY PRY BO BOL AU AUS NZ NZL
        JP JPN CN CHN KR KOR IN IND ID IDN MY MYS TH THA VN VNM PH PHL PK PAK BD BGD LK LKA NP NPL TR TUR GR GRC BG BGR
        RO ROU HU HUN CZ CZE SK SVK PL POL SI SVN HR HRV RS SRB BA BIH MK MKD AL ALB EE EST LV LVA LT LTU UA UKR BY BLR
        RU RUS KZ KAZ GE GEO AM ARM AZ AZE IL ISR EG EGY MA MAR TN TUN DZ DZA ZA ZAF KE KEN TZ TZA NG NGA GH GHA ET ETH
        """.split(whereSeparator: { $0 == "\n" }).flatMap({ line in
            let words = line.split(separator: " ")
            return stride(from: 0, to: words.count, by: 2).map { (words[$0], words[$0 + 1]) }
        }) { letters[String(pair.0)] = String(pair.1) }
        return letters
    }()
}
