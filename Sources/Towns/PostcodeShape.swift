/// The forms of postcodes: `9` stands for a digit, `A` for a letter.
enum PostcodeShape {
    /// Whether a postcode without its spaces and hyphens has a form of the country; of any country if it is nil.
    static func fits(_ key: some Sequence<UInt8>, in country: CountryKey?) -> Bool {
        let shape = String(
            decoding: key.map { (0x30...0x39).contains($0) ? UInt8(ascii: "9") : UInt8(ascii: "A") }, as: UTF8.self)
        guard let country else { return known.contains(shape) }
        return byCountry[country.value].map { $0.contains(shape) } ?? known.contains(shape)
    }

    private static let byCountry: [UInt16: Set<String>] = {
        var shapes: [UInt16: Set<String>] = [:]
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            for country in words[0].split(separator: ",") {
                shapes[CountryKey(country).value] = Set(words.dropFirst().map(String.init))
            }
        }
        return shapes
    }()

    private static let known = byCountry.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        .subtracting(["999", "99"])

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
        AR 9999 A9999AAA
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
