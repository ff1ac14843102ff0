/// The form of a postcode without its spaces and hyphens: which of its characters are digits.
struct PostcodeShape: Hashable {
    /// A leading 1, then a bit for each character: 0 for a digit.
    private var bits: UInt64 = 1

    init(_ key: some Sequence<UInt8>) {
        // A longer key has no form: shifting out the leading 1 leaves 0.
        for byte in key { bits = bits >> 63 == 1 || bits == 0 ? 0 : bits << 1 | ((0x30...0x39).contains(byte) ? 0 : 1) }
    }

    /// Returns whether the country has postcodes of this form. With nil: whether any country has.
    func fits(in country: CountryKey?) -> Bool {
        guard let country else { return Self.known.contains(self) }
        return Self.byCountry[country.value].map { $0.contains(self) } ?? Self.known.contains(self)
    }

    static func fits(_ key: some Sequence<UInt8>, in country: CountryKey?) -> Bool { Self(key).fits(in: country) }

    private static let byCountry: [UInt16: [PostcodeShape]] = {
        var shapes: [UInt16: [PostcodeShape]] = [:]
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            for country in words[0].split(separator: ",") {
                shapes[CountryKey(country).value] = words.dropFirst().map { Self($0.utf8) }
            }
        }
        return shapes
    }()

    /// The country whose whole postcodes have this form, if no other country has it.
    var onlyCountry: CountryKey? { Self.ofOneCountry[self] }

    private static let ofOneCountry: [PostcodeShape: CountryKey] = {
        let forms = [
            "GB": "A99AA A999AA AA99AA AA999AA A9A9AA AA9A9AA", "NL": "9999AA", "CA": "A9A9A9",
        ]
        var countries: [PostcodeShape: CountryKey] = [:]
        for (country, forms) in forms {
            for form in forms.split(separator: " ") { countries[Self(form.utf8)] = CountryKey(country) }
        }
        return countries
    }()

    private static let known = byCountry.values.reduce(into: Set<PostcodeShape>()) { $0.formUnion($1) }
        .subtracting([Self("999".utf8), Self("99".utf8)])

    /// `9` stands for a digit, `A` for a letter.
    private static let table = """
        AT,AU,BE,BG,CH,DK,GE,HU,LI,LU,LV,NO,NZ,SI,ZA,TN,PH,AM,CY,VE,MK,BD,PY,MD 9999
        DE,FI,FR,IT,ES,US,EE,HR,LT,MY,MX,TR,TH,UA,RS,ID,KR,EG,SA,PK,MA,DZ,PE,UY,MC,SM,VA,BA,ME,CR,GT,DO,CU,KE,KW,LK,MM,NP,IQ,JO,PR 99999
        GP,MQ,GF,RE,YT,NC,PF 99999
        CZ,SK,SE,GR 99999
        RU,IN,CN,SG,RO,BY,KZ,UZ,KG,VN,CO,EC,NG,TJ,TM,MN 999999
        JP,CL,IL 9999999
        BR 99999999
        PT 9999 9999999
        PL 99999
        NL 9999AA 9999
        AR 9999 A9999 A9999AAA
        GB,JE,GG,IM A99AA A999AA AA99AA AA999AA A9A9AA AA9A9AA A9 A99 AA9 AA99 A9A AA9A
        CA A9A9A9 A9A
        IE A999999 A99AAAA A99A999 A9999AA A9999A9 A999AA9 A99AA99 A99A9A9 A999A99 A9A9999 A999A9A A99A99A A99AA9A A99A9AA A99AAA9 A99AA9A A999AAA
        MT AAA9999 AAA999
        IS,FO,LS,MG 999
        AD AA999
        BM AA99 AAAA
        TW 999 99999 999999
        IR 9999999999
        US 99999 999999999
        """
}
