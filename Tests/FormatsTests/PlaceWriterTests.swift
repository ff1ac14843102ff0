import Foundation
import Geocoding
import JSON
import Testing

@testable import Formats

struct PlaceWriterTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func `a table has every address`() throws {
        let places = [
            place(
                "Ada", street: "1 High St\nFlat \"2\"", coordinate: Coordinate(latitude: 52.4, longitude: -0.25),
                precision: .rooftop, areaConfidence: 0.929, provider: "photon"),
            place("Bob", street: "2 Mill Rd, Rear", coordinate: nil),
        ]

        #expect(
            try written(places, to: "a.csv") == """
                key,name,label,street,city,region,postcode,country,status,latitude,longitude,precision,confidence,area_confidence,provider,first_name,last_name,nickname,matched_address,weak,reason,attribution
                id:Ada,Ada,home,"1 High St\nFlat ""2""\",Ely,,CB7,UK,located,52.4,-0.25,rooftop,0.93,0.93,photon,,,,,false,,
                id:Bob,Bob,home,"2 Mill Rd, Rear",Ely,,CB7,UK,not_found,,,,,,,,,,,,,

                """)
    }

    @Test(arguments: ["a.csv", "a.geojson", "a.kml", "a.ndjson", "a.vcf", "a.html"])
    func `every format can have all details of a place`(name: String) throws {
        var ada = place("Ada", coordinate: Coordinate(latitude: 45.46, longitude: 9.19), precision: .rooftop)
        ada.place.placemark = Placemark(
            coordinate: try #require(ada.coordinate), thoroughfare: "Via \"Pallanza\"", subThoroughfare: "4",
            locality: "Milano", administrativeArea: "Lombardia",
            subAdministrativeArea: "Città metropolitana", postalCode: "20147", countryName: "Italia")
        (ada.place.reason, ada.place.geocodedAt, ada.place.hash) = ("a reason", "2026-11-22T01:02:03Z", "c0ffee")
        ada.place.attribution = "© Atlas"
        let all = try #require(AddedColumns("all"))
        let text = try written([ada], to: name, adding: all)
            .replacing("\r\n ", with: "").replacing("\\\"", with: "\"").replacing("\"\"", with: "\"").replacing(
                "^'", with: "\""
            )
            .replacing("&quot;", with: "\"")
        for value in [
            "Via \"Pallanza\" 4, 20147 MILANO MI, ITALY", "Via \"Pallanza\"", "20147", "Milano", "Lombardia", "Italy",
            "a reason", "2026-11-22T01:02:03Z", "c0ffee",
        ] {
            #expect(text.contains(value), "\(value) in \(text)")
        }
        // Maps and pages have the attributions once.
        for column in AddedColumns.choices where column != "attribution" {
            let isThere = text.lowercased().replacing("-", with: "_").contains(column)
            #expect(isThere, "\(column)")
        }
        // The code of an HTML page contains the word.
        let none = try written([ada], to: name, adding: #require(AddedColumns("none")))
        #expect(!none.lowercased().contains(name.hasSuffix("html") ? "\"matched_address\"" : "matched"))
    }

    @Test(arguments: ["a.csv", "a.tsv", "a.xlsx", "a.ods", "a.geojson", "a.kml", "a.ndjson", "a.vcf", "a.html"])
    func `every format names the source of a place`(name: String) throws {
        var ada = place("Ada", coordinate: Coordinate(latitude: 45.46, longitude: 9.19), precision: .rooftop)
        ada.place.attribution = "© Atlas"
        for added in try [.usual, #require(AddedColumns("hash")), .all] {
            let text = try written([ada], to: name, attribution: ["© Atlas"], adding: added)
            let isPacked = name.hasSuffix("x") || name.hasSuffix("ods")
            let texts = isPacked ? try folder.unzipped(folder.file(name)).map(\.text) : [text]
            #expect(texts.contains { $0.replacing("\r\n ", with: "").contains("© Atlas") }, "\(name)")
        }
    }

    @Test func `columns are requested by their names`() throws {
        for wrong in ["", "nothing", "reason,", "reason;hash", "all,hash", "status"] {
            #expect(AddedColumns(wrong) == nil, "\(wrong)")
        }
        let header = try written([], to: "a.csv", adding: #require(AddedColumns(" Hash, reason")))
        #expect(header.hasSuffix("nickname,matched_address,weak,reason,hash,attribution\n"))
        let twice = try #require(AddedColumns("hash")).with(#require(AddedColumns("reason")))
        #expect(try written([], to: "a.csv", adding: AddedColumns.usual.with(twice)) == header)
    }

    /// An export that is imported again must not take our columns for the contact's.
    @Test func `no added column is a field of a contact`() {
        for name in AddedColumns.choices + AddedColumns.choices.map({ "work \($0)" })
            + AddedColumns.choices.map({ "address 2 \($0)" })
        {
            #expect(ContactField(header: name) == nil && AddressGroup.split(ContactField.key(name)) == nil, "\(name)")
        }
    }

    @Test func `a map has the located addresses, with longitude first`() throws {
        let text = try written(
            [
                place(
                    "Ada", coordinate: Coordinate(latitude: 52.4, longitude: -0.25), precision: .street,
                    provider: "photon"),
                place("Bob", coordinate: nil),
                place("Cy", coordinate: Coordinate(latitude: 0.00001, longitude: 180)),
            ], to: "a.geojson", attribution: ["© OpenStreetMap contributors"])

        let map = try JSONDecoder().decode(FeatureMap.self, from: Data(text.utf8))
        #expect(map.type == "FeatureCollection")
        #expect(map.attribution == ["© OpenStreetMap contributors"])
        #expect(map.features.map(\.geometry.coordinates) == [[-0.25, 52.4], [180, 0.00001]])
        #expect(
            map.features[0].properties == [
                "key": "id:Ada", "name": "Ada", "label": "home", "city": "Ely", "postcode": "CB7", "country": "UK",
                "precision": "street", "provider": "photon",
            ])
        #expect(map.features[1].properties.keys.sorted() == ["city", "country", "key", "label", "name", "postcode"])
        #expect(text.split(separator: "\n").count == 4)
    }

    @Test func `a map without places is valid`() throws {
        let json = try JSONSerialization.jsonObject(with: Data(written([], to: "a.json").utf8)) as? [String: Any]

        #expect((json?["features"] as? [Any])?.isEmpty == true)
        #expect((json?["attribution"] as? [Any])?.isEmpty == true)
    }

    @Test func `any text reads back from JSON`() throws {
        let controls = String(String.UnicodeScalarView((0..<32).compactMap(Unicode.Scalar.init)))
        for text in [controls, "\"\\/\u{7F}", "a\u{2028}b\u{2029}c", "👩‍👩‍👧 שלום", "e\u{301}"] {
            let quoted = JSONWriter.text { $0.value(text) }
            let read = try JSONSerialization.jsonObject(with: Data(quoted.utf8), options: .fragmentsAllowed) as? String

            #expect(read.map { Array($0.utf8) } == Array(text.utf8))
            #expect(!quoted.unicodeScalars.contains { $0.value < 32 })
        }
    }

    @Test(arguments: [
        ("a.csv", PlaceFormat.csv), ("A.CSV", .csv), ("-", .csv), ("a.geojson", .geoJSON), ("b/a.json", .geoJSON),
        ("a.kml", .kml), ("a.ndjson", .ndjson), ("a.JSONL", .ndjson), ("a.html", .html), ("A.HTM", .html),
    ])
    func `the format is detected from the name`(path: String, format: PlaceFormat) throws {
        #expect(try PlaceFormat(path: path) == format)
    }

    @Test func `a name with an unknown ending is refused with the known endings`() {
        let error = #expect(throws: FileError.self) { try PlaceFormat(path: "places.docx") }

        #expect(error?.description == "places.docx: the name must end in \(PlaceFormat.endingsText)")
        #expect(PlaceFormat.endingsText.hasPrefix(".csv, .tsv, .tab, .xlsx, .ods, .geojson, .json, .kml"))
        #expect(PlaceFormat.endingsText.contains(/, \.[a-z]+ or \.[a-z]+$/))
    }

    private func written(
        _ places: [ContactPlace], to name: String, attribution: [String] = [], adding added: AddedColumns = .usual
    ) throws -> String {
        var writer = try PlaceFormat(path: name).writer(
            to: folder.file(name), attribution: attribution, adding: added)
        for place in places { try writer.write(place) }
        try writer.finish().commit()
        return String(decoding: try folder.bytes(of: name), as: UTF8.self)
    }

    private func place(
        _ name: String, street: String = "", coordinate: Coordinate?, precision: Precision? = nil,
        areaConfidence: Double? = nil, provider: String? = nil
    ) -> ContactPlace {
        ContactPlace(
            id: 1, sourceKey: "id:\(name)", name: name, label: "home",
            address: Address(street: street, city: "Ely", postcode: "CB7", country: "UK"),
            status: coordinate == nil ? .notFound : .located, coordinate: coordinate, precision: precision,
            areaConfidence: areaConfidence, provider: provider)
    }
}

private struct FeatureMap: Decodable {
    let type: String
    let attribution: [String]
    let features: [Feature]

    struct Feature: Decodable {
        let geometry: Geometry
        let properties: [String: String]
    }

    struct Geometry: Decodable {
        let coordinates: [Double]
    }
}
