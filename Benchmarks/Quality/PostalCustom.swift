/// The usual form of an address on one line in a country.
struct PostalCustom {
    enum TownLine {
        /// `1010 Wien`
        case postcodeTown
        /// `20147 Milano MI`
        case postcodeTownRegion
        /// `Peoria, IL 61602`
        case townRegionPostcode
        /// `Sydney NSW 2000`
        case townRegionPostcodeWithoutComma
        /// `Leeds, LS1 4AP`
        case townThenPostcode
        /// `Riga, LV-1010`, `Pune 411001`: the town, sometimes the region, the postcode.
        case townPostcodeThenRegion
        /// `Campinas - SP, 13010-000`
        case townDashRegionThenPostcode
    }

    let townLine: TownLine
    let numberComesFirst: Bool
    let streets: [String]
    /// Stands between street and number.
    let comma: String

    init(of code: String) {
        townLine = Self.townLines[code] ?? .townPostcodeThenRegion
        let language = Self.languages[code] ?? "en"
        streets = Self.streets[language] ?? []
        numberComesFirst = ["en", "fr"].contains(language) && code != "CH" && code != "BE"
        comma = ["es", "pt", "it"].contains(language) && !["CH", "MX"].contains(code) ? ", " : " "
    }

    private static let townLines: [String: TownLine] = {
        var lines: [String: TownLine] = [:]
        for code in words(
            """
            AT DE CH LI BE FR LU NL ES PT PL CZ SK HU SI HR RS BA ME MK AL GR BG RO MD DK NO SE FI IS EE LT TR IL MA TN DZ
            MX DO GT NI CR PY UY AD MC SM GL FO SN KW MY GE AM CU HN VE CY TJ KG LA MG PS
            """)
        { lines[code] = .postcodeTown }
        for code in ["IT"] { lines[code] = .postcodeTownRegion }
        for code in words("US CA PR GU VI") { lines[code] = .townRegionPostcode }
        lines["AU"] = .townRegionPostcodeWithoutComma
        for code in words("GB IE IM JE GG ZA MT BM FK SH") { lines[code] = .townThenPostcode }
        lines["BR"] = .townDashRegionThenPostcode
        return lines
    }()

    private static let languages: [String: String] = {
        var languages: [String: String] = [:]
        for (language, codes) in [
            ("de", "DE AT CH LI"), ("fr", "FR BE LU MC SN MA TN DZ CD CG CF GA BF ML TG BJ CI GN TD NE MG HT RE GF NC"),
            ("it", "IT SM"), ("es", "ES MX AR CO VE PE CL EC GT DO NI CR PY UY BO HN SV CU PA GQ AD"),
            ("pt", "PT BR AO MZ CV GW ST TL"), ("nl", "NL SR AW CW"), ("pl", "PL"), ("cs", "CZ SK"), ("hu", "HU"),
            ("hr", "HR SI RS BA ME MK"), ("ro", "RO MD"), ("da", "DK NO GL FO"), ("sv", "SE"), ("fi", "FI"),
            ("et", "EE LV LT"), ("el", "GR CY"), ("bg", "BG"), ("tr", "TR AZ TM"), ("ru", "RU UA BY KZ UZ KG TJ"),
            ("ar", "EG SA JO LB SY IQ LY OM YE AE QA KW BH SD"), ("id", "ID MY BN"), ("vi", "VN"), ("is", "IS"),
            ("ja", "JP"), ("zh", "CN TW"), ("sq", "AL"),
        ] {
            for code in words(codes) { languages[code] = language }
        }
        return languages
    }()

    private static func words(_ text: String) -> [String] {
        text.split { $0 == " " || $0 == "\n" }.map(String.init)
    }

