import Testing

@testable import Geocoding

struct PostcodeKeyTests {
    /// A country, and spellings of one postcode.
    @Test(arguments: [
        ["DE", "80331", "D-80331", "D 80331", "DE-80331", "DE80331", "DEU-80331", "PLZ 80331"],
        ["AT", "1010", "A-1010", "AT-1010", "a1010"], ["LI", "9490", "FL-9490", "LI-9490"],
        ["LT", "01001", "LT-01001", "LT 01001"], ["LV", "1005", "LV-1005"], ["LU", "1115", "L-1115", "LU-1115"],
        ["PL", "00950", "00-950", "PL 00-950", "PL-00950"], ["BR", "01310100", "01310-100", "CEP 01310-100"],
        ["NL", "1015cn", "1015 CN", "1015CN", "NL-1015 CN"], ["SE", "11122", "SE-111 22", "S-111 22", "111 22"],
        ["GR", "10431", "104 31", "GR 104 31", "T.K. 104 31", "Τ.Κ. 10431"],
        ["CZ", "11000", "110 00", "CZ-110 00", "PSČ 110 00"],
        ["SK", "81101", "811 01", "SK-811 01"], ["FI", "00100", "FI-00100", "FIN-00100"], ["EE", "10111", "EE-10111"],
        ["HU", "1051", "H-1051", "HU-1051"], ["IT", "20121", "I-20121", "IT-20121", "CAP 20121"],
        ["FR", "75001", "F-75001", "FR-75001", "75 001"], ["ES", "28001", "E-28001", "C.P. 28001"],
        ["MX", "06000", "CP 06000", "C.P. 06000"], ["PT", "1000001", "1000-001", "P-1000-001", "PT 1000-001"],
        ["GB", "sw1a1aa", "SW1A 1AA", "sw1a1aa", "SW1A-1AA"], ["CA", "k1a0b1", "K1A 0B1", "K1A-0B1"],
        ["US", "94303", "94303-1234", "943031234", "US-94303", "ZIP 94303"],
        ["JP", "1000001", "〒100-0001", "100-0001"],
        ["IN", "110001", "PIN 110001", "110 001"], ["MD", "2001", "MD-2001"], ["AZ", "1000", "AZ1000", "AZ 1000"],
        ["KY", "11001", "KY1-1001"], ["DE", "80331", "８０３３１"], ["AR", "c1043aaz", "C1043AAZ", "C 1043 AAZ"],
        ["IE", "d02x285", "D02 X285", "d02x285"], ["XX", "abc12", "ABC-12", "abc 12"],
    ])
    func `every spelling of a postcode has one key and one hash`(spellings: [String]) {
        for spelling in spellings.dropFirst() {
            #expect(PostcodeKey(spelling, in: spellings[0]).text == spellings[1], "\(spelling)")
            #expect(
                AddressHash(Address(postcode: spelling, country: spellings[0]))
                    == AddressHash(Address(postcode: spellings[1], country: spellings[0])), "\(spelling)")
        }
    }

    @Test(arguments: [
        ["DE", "01067", "1067"], ["GB", "B1 1AA", "11AA"], ["FR", "D-80331", "80331"], ["", "D-80331", "80331"],
        ["US", "CA 94303", "94303"], ["AR", "C1043AAZ", "1043"], ["DE", "80331", "80333"], ["PT", "1000-001", "1000"],
        ["CA", "94303-1234", "94303"], ["DE", "D", ""], ["NL", "NL-1015 C", "1015 C"],
    ])
    func `postcodes that may differ have different keys`(pair: [String]) {
        #expect(PostcodeKey(pair[1], in: pair[0]) != PostcodeKey(pair[2], in: pair[0]))
        #expect(
            AddressHash(Address(postcode: pair[1], country: pair[0]))
                != AddressHash(Address(postcode: pair[2], country: pair[0])))
    }

    @Test func `a leading zero removed by a spreadsheet is restored`() {
        let country = Country("DE")
        #expect(PostcodeKey("1067", in: country).match(PostcodeKey("01067", in: country)) == .same)
        #expect(PostcodeKey("1067", in: Country("AT")).match(PostcodeKey("01067", in: Country("AT"))) == .different)
        #expect(PostcodeKey("67", in: country).padded == "67")
    }
}
