/// States and provinces that people write as a code as often as by name.
enum Region {
    /// Returns the folded code of a region of `country`, given in canonical form; nil for regions not listed below.
    static func code(folded spelling: ArraySlice<UInt8>, in country: Country) -> [UInt8]? {
        codes[country.code]?[SpellingKey(spelling)]
    }

    private static let codes: [String: [SpellingKey: [UInt8]]] = names.mapValues { table in
        var codes: [SpellingKey: [UInt8]] = [:]
        for line in table.split(separator: "\n") {
            let spellings = line.split(separator: "|").map { Array(Folding.canonical(String($0)).utf8) }
            for spelling in spellings { codes[SpellingKey(spelling)] = spellings[0] }
        }
        return codes
    }

    /// By country, one region per line: its postal or ISO 3166-2 code, and its names with and without accents. Frozen,
    /// like the countries' names.
    private static let names = [
        "US": """
        AL|Alabama
        AK|Alaska
        AZ|Arizona
        AR|Arkansas
        CA|California
        CO|Colorado
        CT|Connecticut
        DE|Delaware
        FL|Florida
        GA|Georgia
        HI|Hawaii|Hawaiʻi
        ID|Idaho
        IL|Illinois
        IN|Indiana
        IA|Iowa
        KS|Kansas
        KY|Kentucky
        LA|Louisiana
        ME|Maine
        MD|Maryland
        MA|Massachusetts
        MI|Michigan
        MN|Minnesota
        MS|Mississippi
        MO|Missouri
        MT|Montana
        NE|Nebraska
        NV|Nevada
        NH|New Hampshire
        NJ|New Jersey
        NM|New Mexico
        NY|New York|New York State
        NC|North Carolina
        ND|North Dakota
        OH|Ohio
        OK|Oklahoma
        OR|Oregon
        PA|Pennsylvania
        RI|Rhode Island
        SC|South Carolina
        SD|South Dakota
        TN|Tennessee
        TX|Texas
        UT|Utah
        VT|Vermont
        VA|Virginia
        WA|Washington|Washington State
        WV|West Virginia
        WI|Wisconsin
        WY|Wyoming
        DC|District of Columbia|Washington DC
        AS|American Samoa
        GU|Guam
        MP|Northern Mariana Islands
        PR|Puerto Rico
        VI|Virgin Islands|U.S. Virgin Islands
        """,
        "CA": """
        AB|Alberta
        BC|British Columbia|Colombie-Britannique
        MB|Manitoba
        NB|New Brunswick|Nouveau-Brunswick
        NL|Newfoundland and Labrador|Newfoundland & Labrador|Newfoundland|Terre-Neuve-et-Labrador
        NS|Nova Scotia|Nouvelle-Écosse|Nouvelle-Ecosse
        NT|Northwest Territories|Territoires du Nord-Ouest
        NU|Nunavut
        ON|Ontario
        PE|Prince Edward Island|Île-du-Prince-Édouard|Ile-du-Prince-Edouard
        QC|Québec|Quebec
        SK|Saskatchewan
        YT|Yukon|Yukon Territory
        """,
        "AU": """
        ACT|Australian Capital Territory
        NSW|New South Wales
        NT|Northern Territory
        QLD|Queensland
        SA|South Australia
        TAS|Tasmania
        VIC|Victoria
        WA|Western Australia
        """,
        "BR": """
        AC|Acre
        AL|Alagoas
        AP|Amapá|Amapa
        AM|Amazonas
        BA|Bahia
        CE|Ceará|Ceara
        DF|Distrito Federal
        ES|Espírito Santo|Espirito Santo
        GO|Goiás|Goias
        MA|Maranhão|Maranhao
        MT|Mato Grosso
        MS|Mato Grosso do Sul
        MG|Minas Gerais
        PA|Pará|Para
        PB|Paraíba|Paraiba
        PR|Paraná|Parana
        PE|Pernambuco
        PI|Piauí|Piaui
        RJ|Rio de Janeiro
        RN|Rio Grande do Norte
        RS|Rio Grande do Sul
        RO|Rondônia|Rondonia
        RR|Roraima
        SC|Santa Catarina
        SP|São Paulo|Sao Paulo
        SE|Sergipe
        TO|Tocantins
        """,
    ]
}
