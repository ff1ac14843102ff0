import Foundation
import FoundationXML
import Geocoding
import Testing

@testable import Formats

struct KMLPlaceWriterTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func `a placemark has a name, an address, its details and a point`() throws {
        let document = try written([place("Ada", label: "home")], attribution: ["© A & B", "<C>"])

        #expect(document.text("description") == "© A & B\n<C>")
        let marks = document.elements(forName: "Placemark")
        #expect(marks.count == 1)
        let mark = try #require(marks.first)
        #expect(mark.children?.compactMap(\.name) == ["name", "address", "ExtendedData", "Point"])
        #expect(mark.text("name") == "Ada")
        #expect(mark.text("address") == "1 High St, ELY, CB7, UNITED KINGDOM")
        #expect(mark.elements(forName: "Point").first?.text("coordinates") == "-0.25,52.4")
        #expect(
            data(of: mark) == [
                "key": "id:Ada", "label": "home", "street": "1 High St", "city": "Ely", "postcode": "CB7",
                "country": "UK", "precision": "rooftop", "confidence": "0.93", "area_confidence": "0.93",
                "provider": "photon",
            ])
    }

    @Test func `an address without a coordinate has no placemark`() throws {
        var nowhere = place("Bob", label: "home")
        nowhere.coordinate = nil
        #expect(try written([nowhere]).elements(forName: "Placemark").isEmpty)
    }

    @Test(arguments: oddTexts) func `any text reads back`(text: String) throws {
        let mark = try #require(try written([place(text, label: text)]).elements(forName: "Placemark").first)

        #expect(Array((mark.text("name") ?? "").utf8) == Array(text.utf8))
        #expect(Array((data(of: mark)["label"] ?? "").utf8) == Array(text.utf8))
    }

    @Test func `a character that XML can't contain is replaced visibly`() throws {
        let mark = try #require(
            try written([place(controls + "\u{FFFE}\u{FFFF}", label: "")]).elements(forName: "Placemark").first)

        #expect(mark.text("name") == String(repeating: "\u{FFFD}", count: 28 + 2))
    }

    private func written(_ places: [ContactPlace], attribution: [String] = []) throws -> XMLElement {
        var writer = try PlaceFormat.kml.writer(to: folder.file("a.kml"), attribution: attribution)
        for place in places { try writer.write(place) }
        try writer.finish().commit()
        let xml = try XMLDocument(data: Data(folder.bytes(of: "a.kml")), options: [.nodePreserveAll])
        #expect(xml.rootElement()?.name == "kml")
        #expect(xml.rootElement()?.namespaces?.first?.stringValue == "http://www.opengis.net/kml/2.2")
        return try #require(xml.rootElement()?.elements(forName: "Document").first)
    }

    private func data(of mark: XMLElement) -> [String: String] {
        let data = mark.elements(forName: "ExtendedData").flatMap { $0.elements(forName: "Data") }
        return Dictionary(
            uniqueKeysWithValues: data.map {
                ($0.attributes?.first?.stringValue ?? "", $0.text("value") ?? "")
            })
    }

    private func place(_ name: String, label: String) -> ContactPlace {
        ContactPlace(
            id: 1, sourceKey: "id:\(name)", name: name, label: label,
            address: Address(street: "1 High St", city: "Ely", postcode: "CB7", country: "UK"), status: .located,
            coordinate: Coordinate(latitude: 52.4, longitude: -0.25), precision: .rooftop, areaConfidence: 0.929,
            provider: "photon")
    }
}

extension XMLElement {
    fileprivate func text(_ child: String) -> String? { elements(forName: child).first?.stringValue }
}
