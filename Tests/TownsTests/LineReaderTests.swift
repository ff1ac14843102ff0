import Geocoding
import Testing

@testable import Towns

struct LineReaderTests {
    private static let lines: [(String, Address)] = [
        (
            "Stephansplatz 1, 1010 Wien, Austria",
            Address(street: "Stephansplatz 1", city: "Wien", postcode: "1010", country: "Austria")
        ),
        (
            "Stephansplatz 1 1010 Wien Austria",
            Address(street: "Stephansplatz 1", city: "Wien", postcode: "1010", country: "Austria")
        ),
        ("1010 Wien", Address(city: "Wien", postcode: "1010")),
        ("1015 CN Amsterdam", Address(city: "Amsterdam", postcode: "1015 CN")),
        ("101 Reykjavík", Address(city: "Reykjavík", postcode: "101")),
        ("C1043AAZ Buenos Aires", Address(city: "Buenos Aires", postcode: "C1043AAZ")),
        ("Richmond, VA", Address(city: "Richmond", region: "VA")),
        ("San Francisco, CA", Address(city: "San Francisco", region: "CA")),
        ("Chicago, Illinois", Address(city: "Chicago", region: "Illinois")),
        ("Paris, Texas", Address(city: "Paris", region: "Texas")),
        ("Kineshma, Ivanovo, Russia", Address(city: "Kineshma", region: "Ivanovo", country: "Russia")),
        ("Izmayil, Odessa, Ukraine", Address(city: "Izmayil", region: "Odessa", country: "Ukraine")),
        (
            "ul. Lenina 117 Aleksin Tula Russia",
            Address(street: "ul. Lenina 117", city: "Aleksin", region: "Tula", country: "Russia")
        ),
        ("Chincha Alta, Ica, Peru", Address(city: "Chincha Alta", region: "Ica", country: "Peru")),
        (
            "29 King Street Nottingham United Kingdom",
            Address(street: "29 King Street", city: "Nottingham", country: "United Kingdom")
        ),
        (
            "High Street 5, Street, Somerset, UK",
            Address(street: "High Street 5", city: "Street", region: "Somerset", country: "UK")
        ),
        (
            "Hauptstr. 5, Pirna, Dresden, Germany",
            Address(street: "Hauptstr. 5", city: "Pirna", region: "Dresden", country: "Germany")
        ),
        ("Via Roma 5 Milano Italia", Address(street: "Via Roma 5", city: "Milano", country: "Italia")),
        (
            "100 Oak Avenue, Magnolia, DE 19962, USA",
            Address(street: "100 Oak Avenue", city: "Magnolia", region: "DE", postcode: "19962", country: "USA")
        ),
        (
            "89 Oak Avenue, Ewing, KY 41039, United States",
            Address(street: "89 Oak Avenue", city: "Ewing", region: "KY", postcode: "41039", country: "United States")
        ),
        (
            "5 Elm St, Ewing, KY 49999, United States",
            Address(street: "5 Elm St", city: "Ewing", region: "KY", postcode: "49999", country: "United States")
        ),
        ("Steward, IL", Address(city: "Steward", region: "IL")),
        ("Laurel Mountain, PA 15655", Address(city: "Laurel Mountain", region: "PA", postcode: "15655")),
        ("Steward, IL 60553", Address(city: "Steward", region: "IL", postcode: "60553")),
        ("Hosston, LA, United States", Address(city: "Hosston", region: "LA", country: "United States")),
        ("Templeville, Maryland, USA", Address(city: "Templeville", region: "Maryland", country: "USA")),
        ("Duffield, Virginia, United States", Address(city: "Duffield", region: "Virginia", country: "United States")),
        ("Jungfernstieg, Hamburg, Germany", Address(street: "Jungfernstieg", city: "Hamburg", country: "Germany")),
        ("Pune, Maharashtra, India", Address(city: "Pune", region: "Maharashtra", country: "India")),
        (
            "12 Rue Leconte, 97420 Le Port, La Réunion, France",
            Address(
                street: "12 Rue Leconte", city: "Le Port", region: "La Réunion", postcode: "97420", country: "France")
        ),
        (
            "Trammplatz 2, 30159 Hannover, Germany",
            Address(street: "Trammplatz 2", city: "Hannover", postcode: "30159", country: "Germany")
        ),
        (
            "12 Main St Peoria IL 61602 USA",
            Address(street: "12 Main St", city: "Peoria", region: "IL", postcode: "61602", country: "USA")
        ),
        (
            "10 Downing Street London SW1A 2AA",
            Address(street: "10 Downing Street", city: "London", postcode: "SW1A 2AA")
        ),
        (
            "Rue de Paris 12, 69001 Lyon, France",
            Address(street: "Rue de Paris 12", city: "Lyon", postcode: "69001", country: "France")
        ),
        (
            "Via Roma 5, 20147 MILANO MI, Italy",
            Address(street: "Via Roma 5", city: "MILANO", region: "MI", postcode: "20147", country: "Italy")
        ),
        ("Marienplatz 1, D-80331 München", Address(street: "Marienplatz 1", city: "München", postcode: "D-80331")),
        (
            "Calle 26 # 59-51, Bogotá, Colombia",
            Address(street: "Calle 26 # 59-51", city: "Bogotá", country: "Colombia")
        ),
        // An unknown town is recognized by its place in the line.
        (
            "Hauptstraße 5, 30159 Hannovr, Germany",
            Address(street: "Hauptstraße 5", city: "Hannovr", postcode: "30159", country: "Germany")
        ),
        ("Hauptstraße 5 Hannovr Germany", Address(street: "Hauptstraße 5", city: "Hannovr", country: "Germany")),
        (
            "Россия, 125009, Москва, Тверская ул., 1",
            Address(street: "Тверская ул., 1", city: "Москва", postcode: "125009", country: "Россия")
        ),
        ("00100 Tampere, Finland", Address(city: "Tampere", postcode: "00100", country: "Finland")),
        ("Hauptstr. 5, Hannovr, Germny", Address(street: "Hauptstr. 5", city: "Hannovr", country: "Germny")),
        // A known postcode of the country is found without a known town.
        ("Flat 2, SW1A 2AA, UK", Address(street: "Flat 2", postcode: "SW1A 2AA", country: "UK")),
        ("Unit 5, IL 60601", Address(street: "Unit 5", region: "IL", postcode: "60601")),
        ("12 Main Street, Daejeon, Korea", Address(street: "12 Main Street", city: "Daejeon", country: "Korea")),
        (
            "12 Main St, Luxor, Egypt, Arab Rep.",
            Address(street: "12 Main St", city: "Luxor", country: "Egypt, Arab Rep.")
        ),
        // The name of a street is not the town, and a country is not its capital.
        ("Via Roma 12, Massanzagorro", Address(street: "Via Roma 12", city: "Massanzagorro")),
        ("Avenue Louis Pasteur 4, Gellainvillette", Address(street: "Avenue Louis Pasteur 4", city: "Gellainvillette")),
        ("Some Village, Mexico", Address(city: "Some Village", country: "Mexico")),
        (
            "Jalan Masjid 20, 71750 Beranang, Selangor, Malaysia",
            Address(
                street: "Jalan Masjid 20", city: "Beranang", region: "Selangor", postcode: "71750", country: "Malaysia")
        ),
        (
            "Jalan Merdeka 130 Tarakan Kalimantan Timur Indonesia",
            Address(
                street: "Jalan Merdeka 130", city: "Tarakan", region: "Kalimantan Timur", country: "Indonesia")
        ),
        ("Blackey, Ohio", Address(city: "Blackey", region: "Ohio")),
        (
            "El Nosuchrosario, Jujuy, Argentina",
            Address(city: "El Nosuchrosario", region: "Jujuy", country: "Argentina")
        ),
        ("15100 Las Nosuchmaderas", Address(city: "Las Nosuchmaderas", postcode: "15100")),
        // The end of a line is a country, not a town of that name.
        (
            "12 Nosuch Turnpike, Nosuchhills, NJ, US",
            Address(street: "12 Nosuch Turnpike", city: "Nosuchhills", region: "NJ", country: "US")
        ),
        (
            "148 Route 73, Voorhees, NJ 8043",
            Address(street: "148 Route 73", city: "Voorhees", region: "NJ", postcode: "8043")
        ),
        (
            "Moda Cad. No:5, Kadıköy/İstanbul",
            Address(street: "Moda Cad. No:5", city: "Kadıköy", region: "İstanbul")
        ),
        ("Россия, Москва, ул. Мира, 12", Address(street: "ул. Мира, 12", city: "Москва", country: "Россия")),
        (
            "Свердловская область, г. Екатеринбург, ул. Мира, 12",
            Address(street: "Свердловская область, г.", city: "Екатеринбург", region: "ул. Мира, 12")
        ),
        // A number in Korea or Japan is not a postcode.
        ("104-21, Seoul, KR", Address(street: "104-21", city: "Seoul", country: "KR")),
        ("2-13-28 Nosuchmachi, Kochi, JP", Address(street: "2-13-28 Nosuchmachi", city: "Kochi", country: "JP")),
        ("Recife/PE", Address(city: "Recife", region: "PE")),
        (
            "385200, Респ Адыгея, г Адыгейск, ул Ленина, д 5",
            Address(street: "Респ Адыгея, г", city: "Адыгейск", region: "ул Ленина, д 5", postcode: "385200")
        ),
        // Large to small, without spaces.
        (
            "〒100-0005 東京都千代田区丸の内1-9-1",
            Address(street: "千代田区丸の内1-9-1", city: "東京都", postcode: "100-0005")
        ),
        ("広島県広島市中区基町10-52", Address(street: "中区基町10-52", city: "広島市", region: "広島県")),
        ("浙江省杭州市西湖区文三路478号", Address(street: "文三路478号", city: "西湖", region: "浙江省")),
        ("경기도 수원시 팔달구 효원로 241", Address(street: "팔달구 효원로 241", city: "수원시", region: "경기도")),
        // Tags, entities, phone numbers and notes are not part of an address.
        (
            "<p>12 Main St<br/>Peoria, IL&nbsp;61602<br>USA</p> Tel: +1 309 555 0188",
            Address(street: "12 Main St", city: "Peoria", region: "IL", postcode: "61602", country: "USA")
        ),
        (
            "Address: Rue de l&#39;&Eacute;glise 4 | Lyon | France | (call before visiting) | info@example.com",
            Address(street: "Rue de l'E\u{301}glise 4", city: "Lyon", country: "France")
        ),
        ("", Address()),
        (" , ;; ", Address()),
    ]

