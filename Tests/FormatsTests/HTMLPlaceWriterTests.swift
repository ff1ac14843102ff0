import Foundation
import Geocoding
import Testing

@testable import Formats

/// Tests/Browser/map_file.py tests the page in a browser.
struct HTMLPlaceWriterTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func `a page has every address in a data block, located or not`() throws {
        var nowhere = place("Bob")
        (nowhere.coordinate, nowhere.status, nowhere.place.reason) = (nil, .notFound, "nobody knows this address")
        let data = try data(of: written([place("Ada"), nowhere], attribution: ["© the gazetteer"]))

        #expect(data.attribution == ["© the gazetteer"])
        #expect(
            data.columns == [
                "key", "name", "label", "street", "city", "region", "postcode", "country", "status", "latitude",
                "longitude", "precision", "confidence", "area_confidence", "provider", "first_name", "last_name",
                "nickname",
                "matched_address", "weak", "reason",
            ])
        #expect(data.rows.count == 2)
        #expect(data.rows[0]["name"] as? String == "Ada" && data.rows[0]["latitude"] as? Double == 52.4)
        #expect(data.rows[0]["longitude"] as? Double == -0.25 && data.rows[0]["confidence"] as? Double == 0.93)
        #expect(data.rows[1]["status"] as? String == "not_found" && data.rows[1]["latitude"] is NSNull)
        #expect(data.rows[1]["reason"] as? String == "nobody knows this address")
    }

    @Test func `a page without places is complete`() throws {
        let page = try written([])
        #expect(try data(of: page).rows.isEmpty)
        #expect(page.hasSuffix("]}</script>\n</body>\n</html>\n"))
    }

    @Test(arguments: oddTexts + ["</script><script>alert(1)</script>", "<!--<script>", "a\u{2028}b", "]]>\\u003c"])
    func `any text reads back, and no text can close the data block`(text: String) throws {
        let page = try written([place(text)], attribution: [text])
        let data = try data(of: page)

        #expect((data.rows.first?["name"] as? String).map { Array($0.utf8) } == Array(text.utf8))
        #expect(data.attribution.map { Array($0.utf8) } == [Array(text.utf8)])
        #expect(block("places", of: page)?.contains("<") == false)
    }

    @Test func `the policy permits only the page's own scripts and styles, by digest`() throws {
        let page = try written([place("Ada")])
        let policy = try #require(page.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)).1
        #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
        #expect(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("*"))
        for (start, end) in [
            ("<style>", "</style>"), ("<script>", "</script>"), ("<script type=\"module\">", "</script>"),
        ] {
            let rest = try #require(page.components(separatedBy: start).dropFirst().first)
            let text = try #require(rest.components(separatedBy: end).first)
            let words = SHA256.digest(of: Array(text.utf8))
            let bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
            #expect(policy.contains("'sha256-\(Data(bytes).base64EncodedString())'"), "\(start)")
        }
        #expect(page.components(separatedBy: "<script").count - 1 == 4, "two that run, and two of data")
        #expect(!page.contains("src=\"") && !page.contains("<link rel=\"stylesheet"))
    }

    @Test func `a page names the licences of its contents`() throws {
        let page = try written([])
        #expect(page.contains("Vladimir Agafonkin") && page.contains("BSD-2-clause"))
        #expect(page.contains("Natural Earth") && page.contains("GeoNames"))
    }

    @Test func `requested columns are added, and "none" keeps the usual ones`() throws {
        let all = try data(of: written([place("Ada")], adding: #require(AddedColumns("hash"))))
        #expect(all.columns.suffix(4) == ["matched_address", "weak", "reason", "hash"])
        let none = try data(of: written([place("Ada")], adding: #require(AddedColumns("none"))))
        #expect(none.columns.last == "nickname")
    }

    private func written(
        _ places: [ContactPlace], attribution: [String] = [], adding added: AddedColumns = .usual
    ) throws -> String {
        var writer = try PlaceFormat(path: "a.HTML").writer(
            to: folder.file("a.html"), attribution: attribution, adding: added)
        for place in places { try writer.write(place) }
        try writer.finish().commit()
        return String(decoding: try folder.bytes(of: "a.html"), as: UTF8.self)
    }

    private func block(_ id: String, of page: String) -> String? {
        page.components(separatedBy: "<script type=\"application/json\" id=\"\(id)\">").dropFirst().first?
            .components(separatedBy: "</script>").first
    }

    private func data(
        of page: String
    ) throws -> (attribution: [String], columns: [String], rows: [[String: Any]]) {
        let text = try #require(block("places", of: page))
        let json = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let columns = try #require(json["columns"] as? [String])
        let rows = try #require(json["rows"] as? [[Any]])
        return (
            try #require(json["attribution"] as? [String]), columns,
            rows.map { Dictionary(uniqueKeysWithValues: zip(columns, $0)) }
        )
    }

    private func place(_ name: String) -> ContactPlace {
        ContactPlace(
            id: 1, sourceKey: "id:1", name: name, label: "home",
            address: Address(street: "1 High St", city: "Ely", postcode: "CB7", country: "UK"), status: .located,
            coordinate: Coordinate(latitude: 52.4, longitude: -0.25), precision: .rooftop, areaConfidence: 0.929,
            provider: "photon")
    }
}
