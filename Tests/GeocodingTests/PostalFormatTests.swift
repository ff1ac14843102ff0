import Testing

@testable import Geocoding

struct PostalFormatTests {
    @Test(arguments: Letter.all) func `a letter is addressed as its country does`(letter: Letter) throws {
        let country = try #require(Country(letter.address.country))
        let format = PostalFormat(country: country)
        #expect(PostalFormats.rows[country.code] != nil)
        #expect(format.format(letter.address, from: country) == letter.lines)
        #expect(format.format(letter.address, from: Country("AQ")) == letter.lines + [country.name.uppercased()])
    }

    @Test func `there is an example for each of the sixty most populous countries`() {
        let populous = """
            CN IN US ID PK NG BR BD RU MX ET JP PH EG CD VN IR TR DE TH TZ GB FR ZA IT KE MM CO KR SD UG ES DZ IQ AR AF PL
            CA MA SA UA AO UZ YE PE MY GH MZ NP MG CI VE CM NE AU KP TW ML BF SY
            """.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(populous.count == 60)
        #expect(Set(populous).subtracting(Letter.all.map(\.address.country)) == [])
    }

    @Test func `every line of the table is of a country, and names no field twice`() {
        #expect(PostalFormats.rows.count >= 120)
        for (code, row) in PostalFormats.rows {
            #expect(Country(code)?.code == code)
            for lines in [row.lines, row.native ?? row.lines] {
                let letters = lines.joined().lowercased().filter(\.isLetter)
                #expect(Set(letters).count == letters.count, "\(code)")
                #expect(letters.allSatisfy(PostalFormats.fields.map { Character($0) }.contains), "\(code)")
                #expect(letters.contains("s") && letters.contains("c"), "\(code)")
            }
        }
    }

    @Test(arguments: Letter.all) func `what is blank leaves nothing behind`(letter: Letter) throws {
        let fields: [WritableKeyPath<Address, String>] = [\.street, \.city, \.region, \.postcode]
        for subset in 0..<16 {
            var address = letter.address
            for (bit, field) in fields.enumerated() where subset & 1 << bit == 0 { address[keyPath: field] = " " }
            let country = Country(address.country)
            let lines = PostalFormat(country: country).format(address, from: country)
            #expect(lines.isEmpty == false || address.street == " " && address.city == " ")
            #expect(lines.isEmpty || subset != 0)
            for line in lines {
                #expect(line.contains { $0.isLetter || $0.isNumber })
                #expect(![",", " ", "-", "/"].contains { line.hasPrefix($0) || line.hasSuffix($0) }, "\(line)")
                #expect(!line.contains(", ,") && !line.contains("  "))
            }
        }
    }

    @Test func `an address of several lines keeps them`() {
        let address = Address(street: "c/o Ada\n\nHauptstr. 5,\n", city: "Bonn", postcode: "53111", country: "DE")
        #expect(
            PostalFormat(country: Country("DE")).format(address) == ["c/o Ada", "Hauptstr. 5", "53111 Bonn", "GERMANY"])
    }

    @Test func `a country that nobody knows has the common format and its own name`() {
        let address = Address(street: "Nemo St 1", city: "Poseidonis", postcode: "7", country: "Atlantis")
        let format = PostalFormat(country: Country(address.country))
        #expect(format.format(address) == ["Nemo St 1", "7 Poseidonis", "ATLANTIS"])
    }

    @Test(arguments: [
        ("US", "Hamilton Ave", "301", ["301 Hamilton Ave", "TOWN, OR 123"]),
        ("DE", "Hauptstr.", "12", ["Hauptstr. 12", "123 Town"]),
        ("GB", "High Street", "12", ["12 High Street", "Old Town", "TOWN", "123"]),
        ("BR", "Rua Augusta", "12", ["Rua Augusta, 12", "Old Town", "TOWN-OREGON", "123"]),
        ("TR", "İstiklal Cd.", "12", ["İstiklal Cd. 12", "Old Town", "123 Town/Oregon"]),
    ])
    func `a place is addressed with its number where the country puts it`(
        code: String, street: String, number: String, lines: [String]
    ) throws {
        let coordinate = try #require(Coordinate(latitude: 1, longitude: 1))
        let place = Placemark(
            coordinate: coordinate, thoroughfare: street, subThoroughfare: number, locality: "Town",
            subLocality: "Old Town", administrativeArea: "Oregon", postalCode: "123", countryCode: code)
        let country = Country(code)
        #expect(PostalFormat(country: country).format(place, from: country) == lines)
    }
}