    @Test(arguments: lines)
    func `a line gives the same address as its columns`(_ line: String, _ columns: Address) {
        let read = Gazetteer.shared.read(line: line)
        #expect(read == columns)
        #expect(AddressHash(read) == AddressHash(columns))
    }

    /// The town stands between the house number and the region, even an unknown one. A number before its street gives
    /// no such hint.
    @Test func `without commas, the words between a number and a region are the town`() {
        let gazetteer = Gazetteer.shared
        let sanPedro = gazetteer.read(line: "Plaza de España 137 San Pedro Jujuy Argentina")
        #expect(sanPedro.city == "San Pedro" && sanPedro.region == "Jujuy")
        let durango = gazetteer.read(line: "Calle Victoria 12 Nosuchplace Durango Mexico")
        #expect(durango.city == "Nosuchplace" && durango.region == "Durango")
        #expect(gazetteer.search(durango).isEmpty)
        #expect(gazetteer.read(line: "12 Calle Victoria Durango Mexico").city == "Durango")
        #expect(gazetteer.read(line: "Calle Victoria 12 Durango Mexico").city == "Durango")
        // Paraguay is also a name of Asunción.
        #expect(gazetteer.search(gazetteer.read(line: "Avenida Libertad 137 Nosuchplace Paraguay")).isEmpty)
    }

    @Test func `the last word is not a town only because it is last`() {
        let read = Gazetteer.shared.read(line: "12 Main Street, Springfield, Clark County, Ohio, USA")
        #expect(read.city == "Springfield")
    }

    @Test func `a line of any length is parsed in bounded time`() {
        let long = String(repeating: "San Antonio 12345, ", count: 20_000)
        #expect(!Gazetteer.shared.read(line: long).city.isEmpty)
        #expect(Gazetteer.shared.read(line: String(repeating: "é", count: 50_000)).country.isEmpty)
    }
}
