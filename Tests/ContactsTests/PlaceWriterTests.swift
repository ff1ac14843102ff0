import Foundation
import Geocodes
import Geocoding
import Testing

@testable import Contacts

struct PlaceWriterTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "waypost-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func place(_ name: String, at coordinate: Coordinate?) -> ContactPlace {
        ContactPlace(
            id: 1, sourceKey: "id:1", name: name, label: "home",
            address: Address(street: "1 Main \"St\"\nApt, 4", city: "Reno"),
            status: coordinate == nil ? .notFound : .located, coordinate: coordinate,
            precision: coordinate == nil ? nil : .city, provider: "gazetteer")
    }

    private let names = ["Ada", "\"", "a,b", " edge ", "line\r\nend", "שלום", "🏠 \u{2028} \u{1}", "=1+1", ""]

    @Test func `what is written as CSV reads back the same`() throws {
        try inFolder { folder in
            var writer = try PlaceFormat(path: "\(folder)/places.csv").writer(
                to: "\(folder)/places.csv", attribution: [])
            let reno = try #require(Coordinate(latitude: 39.5296, longitude: -119.8138))
            for name in names { try writer.write(place(name, at: name == "Ada" ? nil : reno)) }
            try writer.finish()
            var reader = try CSVReader(path: "\(folder)/places.csv")
            var back: [[String]] = []
            while case .fields(_, let fields)? = try reader.next() { back.append(fields) }
            #expect(back[0] == CSVPlaceWriter.columns)
            #expect(back.dropFirst().map { $0[1] } == names)
            #expect(back[1][8...] == ["not_found", "", "", "", "gazetteer"])
            #expect(back[2][3] == "1 Main \"St\"\nApt, 4")
            #expect(back[2][8...] == ["located", "39.5296", "-119.8138", "city", "gazetteer"])
        }
    }

    @Test func `GeoJSON is valid, has the longitude first, and leaves out what has no place`() throws {
        try inFolder { folder in
            let path = "\(folder)/places.geojson"
            var writer = try PlaceFormat(path: path).writer(to: path, attribution: ["© Test"])
            let reno = try #require(Coordinate(latitude: 39.5296, longitude: -119.8138))
            for name in names { try writer.write(place(name, at: name == "Ada" ? nil : reno)) }
            try writer.finish()
            let json =
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any]
            #expect(json?["type"] as? String == "FeatureCollection")
            #expect(json?["attribution"] as? [String] == ["© Test"])
            let features = try #require(json?["features"] as? [[String: Any]])
            let properties = features.compactMap { $0["properties"] as? [String: String] }
            #expect(properties.map { $0["name"] ?? "" } == Array(names.dropFirst()))
            let geometry = try #require(features[0]["geometry"] as? [String: Any])
            #expect(geometry["coordinates"] as? [Double] == [-119.8138, 39.5296])
        }
    }

    @Test func `no places at all are valid GeoJSON too`() throws {
        try inFolder { folder in
            let path = "\(folder)/none.json"
            var writer = try PlaceFormat(path: path).writer(to: path, attribution: [])
            try writer.finish()
            let json =
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any]
            #expect((json?["features"] as? [Any])?.count == 0)
        }
    }

    @Test func `a file that isn't finished leaves the old one as it was and nothing beside it`() throws {
        try inFolder { folder in
            let path = "\(folder)/places.csv"
            try "old".write(toFile: path, atomically: true, encoding: .utf8)
            do {
                var writer = try PlaceFormat(path: path).writer(to: path, attribution: [])
                try writer.write(place("Ada", at: nil))
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["places.csv"])
        }
    }

    @Test func `a disk that is full is a sentence`() throws {
        let full = OutputFile(descriptor: open("/dev/full", O_WRONLY), name: "places.csv")
        try full.write("something")
        let error = #expect(throws: FileError.self) { try full.commit() }
        #expect(error?.description == "places.csv: no space left on the disk")
    }

    @Test(arguments: [
        ("/nonexistent/places.csv", "no such file"), ("/tmp/", "can't tell the form"),
        ("places", "can't tell the form"), ("places.xlsx", "can't tell the form"),
    ])
    func `a place where nothing can be written is named`(_ path: String, _ problem: String) {
        let error = #expect(throws: FileError.self) {
            _ = try PlaceFormat(path: path).writer(to: path, attribution: [])
        }
        #expect(error?.problem.contains(problem) == true)
    }
}
