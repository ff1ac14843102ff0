/// In which order countries write the parts of an address, and what they write in capitals.
///
/// A line each: the country, its lines with `|` between them, and after two spaces the lines in East Asian script, where they
/// are others. `s` is the street with its number, `d` the district, `c` the city, `r` the region, `p` the postcode; a
/// capital letter is a field in capitals; all else stands between two fields. Facts by the Universal Postal Union's
/// addressing sheets (https://www.upu.int/en/Postal-Solutions/Programmes-Services/Addressing-Solutions) and what Google's
/// libaddressinput knows.
enum PostalFormats {
    struct Row: Sendable {
        var lines: [Substring]
        var native: [Substring]?
    }

    static let fields: Set = ["s", "d", "c", "r", "p"]
    static let common = Row(lines: ["s", "d", "p c", "r"])

    static let rows: [String: Row] = {
        var rows: [String: Row] = [:]
        for line in table.split(whereSeparator: \.isNewline) {
            let code = String(line.prefix(2))
            let rest = line.dropFirst(3)
            let split = rest.firstRange(of: "  ")
            let latin = split.map { rest[..<$0.lowerBound] } ?? rest
            let native = split.map { rest[$0.upperBound...].split(separator: "|") }
            rows[code] = Row(lines: latin.split(separator: "|"), native: native)
        }
        return rows
    }()

    private static let table = """
        AE s|c|r
        AF s|c|p
        AL s|p|c
        AM s|p|c|r
        AO s|c|r
        AR s|p C|r
        AT s|p c
        AU s|C R p
        AZ s|p c
        BA s|p c
        BD s|d|c - p
        BE s|p c
        BF s|c
        BG s|p c|r
        BH s|c p
        BI s|c
        BJ s|C
        BO s|c
        BR s|d|C-R|p
        BW s|c
        BY s|p, c|r
        CA s|C R P
        CD s|d|c
        CG s|c
        CH s|p c
        CI s|c
        CL s|p c|r
        CM s|c
        CN s|d|c|R, p  p|rcd|s
        CO s|d|c, r, p
        CR s|r, c|p
        CU s|c r|p
        CY s|p c
        CZ s|p c
        DE s|p c
        DK s|p c
        DO s|p c
        DZ s|p c
        EC s|p|C
        EE s|p c
        EG s|c|r|p
        ES s|p C R
        ET s|p c
        FI s|p C
        FR s|p C
        GB s|d|C|P
        GE s|p c
        GH s|c
        GN s|p c
        GR s|p c
        GT s|p- c
        HK s|c|R  r|c|s
        HN s|c, r|p
        HR s|p c
        HT s|p c
        HU c|s|p
        ID s|d|c|r p
        IE s|d|c|r|p
        IL s|c p
        IN s|d|c p|r
        IQ s|C, R|p
        IR r|c, d|s|p
        IS s|p c
        IT s|p C R
        JM s|c|r
        JO s|c p
        JP s, d|c|R p  〒p|rcds
        KE s|c|p
        KG s|p c
        KH s|c p
        KP s|c
        KR s|d|c|r|p  r c d|s|p
        KW s|p c
        KZ p|r|c|s
        LA s|p c
        LB s|c p
        LK s|c|p
        LT s|p c
        LU s|p c
        LV s|r|c, p
        LY s|c
        MA s|p c
        MD s|p c
        ME s|p c
        MG s|p c
        MK s|p c
        ML s|c
        MM s|c, p
        MN s|c|r p
        MO s|d|c  c|d|s
        MT s|C P
        MW s|c
        MX s|d|p C, R
        MY s|d|p C|R
        MZ s|p c
        NE s|p c
        NG s|d|C p|R
        NI s|p|C, R
        NL s|P C
        NO s|p C
        NP s|c p
        NZ s|d|c p
        OM s|p|c
        PA s|C|R
        PE s|c p|r
        PG s|c p r
        PH s|d, c|p r
        PK s|d|c-p
        PL s|p c
        PR s|C R p
        PS s|c
        PT s|p C
        PY s|p c
        QA s|C
        RO s|p r C
        RS s|p c
        RU s|C|r|p
        RW s|C
        SA s|d|c p
        SD s|c|p
        SE s|p C
        SG s|C p
        SI s|p c
        SK s|p c
        SN s|p c
        SO s|C, R p
        SS s|c
        SV s|p-C|R
        SY s|c
        TD s|c
        TG s|c
        TH s|d c|R p
        TJ s|p c
        TM s|p c
        TN s|p c
        TR s|d|p c/r
        TW s|c, r p  p|rcd|s
        TZ s|p c
        UA s|c|r|p
        UG s|c
        US s|C, R p
        UY s|p C R
        UZ s|p C|R
        VA s|p c
        VE s|C p, R
        VN s|d|c|r p
        XK s|p c
        YE s|c
        ZA s|d|c|p
        ZM s|p c
        ZW s|c
        """
}
