import Testing

@testable import Towns

struct PostcodeTextTests {
    @Test func `postcodes are compared without their spaces and hyphens`() {
        #expect(PostcodeText.key(" sw1a  2AA ", in: "GB") == "sw1a2aa")
        #expect(PostcodeText.key("00-950", in: "PL") == "00950")
    }

    @Test func `a country before its postcode is removed, a letter of the postcode is not`() {
        #expect(PostcodeText.key("L-1115", in: "LU") == "1115")
        #expect(PostcodeText.key("LV-1005", in: "LV") == "1005")
        #expect(PostcodeText.key("D-80331", in: "DE") == "80331")
        #expect(PostcodeText.key("D-80331", in: "FR") == "d80331")
        #expect(PostcodeText.key("B1 1AA", in: "GB") == "b11aa")
    }

    @Test(arguments: [("D-80331", "DE"), ("fl-9490", "LI"), ("EST-10111", "EE"), ("LV-1005", "LV")])
    func `a sign before a postcode names its country`(postcode: String, country: String) {
        #expect(PostcodeText.signed(postcode)?.country == country)
    }

    @Test func `in a country with areas only, a postcode is searched by its area`() {
        #expect(PostcodeText.area(of: "sw1a2aa", in: "GB") == "sw1a")
        #expect(PostcodeText.area(of: "1011ab", in: "NL") == "1011")
        #expect(PostcodeText.area(of: "c1043aaz", in: "AR") == "1043")
        #expect(PostcodeText.area(of: "943011234", in: "US") == "94301")
        #expect(PostcodeText.area(of: "00100", in: "FI") == "")
    }
}