extension PostalFormatTests {
    @Test func `a district stands in for a city that nobody named`() throws {
        let coordinate = try #require(Coordinate(latitude: 1, longitude: 1))
        let place = Placemark(coordinate: coordinate, subLocality: "Mitte", postalCode: "10119", countryCode: "DE")
        #expect(PostalFormat(country: Country("DE")).format(place) == ["10119 Mitte", "GERMANY"])
    }
}

struct Letter: CustomTestStringConvertible {
    let address: Address
    let lines: [String]
    var testDescription: String { address.country + " " + address.city }

    static let all = table.split(whereSeparator: \.isNewline).map { line in
        let fields = line.split(separator: "|").map { $0.trimmingBlanks }
        let address = Address(
            street: fields[1], city: fields[2], region: fields[3], postcode: fields[4], country: fields[0])
        return Letter(address: address, lines: fields[5].split(separator: " ⏎ ").map(String.init))
    }

    /// Country, street, city, region, postcode, and the lines on the letter.
    private static let table = """
        CN | 12 Dongchang'an Jie | Dongcheng | Beijing | 100006 | 12 Dongchang'an Jie ⏎ Dongcheng ⏎ BEIJING, 100006
        CN | 东长安街12号 | 东城区 | 北京市 | 100006 | 100006 ⏎ 北京市东城区 ⏎ 东长安街12号
        IN | 12 MG Road | Bengaluru | Karnataka | 560001 | 12 MG Road ⏎ Bengaluru 560001 ⏎ Karnataka
        US | 301 Hamilton Ave | Palo Alto | California | 94303 | 301 Hamilton Ave ⏎ PALO ALTO, CA 94303
        ID | Jl. Thamrin No. 9 | Jakarta Pusat | DKI Jakarta | 10350 | Jl. Thamrin No. 9 ⏎ Jakarta Pusat ⏎ DKI Jakarta 10350
        PK | 12 Mall Road | Lahore | Punjab | 54000 | 12 Mall Road ⏎ Lahore-54000
        NG | 12 Broad Street | Ikeja | Lagos | 100271 | 12 Broad Street ⏎ IKEJA 100271 ⏎ LAGOS
        BR | Rua Augusta, 12 | São Paulo | SP | 01305-000 | Rua Augusta, 12 ⏎ SÃO PAULO-SP ⏎ 01305-000
        BD | 12 Dilkusha Road | Dhaka |  | 1000 | 12 Dilkusha Road ⏎ Dhaka - 1000
        RU | ул. Ленина, 5 | Пермь | Пермский край | 614000 | ул. Ленина, 5 ⏎ ПЕРМЬ ⏎ Пермский край ⏎ 614000
        MX | Calle Hidalgo 12 | Guadalajara | Jal. | 44100 | Calle Hidalgo 12 ⏎ 44100 GUADALAJARA, JAL.
        ET | Churchill Avenue 12 | Addis Ababa |  | 1000 | Churchill Avenue 12 ⏎ 1000 Addis Ababa
        JP | 1-9-1 Marunouchi | Chiyoda-ku | Tokyo | 100-0005 | 1-9-1 Marunouchi ⏎ Chiyoda-ku ⏎ TOKYO 100-0005
        JP | 丸の内1-9-1 | 千代田区 | 東京都 | 100-0005 | 〒100-0005 ⏎ 東京都千代田区丸の内1-9-1
        PH | 12 Rizal Avenue | Makati | Metro Manila | 1200 | 12 Rizal Avenue ⏎ Makati ⏎ 1200 Metro Manila
        EG | 12 Tahrir Street | Dokki | Giza | 12311 | 12 Tahrir Street ⏎ Dokki ⏎ Giza ⏎ 12311
        CD | 12 avenue du Commerce | Kinshasa |  |  | 12 avenue du Commerce ⏎ Kinshasa
        VN | 12 Lê Lợi | Quận 1 | Hồ Chí Minh | 700000 | 12 Lê Lợi ⏎ Quận 1 ⏎ Hồ Chí Minh 700000
        IR | Valiasr Street 12 | Karaj | Alborz | 31347 | Alborz ⏎ Karaj ⏎ Valiasr Street 12 ⏎ 31347
        TR | İstiklal Cd. No: 5 | Beyoğlu | İstanbul | 34433 | İstiklal Cd. No: 5 ⏎ 34433 Beyoğlu/İstanbul
        DE | Hauptstraße 12 | Bonn | Nordrhein-Westfalen | 53111 | Hauptstraße 12 ⏎ 53111 Bonn
        TH | 12 Sukhumvit Road | Watthana | Bangkok | 10110 | 12 Sukhumvit Road ⏎ Watthana ⏎ BANGKOK 10110
        TZ | 12 Azikiwe Street | Dar es Salaam |  | 11101 | 12 Azikiwe Street ⏎ 11101 Dar es Salaam
        GB | 10 Downing Street | London | England | sw1a 2aa | 10 Downing Street ⏎ LONDON ⏎ SW1A 2AA
        FR | 12 rue de Rivoli | Paris | Île-de-France | 75004 | 12 rue de Rivoli ⏎ 75004 PARIS
        ZA | 12 Long Street | Cape Town | Western Cape | 8001 | 12 Long Street ⏎ Cape Town ⏎ 8001
        IT | Via Roma 12 | Bergamo | BG | 24121 | Via Roma 12 ⏎ 24121 BERGAMO BG
        KE | Kenyatta Avenue 12 | Nairobi |  | 00100 | Kenyatta Avenue 12 ⏎ Nairobi ⏎ 00100
        MM | 12 Merchant Street | Yangon |  | 11181 | 12 Merchant Street ⏎ Yangon, 11181
        CO | Calle 26 # 59-51 | Medellín | Antioquia | 050001 | Calle 26 # 59-51 ⏎ Medellín, Antioquia, 050001
        KR | 152 Teheran-ro | Gangnam-gu | Seoul | 06236 | 152 Teheran-ro ⏎ Gangnam-gu ⏎ Seoul ⏎ 06236
        KR | 테헤란로 152 | 강남구 | 서울특별시 | 06236 | 서울특별시 강남구 ⏎ 테헤란로 152 ⏎ 06236
        SD | Nile Street 12 | Khartoum |  | 11111 | Nile Street 12 ⏎ Khartoum ⏎ 11111
        UG | 12 Kampala Road | Kampala |  |  | 12 Kampala Road ⏎ Kampala
        ES | Calle Mayor, 5 | Getafe | Madrid | 28901 | Calle Mayor, 5 ⏎ 28901 GETAFE MADRID
        ES | Calle Mayor, 5 | Madrid | Madrid | 28013 | Calle Mayor, 5 ⏎ 28013 MADRID
        DZ | 12 rue Didouche Mourad | Alger |  | 16000 | 12 rue Didouche Mourad ⏎ 16000 Alger
        IQ | Street 12 | Mosul | Nineveh | 41002 | Street 12 ⏎ MOSUL, NINEVEH ⏎ 41002
        AR | Av. Corrientes 1234 | La Plata | Buenos Aires | 1900 | Av. Corrientes 1234 ⏎ 1900 LA PLATA ⏎ Buenos Aires
        AF | Street 12 | Kabul |  | 1001 | Street 12 ⏎ Kabul ⏎ 1001
        PL | ul. Długa 5/7 | Kraków | małopolskie | 31-147 | ul. Długa 5/7 ⏎ 31-147 Kraków
        CA | 12 Yonge St | Toronto | Ontario | m5e 1r4 | 12 Yonge St ⏎ TORONTO ON M5E 1R4
        MA | 12 rue de Fès | Rabat |  | 10000 | 12 rue de Fès ⏎ 10000 Rabat
        SA | 8228 King Abdulaziz Road | Riyadh |  | 12643 | 8228 King Abdulaziz Road ⏎ Riyadh 12643
        UA | вул. Хрещатик, 22 | Бровари | Київська обл. | 07400 | вул. Хрещатик, 22 ⏎ Бровари ⏎ Київська обл. ⏎ 07400
        AO | Rua Rainha Ginga 12 | Luanda |  |  | Rua Rainha Ginga 12 ⏎ Luanda
        UZ | Amir Temur 12 | Tashkent | Tashkent | 100000 | Amir Temur 12 ⏎ 100000 TASHKENT
        YE | Zubairi Street 12 | Sana'a |  |  | Zubairi Street 12 ⏎ Sana'a
        PE | Av. Larco 123 | Miraflores | Lima | 15074 | Av. Larco 123 ⏎ Miraflores 15074 ⏎ Lima
        MY | 12 Jalan Ampang | Kuala Lumpur | Selangor | 50450 | 12 Jalan Ampang ⏎ 50450 KUALA LUMPUR ⏎ SELANGOR
        GH | 12 Oxford Street | Accra |  |  | 12 Oxford Street ⏎ Accra
        MZ | Av. 25 de Setembro 12 | Maputo |  | 1100 | Av. 25 de Setembro 12 ⏎ 1100 Maputo
        NP | Durbar Marg 12 | Kathmandu |  | 44600 | Durbar Marg 12 ⏎ Kathmandu 44600
        MG | 12 rue Rainitovo | Antananarivo |  | 101 | 12 rue Rainitovo ⏎ 101 Antananarivo
        CI | 12 rue du Commerce | Abidjan |  |  | 12 rue du Commerce ⏎ Abidjan
        VE | Avenida Urdaneta 12 | Valencia | Carabobo | 2001 | Avenida Urdaneta 12 ⏎ VALENCIA 2001, CARABOBO
        CM | 12 rue Joffre | Douala |  |  | 12 rue Joffre ⏎ Douala
        NE | 12 rue du Grand Hôtel | Niamey |  | 8001 | 12 rue du Grand Hôtel ⏎ 8001 Niamey
        AU | 100 George Street | Sydney | New South Wales | 2000 | 100 George Street ⏎ SYDNEY NSW 2000
        KP | Sungri Street 12 | Pyongyang |  |  | Sungri Street 12 ⏎ Pyongyang
        TW | 7 Xinyi Rd Sec. 5 | Xinyi Dist. | Taipei City | 110 | 7 Xinyi Rd Sec. 5 ⏎ Xinyi Dist., Taipei City 110
        TW | 信義路五段7號 | 信義區 | 臺北市 | 110 | 110 ⏎ 臺北市信義區 ⏎ 信義路五段7號
        ML | Avenue Modibo Keïta 12 | Bamako |  |  | Avenue Modibo Keïta 12 ⏎ Bamako
        BF | Avenue Kwamé N'Krumah 12 | Ouagadougou |  |  | Avenue Kwamé N'Krumah 12 ⏎ Ouagadougou
        SY | Baghdad Street 12 | Damascus |  |  | Baghdad Street 12 ⏎ Damascus
        FI | Mannerheimintie 5 | Helsinki | Uusimaa | 00100 | Mannerheimintie 5 ⏎ 00100 HELSINKI
        NL | Keizersgracht 12 | Amsterdam | Noord-Holland | 1015 cn | Keizersgracht 12 ⏎ 1015 CN AMSTERDAM
        HU | Kossuth tér 1-3. | Budapest |  | 1055 | Budapest ⏎ Kossuth tér 1-3. ⏎ 1055
        CH | Bahnhofstr. 3 | St. Gallen | SG | 9000 | Bahnhofstr. 3 ⏎ 9000 St. Gallen
        """
}

extension Substring {
    /// Between the bars of a table.
    fileprivate var trimmingBlanks: String { String(self).trimmed }
}
