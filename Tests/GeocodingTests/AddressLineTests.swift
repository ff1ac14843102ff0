import Geocoding
import Testing

struct AddressLineTests {
    /// Street, city, region, postcode and country, with `|` between.
    @Test(arguments: [
        ("1600 Pennsylvania Ave NW, Washington", "1600 Pennsylvania Ave NW|Washington|||"),
        ("1600 Pennsylvania Ave NW, Washington, DC 20500", "1600 Pennsylvania Ave NW|Washington|DC|20500|"),
        ("1 Main St, Reno, NV 89501-1234, USA", "1 Main St|Reno|NV|89501-1234|USA"),
        ("1 Main St, Reno NV 89501, USA", "1 Main St|Reno|NV|89501|USA"),
        ("1 Main St, Los Angeles, CA 90012", "1 Main St|Los Angeles|CA|90012|"),
        ("350 5th Ave, New York, NY, United States", "350 5th Ave|New York|NY||United States"),
        ("350 5th Ave, New York, USA", "350 5th Ave|New York|||USA"),
        ("350 5th Ave, New York, New York, USA", "350 5th Ave|New York|New York||USA"),
        ("1 Main St, Reno, Nevada, 89501, USA", "1 Main St|Reno|Nevada|89501|USA"),
        ("1 Main St, Reno, NV", "1 Main St|Reno|NV||"),
        ("Apt 4, 1600 Pennsylvania Ave, Washington", "Apt 4, 1600 Pennsylvania Ave|Washington|||"),
        ("1600 Pennsylvania Ave, USA", "1600 Pennsylvania Ave||||USA"),
        ("Beverly Hills 90210, USA", "|Beverly Hills||90210|USA"),
        ("80 Wellington St, Ottawa ON K1A 0A2, Canada", "80 Wellington St|Ottawa|ON|K1A 0A2|Canada"),
        ("80 Wellington St, Ottawa, ON K1A0A2", "80 Wellington St|Ottawa|ON|K1A0A2|"),
        ("1 Macquarie St, Sydney NSW 2000, Australia", "1 Macquarie St|Sydney|NSW|2000|Australia"),
        ("1 Queen St, Auckland 1010, New Zealand", "1 Queen St|Auckland||1010|New Zealand"),
        ("10 Downing Street, London SW1A 2AA, UK", "10 Downing Street|London||SW1A 2AA|UK"),
        ("10 Downing Street, London, sw1a 2aa", "10 Downing Street|London||sw1a 2aa|"),
        ("1 Deansgate, M3 1AZ Manchester, England", "1 Deansgate|Manchester||M3 1AZ|England"),
        ("Kildare St, Dublin 2 D02 AF30, Ireland", "Kildare St|Dublin 2||D02 AF30|Ireland"),
        ("Kildare St, Dublin, D02AF30", "Kildare St|Dublin||D02AF30|"),
        ("Damrak 1, 1012 LG Amsterdam, Nederland", "Damrak 1|Amsterdam||1012 LG|Nederland"),
        ("Damrak 1, 1012LG Amsterdam", "Damrak 1|Amsterdam||1012LG|"),
        ("Mannerheimintie 1, 00100 Helsinki, Finland", "Mannerheimintie 1|Helsinki||00100|Finland"),
        ("Mannerheimintie 1, 00100 Helsinki, Uusimaa, Finland", "Mannerheimintie 1|Helsinki|Uusimaa|00100|Finland"),
        ("Mannerheimintie 1, Helsinki", "Mannerheimintie 1|Helsinki|||"),
        ("Invalidenstr. 1, D-10115 Berlin", "Invalidenstr. 1|Berlin||D-10115|"),
        ("Invalidenstr. 1\n10115 Berlin\nDeutschland", "Invalidenstr. 1|Berlin||10115|Deutschland"),
        ("Invalidenstr. 1, Berlin, 10115, Germany", "Invalidenstr. 1|Berlin||10115|Germany"),
        ("Invalidenstr. 1, 10115, Berlin", "Invalidenstr. 1|Berlin||10115|"),
        ("10115 Berlin, Germany", "|Berlin||10115|Germany"),
        ("Hinterhaus, Invalidenstr. 1, 10115 Berlin", "Hinterhaus, Invalidenstr. 1|Berlin||10115|"),
        ("Stephansplatz 1, 1010 Wien, Österreich", "Stephansplatz 1|Wien||1010|Österreich"),
        ("1010 Wien, Austria", "|Wien||1010|Austria"),
        ("Bahnhofstrasse 1, CH-8001 Zürich, Schweiz", "Bahnhofstrasse 1|Zürich||CH-8001|Schweiz"),
        ("10 Rue de Rivoli, 75004 Paris, France", "10 Rue de Rivoli|Paris||75004|France"),
        ("Drottninggatan 1, 111 51 Stockholm, Sverige", "Drottninggatan 1|Stockholm||111 51|Sverige"),
        ("Karlova 1, 110 00 Praha 1, Czechia", "Karlova 1|Praha 1||110 00|Czechia"),
        ("ul. Marszałkowska 1, 00-624 Warszawa, Polska", "ul. Marszałkowska 1|Warszawa||00-624|Polska"),
        ("Rua Augusta 1, 1100-048 Lisboa, Portugal", "Rua Augusta 1|Lisboa||1100-048|Portugal"),
        ("Avenida Paulista 1, São Paulo, 01310-100, Brasil", "Avenida Paulista 1|São Paulo||01310-100|Brasil"),
        ("Calle Mayor 1, 28013 Madrid, España", "Calle Mayor 1|Madrid||28013|España"),
        ("1-1 Chiyoda, Tokyo 100-0001, Japan", "1-1 Chiyoda|Tokyo||100-0001|Japan"),
        ("1 Rajpath, New Delhi 110001, India", "1 Rajpath|New Delhi||110001|India"),
        ("1 Republic Street, Valletta VLT 1117, Malta", "1 Republic Street|Valletta||VLT 1117|Malta"),
        ("Reno", "|Reno|||"),
        ("Via Roma 1", "Via Roma 1||||"),
        ("Helsinki, Finland", "|Helsinki|||Finland"),
        (" , Reno ,\n", "|Reno|||"),
        ("", "||||"),
    ]) func `a line is read as people of its country mean it`(_ line: String, _ expected: String) {
        let address = Address(line: line)
        let parts = [address.street, address.city, address.region, address.postcode, address.country]
        #expect(parts.joined(separator: "|") == expected)
    }
}
