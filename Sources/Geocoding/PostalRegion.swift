/// The text that the post of a country prints for a region, if that is not the region's own name.
///
/// Kept apart from ``Region``, which hashes are made of and which is frozen.
enum PostalRegion {
    /// Returns the code or name to print for the first known of `names`: nil if none is known, blank if nothing is
    /// printed. The names are those of a region, then of a county and a town.
    static func printed(_ names: [String?], in country: Country) -> String? {
        guard let table = tables[country.code] else { return nil }
        return names.lazy.compactMap(\.self).compactMap { table[key($0)] }.first
    }

    /// Territories of the United States, whose code is printed in place of a state's: `SAN JUAN, PR 00907`.
    static let territories: Set = ["AS", "FM", "GU", "MH", "MP", "PR", "PW", "VI"]

    private static func key(_ name: String) -> String {
        var key = Folding.loose(name)
        for prefix in prefixes where key.hasPrefix(prefix) { key.removeFirst(prefix.count) }
        return key.filter { $0 != " " }
    }

    private static let prefixes = [
        "provincia autonoma di ", "provincia di ", "province of ", "citta metropolitana di ", "metropolitan city of ",
        "libero consorzio comunale di ",
    ]

    private static let tables = ["IT": table(italy), "GB": table(britain)]

    private static func table(_ lines: String) -> [String: String] {
        var codes: [String: String] = [:]
        for line in lines.split(separator: "\n") {
            let names = line.split(separator: "|", omittingEmptySubsequences: false)
            for name in names { codes[key(String(name))] = String(names[0]) }
        }
        codes[""] = nil
        return codes
    }

    /// Royal Mail wants neither the countries nor the regions of the kingdom.
    private static let britain = """
        |England|Scotland|Wales|Cymru|Northern Ireland|Great Britain|United Kingdom|Greater London|East of England\
        |East Midlands|West Midlands|North East England|North West England|South East England|South West England\
        |Yorkshire and the Humber
        """

    /// The provinces by the letters on their cars, with their names and, for some, the English and German names of
    /// their towns.
    private static let italy = """
        AG|Agrigento
        AL|Alessandria
        AN|Ancona
        AO|Aosta|Valle d'Aosta|Aosta Valley
        AP|Ascoli Piceno
        AQ|L'Aquila
        AR|Arezzo
        AT|Asti
        AV|Avellino
        BA|Bari
        BG|Bergamo
        BI|Biella
        BL|Belluno
        BN|Benevento
        BO|Bologna
        BR|Brindisi
        BS|Brescia
        BT|Barletta-Andria-Trani
        BZ|Bolzano|Bozen|Südtirol|Alto Adige|South Tyrol|Bolzano - Bozen
        CA|Cagliari
        CB|Campobasso
        CE|Caserta
        CH|Chieti
        CL|Caltanissetta
        CN|Cuneo
        CO|Como
        CR|Cremona
        CS|Cosenza
        CT|Catania
        CZ|Catanzaro
        EN|Enna
        FC|Forlì-Cesena
        FE|Ferrara
        FG|Foggia
        FI|Firenze|Florence|Florenz
        FM|Fermo
        FR|Frosinone
        GE|Genova|Genoa|Genua
        GO|Gorizia
        GR|Grosseto
        IM|Imperia
        IS|Isernia
        KR|Crotone
        LC|Lecco
        LE|Lecce
        LI|Livorno
        LO|Lodi
        LT|Latina
        LU|Lucca
        MB|Monza e della Brianza|Monza e Brianza|Monza
        MC|Macerata
        ME|Messina
        MI|Milano|Milan|Mailand
        MN|Mantova|Mantua
        MO|Modena
        MS|Massa-Carrara|Massa e Carrara
        MT|Matera
        NA|Napoli|Naples|Neapel
        NO|Novara
        NU|Nuoro
        OR|Oristano
        PA|Palermo
        PC|Piacenza
        PD|Padova|Padua
        PE|Pescara
        PG|Perugia
        PI|Pisa
        PN|Pordenone
        PO|Prato
        PR|Parma
        PT|Pistoia
        PU|Pesaro e Urbino|Pesaro
        PV|Pavia
        PZ|Potenza
        RA|Ravenna
        RC|Reggio Calabria|Reggio di Calabria
        RE|Reggio Emilia|Reggio nell'Emilia
        RG|Ragusa
        RI|Rieti
        RM|Roma|Roma Capitale|Rome|Rom
        RN|Rimini
        RO|Rovigo
        SA|Salerno
        SI|Siena
        SO|Sondrio
        SP|La Spezia
        SR|Siracusa|Syracuse
        SS|Sassari
        SU|Sud Sardegna
        SV|Savona
        TA|Taranto
        TE|Teramo
        TN|Trento|Trentino
        TO|Torino|Turin
        TP|Trapani
        TR|Terni
        TS|Trieste|Triest
        TV|Treviso
        UD|Udine
        VA|Varese
        VB|Verbano-Cusio-Ossola|Verbania
        VC|Vercelli
        VE|Venezia|Venice|Venedig
        VI|Vicenza
        VR|Verona
        VT|Viterbo
        VV|Vibo Valentia
        |Abruzzo|Basilicata|Calabria|Campania|Emilia-Romagna|Friuli-Venezia Giulia|Lazio|Liguria|Lombardia|Marche|Molise\
        |Piemonte|Puglia|Sardegna|Sicilia|Toscana|Trentino-Alto Adige|Umbria|Veneto|Abruzzi|Apulia|Latium|Lombardy|Piedmont\
        |Sardinia|Sicily|Tuscany|Lombardei|Piemont|Toskana|Venetien|Sizilien|Sardinien|Trentino-Alto Adige/Südtirol
        """
}
