/// The address formats of the countries of the world.
///
/// Each country has a line: its code, the order of street and house number, and the lines of the address. Countries
/// that also write in Chinese, Japanese or Korean letters have the last two again for these letters.
///
/// - `s` street, `#` house number, `d` district, `c` city, `r` region, `p` postcode. A capital letter is a part that
///   the post wants in capital letters.
/// - `?` precedes a part that is printed only if a person wrote it, `+` precedes the city if the neighbourhood takes
///   its place.
/// - `;` ends a line. Every other character separates two parts if both exist.
///
/// The facts are from the Universal Postal Union's sheets
/// (https://www.upu.int/en/postal-solutions/programmes-services/addressing-solutions) and the format strings that
/// libaddressinput documents (https://github.com/google/libaddressinput). A part that the sheets want in capitals is
/// left as written if capitals lose something: accents in Greek, the dot in Turkish.
enum PostalFormats {
    /// For the countries not listed.
    static let usual = "s #|s; p c; r"

    static let table = """
        AD|s, #|s; p c
        AE|s #|s; d; c; r; p
        AF|s #|s; c; p
        AI|# s|s; c; p
        AL|s #|s; p; c
        AM|s #|s; p; c; r
        AO|s #|s; c; r
        AR|s #|s; P C; r
        AS|# s|s; C, R P
        AT|s #|s; p c
        AU|# s|s; +C R P
        AX|s #|s; P C
        AZ|s #|s; p c
        BA|s #|s; p c
        BB|# s|s; c, r p
        BD|# s|s; d; c - p
        BE|s #|s; P C
        BF|# s|s; p c
        BG|s #|s; p c
        BH|s #|s; c p
        BI|# s|s; c
        BJ|# s|s; p c
        BL|# s|s; P C
        BM|# s|s; C P
        BN|# s|s; c p
        BO|s #|s; c; r
        BR|s, #|s; d; C - R; P
        BS|# s|s; c, r
        BT|s #|s; c p
        BW|# s|s; c
        BY|s, #|s; p, c; r
        BZ|# s|s; c; r
        CA|# s|s; C R P
        CC|# s|s; C R P
        CD|# s|s; c; r
        CF|# s|s; c
        CG|# s|s; c
        CH|s #|s; p c
        CI|# s|s; c
        CL|s #|s; p c; r
        CM|# s|s; c
        CN|# s|s; d; c; R, p|s#|p; rcds
        CO|s #|s; d; c, r, p
        CR|s #|s; r, c; p
        CU|s #|s; c r; p
        CV|s #|s; p c; r
        CX|# s|s; C R P
        CY|s #|s; p c
        CZ|s #|s; p c
        DE|s #|s; p c
        DK|s #|s; p c
        DO|s #|s; d; p c
        DZ|# s|s; P C
        EC|s #|s; P; C
        EE|s #|s; p c; r
        EG|# s|s; d; c; r; p
        ES|s, #|s; P C; R
        ET|s #|s; p c
        FI|s #|s; P C
        FJ|# s|s; c
        FK|# s|s; C; P
        FM|# s|s; C, R P
        FO|s #|s; p c
        FR|# s|s; P C
        GA|# s|s; c
        GB|# s|s; C; ?r; P
        GE|s #|s; p c
        GF|# s|s; P C
        GG|# s|s; C; ?r; P
        GH|# s|s; c; r; p
        GI|# s|s; C; P
        GL|s #|s; p c
        GN|# s|s; p c
        GP|# s|s; P C
        GQ|s #|s; c
        GR|s #|s; p c
        GS|# s|s; C; P
        GT|s #|s; p - c; r
        GU|# s|s; C, R P
        GW|s #|s; p c
        GY|# s|s; c; r
        HK|# s|s; d; c; R|s#|rcds
        HM|# s|s; C R P
        HN|s #|s; c, r; p
        HR|s #|s; p c
        HT|# s|s; p c
        HU|s #|C; s; p
        ID|s #|s; d; c; r p
        IE|# s|s; d; c; r; P
        IL|s #|s; c p
        IM|# s|s; C; ?r; P
        IN|# s|s; d; C p; r
        IO|# s|s; C; P
        IQ|s #|s; d; C, R; p
        IR|s, #|r; c, d; s; p
        IS|s #|s; p c
        IT|s #|s; P C R
        JE|# s|s; C; ?r; P
        JM|# s|s; c; r
        JO|s #|s; c p
        JP|# s|s, d; c, R p|s#|p; rcds
        KE|# s|s; c; r; p
        KG|s, #|s; p c; r
        KH|# s|s; d; c p
        KI|# s|s; c; r
        KN|# s|s; c, r
        KP|# s|s; d; c; r, p|s #|p; r c d s
        KR|#, s|s, d; c; r p|s #|r c d s; p
        KW|s #|s; d; p c
        KY|# s|s; c; r p
        KZ|s, #|s; c; r; p
        LA|# s|s; d; p c
        LB|# s|s; c p
        LC|# s|s; c; p
        LI|s #|s; p c
        LK|# s|s; c; p
        LR|# s|s; p c
        LS|# s|s; c p
        LT|s #|s; p c; r
        LU|# s|s; p c
        LV|s #|s; r; c, p
        LY|s #|s; c
        MA|# s|s; d; p c
        MC|# s|s; P C
        MD|s #|s; p c
        ME|s #|s; p c
        MF|# s|s; P C
        MG|# s|s; p c
        MH|# s|s; C, R P
        MK|s #|s; p c
        ML|# s|s; c
        MM|# s|s; d; c, p; r
        MN|s #|s; d; c; r p
        MO|s #|s; d; c|s#|cds
        MP|# s|s; C, R P
        MQ|# s|s; P C
        MR|# s|s; c
        MT|# s|s; C P
        MU|# s|s; c; p
        MV|# s|s; c p
        MW|# s|s; c
        MX|s #|s; d; P C, R
        MY|# s|s; d; p C; R
        MZ|s #|s; p c; r
        NA|# s|s; c; p
        NC|# s|s; P C
        NE|# s|s; p c
        NF|# s|s; C R P
        NG|# s|s; d; C p; R
        NI|s #|s; p; c, r
        NL|s #|s; P C
        NO|s #|s; P C
        NP|# s|s; d; c p
        NR|# s|s; c; r
        NZ|# s|s; d; c p
        OM|# s|s; p; c
        PA|s #|s; C; R
        PE|s #|s; d; C p; r
        PF|# s|s; P C; R
        PG|# s|s; c p r
        PH|# s|s; d; p C; r
        PK|# s|s; d; C-p; r
        PL|s #|s; p c
        PM|# s|s; P C
        PN|# s|s; C; P
        PR|# s|s; C, R P
        PS|s #|s; c p
        PT|s #|s; P C
        PW|# s|s; C, R P
        PY|s #|s; p c
        QA|s #|s; d; c
        RE|# s|s; P C
        RO|s #|s; p c, r
        RS|s #|s; p c
        RU|s, #|s; c; r; p
        RW|# s|s; c
        SA|# s|s; d; c p; r
        SB|# s|s; c
        SC|# s|s; c; R
        SD|# s|s; c; p; r
        SE|s #|s; P C
        SG|# s|s; C P
        SH|# s|s; C; P
        SI|s #|s; p c
        SJ|s #|s; P C
        SK|s #|s; p c
        SL|# s|s; c
        SM|s #|s; p c
        SN|# s|s; p c
        SO|# s|s; C, R P
        SR|s #|s; C; R
        SV|s #|s; P C; R
        SY|s #|s; c; r
        SZ|# s|s; C; P
        TC|# s|s; C; P
        TD|# s|s; c
        TG|# s|s; c
        TH|# s|s; d, c; R p
        TJ|s, #|s; p c; r
        TL|s #|s; c; r
        TM|s, #|s; p c; r
        TN|# s|s; d; p c
        TO|# s|s; c
        TR|s #|d; s; p c/r
        TT|# s|s; c p
        TV|# s|s; C; R
        TW|# s|s, d; c, r p|s#|p; rcds
        TZ|# s|s; d; p c
        UA|s, #|s; d; c; r; p
        UG|# s|s; c; r
        US|# s|s; C, R P
        UY|s #|s; p C, R
        UZ|s, #|s; p C; R
        VA|s #|s; p c
        VC|# s|s; c p
        VE|s #|s; d; C p, R
        VG|# s|s; c; p
        VI|# s|s; C, R P
        VN|# s|s; d; c; r p
        VU|# s|s; c
        WF|# s|s; P C
        WS|# s|s; c; p
        XK|s #|s; p c
        YE|s #|s; d; c; r
        YT|# s|s; P C
        ZA|# s|s; d; C; ?r; p
        ZM|# s|s; p c; r
        ZW|# s|s; c
        """
}

/// The order of parts, read from the same table, so that printing and reading of addresses agree about a country.
extension PostalFormats {
    /// The countries that write the house number before the street, in Latin letters: London, and not Helsinki.
    static let numberFirst = countries(where: .number, precedes: .street, inColumn: 1)

    /// The countries that write the postcode before the city: `00100 Helsinki`, and not `London SW1A 2AA`.
    static let postcodeFirst = countries(where: .postcode, precedes: .city, inColumn: 2)

    private static func countries(
        where first: PostalField, precedes second: PostalField, inColumn column: Int
    ) -> Set<String> {
        var countries: Set<String> = []
        for line in table.split(separator: "\n") {
            let columns: [Substring] = line.split(separator: "|")
            let fields = columns[column].compactMap { PostalField($0) }
            guard let one = fields.firstIndex(of: first), let other = fields.firstIndex(of: second) else { continue }
            if one < other { countries.insert(String(columns[0])) }
        }
        return countries
    }
}