    private static let streets: [String: [String]] = [
        "en": [
            "Main Street", "High Street", "Church Road", "Station Road", "Oak Avenue", "Park Lane", "Mill Lane",
            "King Street",
            "Victoria Road", "Elm St", "Hill Rd", "Market Street",
        ],
        "de": [
            "Hauptstraße", "Bahnhofstraße", "Schulstr.", "Gartenweg", "Lindenallee", "Kirchplatz", "Goethestraße",
            "Am Anger", "Dorfstraße", "Mühlweg", "Ringstr.", "Berggasse",
        ],
        "fr": [
            "rue de la Gare", "avenue Victor Hugo", "place de l'Église", "boulevard Carnot", "chemin des Vignes",
            "rue du Moulin", "allée des Tilleuls", "impasse du Puits", "quai de la Marine", "route Nationale",
            "rue Pasteur", "cours Gambetta",
        ],
        "it": [
            "Via Roma", "Via Giuseppe Garibaldi", "Corso Italia", "Piazza del Duomo", "Viale dei Mille",
            "Via XX Settembre",
            "Vicolo Stretto", "Largo Augusto", "Via Dante Alighieri", "Strada Provinciale", "Via San Marco", "Via Po",
        ],
        "es": [
            "Calle Mayor", "Avenida de la Constitución", "Plaza de España", "C/ del Sol", "Paseo de los Olivos",
            "Calle San Martín", "Av. Bolívar", "Camino Real", "Calle 5 de Mayo", "Avenida Libertad", "Calle Nueva",
            "Ronda Norte",
        ],
        "pt": [
            "Rua das Flores", "Avenida da Liberdade", "Praça da República", "Travessa do Carmo", "Largo da Igreja",
            "Rua 25 de Abril", "Rua Direita", "Av. Brasil", "Rua São José", "Estrada Velha", "Rua Nova",
            "Rua do Comércio",
        ],
        "nl": [
            "Kerkstraat", "Dorpsstraat", "Molenweg", "Stationsplein", "Julianalaan", "Nieuwegracht", "Schoolstraat",
            "Beatrixlaan", "Marktplein", "Langestraat", "Zeedijk", "Eikenlaan",
        ],
        "pl": [
            "ul. Polna", "ul. Leśna", "ul. Słoneczna", "al. Jana Pawła II", "pl. Wolności", "ul. Krótka", "Szkolna",
            "ul. Ogrodowa", "ul. Lipowa", "os. Tysiąclecia", "ul. Kościuszki", "Brzozowa",
        ],
        "cs": [
            "Hlavní", "Nádražní", "Školní", "Zahradní", "Masarykova", "Husova", "Dlouhá", "Polní", "náměstí Míru",
            "Lipová",
            "Krátká", "Palackého",
        ],
        "hu": [
            "Kossuth Lajos utca", "Petőfi Sándor utca", "Fő tér", "Rákóczi út", "Dózsa György út", "Ady Endre u.",
            "Arany János utca", "Béke tér", "Jókai u.", "Széchenyi utca", "Táncsics Mihály utca", "Vasút sor",
        ],
        "hr": [
            "Glavna ulica", "Trg slobode", "Školska", "Ulica kralja Tomislava", "Partizanska", "Cvjetna ulica",
            "Slovenska cesta", "Vukova", "Prešernova ulica", "Nikole Tesle", "Zagrebačka", "Kolodvorska",
        ],
        "ro": [
            "Strada Mihai Eminescu", "Bulevardul Unirii", "Str. Libertății", "Aleea Teilor", "Calea Victoriei",
            "Strada Gării", "Piața Centrală", "Str. Florilor", "Strada Ștefan cel Mare", "Strada Morii", "Str. Școlii",
            "Șoseaua Națională",
        ],
        "da": [
            "Storgata", "Kirkegade", "Havnevej", "Skolegata", "Bakkevegen", "Nørregade", "Strandveien", "Møllevej",
            "Torvet", "Kongens gate", "Østergade", "Fjordvej",
        ],
        "sv": [
            "Storgatan", "Kungsgatan", "Skolvägen", "Kyrkogatan", "Drottninggatan", "Järnvägsgatan", "Björkvägen",
            "Hamngatan", "Parkgatan", "Torggatan", "Ringvägen", "Ågatan",
        ],
        "fi": [
            "Kauppakatu", "Koulutie", "Asematie", "Rantakatu", "Kirkkokatu", "Mäkitie", "Hämeentie", "Torikatu",
            "Koivutie", "Keskuskatu", "Puistotie", "Satamakatu",
        ],
        "et": [
            "Pikk tänav", "Kooli tn", "Jaama", "Tartu mnt", "Brīvības iela", "Skolas iela", "Vytauto g.",
            "Vilniaus gatvė",
            "Kesk", "Rīgas iela", "Liepų g.", "Aia",
        ],
        "el": [
            "Odos Ermou", "Leoforos Dimokratias", "Plateia Eleftherias", "Οδός Αθηνάς", "Venizelou", "Agiou Georgiou",
            "Παπαναστασίου", "Ethnikis Antistasis", "Kanari", "28is Oktovriou", "Κολοκοτρώνη", "Makariou",
        ],
        "bg": [
            "ul. Vasil Levski", "bul. Bulgaria", "ул. Христо Ботев", "ul. Shipka", "pl. Svoboda", "ул. Раковски",
            "ul. Ivan Vazov", "ul. Rosa", "бул. Марица", "ul. Aleko", "ul. Opalchenska", "ul. Treti Mart",
        ],
        "tr": [
            "Atatürk Caddesi", "Cumhuriyet Mah. Gül Sokak", "İstiklal Cad.", "Okul Sokağı", "Çınar Sk.",
            "Barış Bulvarı",
            "Yeni Mahalle", "Sahil Yolu", "Fatih Cad.", "Bahçe Sokak", "Menekşe Sk.", "Nizami küçəsi",
        ],
        "ru": [
            "ul. Lenina", "ул. Советская", "prospekt Mira", "ул. Гагарина", "Sadovaya ulitsa", "ул. Пушкина",
            "pl. Pobedy",
            "Molodezhnaya ul.", "вул. Шевченка", "ul. Kirova", "Abay kóshesi", "vul. Lesi Ukrainky",
        ],
        "ar": [
            "King Faisal Street", "Al Jamia Street", "Corniche Road", "Airport Road", "Al Nahda Street", "Rue Hamra",
            "Al Thawra Street", "Souk Street", "26 July Street", "Al Salam Road", "School Street", "Palm Street",
        ],
        "id": [
            "Jalan Merdeka", "Jl. Sudirman", "Jalan Melati", "Jl. Diponegoro", "Jalan Raya", "Jl. Gajah Mada",
            "Jalan Ampang",
            "Lorong Damai", "Jl. Kartini", "Jalan Bunga Raya", "Jl. Pahlawan", "Jalan Masjid",
        ],
        "vi": [
            "Đường Lê Lợi", "Nguyễn Huệ", "Trần Hưng Đạo", "Đường Hùng Vương", "Phố Huế", "Lý Thường Kiệt",
            "Hai Bà Trưng",
            "Đường 30 Tháng 4", "Quang Trung", "Nguyễn Trãi", "Điện Biên Phủ", "Phan Chu Trinh",
        ],
        "is": [
            "Aðalstræti", "Laugavegur", "Skólavegur", "Hafnargata", "Strandgata", "Hlíðarvegur", "Austurvegur",
            "Vesturgata",
            "Kirkjubraut", "Suðurgata", "Bakkagata", "Garðavegur",
        ],
        "ja": [
            "2-chome Honcho", "Chuo", "Sakuramachi", "Ekimae-dori", "Minamimachi", "Nishiki", "Kitamachi", "Miyamae",
            "Asahi-cho", "Midorigaoka", "Shinmachi", "Higashi",
        ],
        "zh": [
            "Renmin Road", "Jiefang Lu", "Zhongshan East Road", "Jianshe Avenue", "Xinhua Street", "Heping Lu",
            "Wenhua Road", "Beijing Road", "Gongyuan Lu", "Shengli Street", "Youyi Road", "Minzu Avenue",
        ],
        "sq": [
            "Rruga e Dibrës", "Rruga Ismail Qemali", "Bulevardi Dëshmorët e Kombit", "Rruga Naim Frashëri",
            "Rr. 28 Nëntori",
            "Sheshi Liria", "Rruga Skënderbeu", "Rr. e Kavajës", "Rruga Pavarësia", "Rruga Egnatia", "Rr. Adria",
            "Rruga Nacionale",
        ],
    ]
}
