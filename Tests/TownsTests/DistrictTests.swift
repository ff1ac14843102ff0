import Geocoding
import Testing

@testable import Towns

/// Parts of large cities, and addresses in which a part is unknown.
struct DistrictTests {
    private func located(_ address: Address) -> Candidate? {
        Gazetteer.shared.search(address).first {
            Confidence(of: $0, for: address).value >= Thresholds().located
        }
    }

    private func isNear(_ candidate: Candidate?, _ latitude: Double, _ longitude: Double) -> Bool {
        guard let candidate, let truth = Coordinate(latitude: latitude, longitude: longitude) else { return false }
        return candidate.placemark.coordinate.distance(to: truth) < 15_000
    }

    @Test(arguments: [
        ("Moda Cad. No:5, Kadıköy/İstanbul", 40.99, 29.03), ("Moda Cad. 5 KADIKÖY İSTANBUL Türkiye", 40.99, 29.03),
        ("Atatürk Cad. No 3, Merkez, Kars, Türkiye", 40.60, 43.10), ("Calle 5, Caba, Argentina", -34.61, -58.38),
        ("Av. Santa Fe 3253, Palermo, CABA", -34.58, -58.42),
        ("Monteagudo 3, Florencio Varela, Buenos Aires, Argentina", -34.80, -58.28),
        ("Jl. Sudirman 5, Jakarta Pusat, Indonesia", -6.18, 106.83),
        ("Jl. Gatot Subroto, Kec. Cicendo, Kab. Bandung, Jawa Barat", -6.91, 107.6),
        ("69 Trần Huy Liệu, P.6, Q. Phú Nhuận, TP.HCM", 10.80, 106.68),
        ("Số 5 Xã Đàn, Quận Đống Đa, Hà Nội", 21.01, 105.83),
        ("12 Nguyen Trung Truc, Rach Gia, Kien Giang", 10.01, 105.08),
        ("160 ถนนพระรามที่ 2 แขวงแสมดำ เขตบางขุนเทียน กรุงเทพมหานคร 10150", 13.66, 100.43),
        ("123 หมู่ 4 ตำบลสุเทพ อำเภอเมือง จังหวัดเชียงใหม่ 50200", 18.79, 98.98),
        ("อ.เมือง จ.ขอนแก่น 40000", 16.44, 102.83), ("Jugoslávských 3, Praha 6 - Dejvice", 50.10, 14.39),
        ("Espejo y San Martin, Mendoza, AR", -32.89, -68.84),
        ("Av. Libertador 100, Barker, Buenos Aires, Argentina", -37.64, -59.39),
        ("Lasalle 58, Gonzalez Catan, Bs. As., Argentina", -34.77, -58.64),
        ("Durak Sk. No:1/B Niyazi Kara Apt. KOZAN/ADANA", 37.45, 35.82),
        ("Gazi Paşa Mahallesi 66037. Sokak No: 3/A MERKEZ/BOLU", 40.73, 31.61),
        ("Palackého 359/1, Tábor", 49.41, 14.66),
        ("Chang Phueak, Mueang Chiang Mai District, Chiang Mai, Thailand", 18.79, 98.98),
    ])
    func `a part of a city is found on a line`(_ line: String, _ latitude: Double, _ longitude: Double) {
        let address = Gazetteer.shared.read(line: line)
        #expect(isNear(located(address), latitude, longitude), "\(line): \(address)")
    }

    @Test(arguments: [
        (Address(city: "Praha 6 - Dejvice", postcode: "160 00", country: "CZ"), 50.10, 14.39),
        (Address(city: "MERKEZ | KARS", country: "Türkiye"), 40.60, 43.10),
        (Address(city: "Merkez", region: "Kars", country: "TR"), 40.60, 43.10),
        (Address(city: "Kadıköy / İstanbul", country: "TR"), 40.99, 29.03),
        (Address(city: "Kadıköy", postcode: "34710", country: "TR"), 40.99, 29.03),
        (Address(city: "Kec. Kebayoran Baru, Jakarta Selatan", country: "ID"), -6.24, 106.80),
        (Address(city: "Quận Không Có", region: "Hà Nội", country: "VN"), 21.02, 105.84),
        (Address(city: "Muang", region: "Chiang Mai", postcode: "50200", country: "TH"), 18.79, 98.98),
        (Address(city: "<b>Berlin</b>", postcode: "10115", country: "DE"), 52.53, 13.39),
        (Address(city: #"Rạch Giá\nKiên Giang"#, country: "VN"), 10.01, 105.08),
        (Address(city: "Caba", country: "AR"), -34.61, -58.38),
        (Address(city: "Brno - Ponava", country: "CZ"), 49.2, 16.61),
        (Address(city: "Praha 12", country: "CZ"), 50.08, 14.43),
        (Address(city: "Merkez", region: "Bolu", country: "TR"), 40.73, 31.61),
    ])
    func `columns and lines take one path`(_ address: Address, _ latitude: Double, _ longitude: Double) {
        #expect(isNear(located(address), latitude, longitude), "\(address)")
    }

    @Test(arguments: [
        Address(city: "Pueblonuevo de Arriba Seco"), Address(city: "Lilla Harrvik", country: "SE"),
        Address(city: "Xarvingstead", postcode: "4002", country: "Luxembourg"),
        Address(city: "Kamyanets-Podilsyy", region: "Khmel'nyts'kyy", country: "Ukraine"),
        Address(city: "Xarvingo", region: "Buenos Aires", country: "AR"),
    ])
    func `an unknown town does not become a piece of its own name, its region or its country`(_ address: Address) {
        #expect(located(address).flatMap(\.placemark.locality) == nil, "\(address)")
    }

    @Test(arguments: [
        "Av. Libertador 100, Xarvingo, Buenos Aires, Argentina", "San Martín 6200, San Martin, Buenos Aires, Argentina",
    ])
    func `a province is not the town, and a house number is not a postcode`(_ line: String) {
        #expect(located(Gazetteer.shared.read(line: line)) == nil)
    }

    @Test(arguments: [
        ("10 Downing St, SW1A 2AA", "GB"), ("Keizersgracht 12, 1015 CN", "NL"), ("24 Sussex Dr, K1M 1M4", "CA"),
    ])
    func `a whole postcode of one country needs no country`(_ line: String, _ country: String) throws {
        let read = Gazetteer.shared.read(line: line)
        #expect(try #require(located(read)).placemark.countryCode == country)
        let column = Address(street: "12", postcode: read.postcode)
        #expect(try #require(located(column)).placemark.countryCode == country)
    }

    @Test(arguments: [
        (Address(city: "Malmgård", postcode: "07720", country: "FI"), 60.54, 25.95),
        (Address(city: "Запоріжжя", postcode: "69000", country: "UA"), 47.85, 35.12),
        (Address(city: "Богуслав", postcode: "09701", country: "UA"), 49.55, 30.87),
        (Address(city: "Ubon Ratchathani", postcode: "34000", country: "TH"), 15.24, 104.85),
        (Address(city: "St-Denis", postcode: "93200", country: "France"), 48.94, 2.36),
    ])
    func `a postcode is where its town is`(_ address: Address, _ latitude: Double, _ longitude: Double) {
        #expect(isNear(located(address), latitude, longitude), "\(address)")
    }

    @Test func `the middle of a small postcode is used instead of its large town`() throws {
        let address = Address(city: "Houston", region: "TX", postcode: "77036", country: "US")
        let found = try #require(located(address))
        #expect(found.precision == .postcode)
        #expect(isNear(found, 29.70, -95.54))
    }
}
