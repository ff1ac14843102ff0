import Formats
import Foundation
import MapTesting

@testable import Points

/// A map from lines of OPL.
struct MadeMap {
    let objects: RegionObjects

    init(_ text: String) async throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "waypost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (opl, pbf) = (folder.appending(path: "a.opl").path, folder.appending(path: "a.osm.pbf").path)
        try Data((text + "\n").utf8).write(to: URL(filePath: opl))
        try await Osmium.run("cat", opl, "-o", pbf)
        objects = try RegionObjects(reading: MapExtract(path: pbf))
    }

    /// Each house as `kind number street|place|city|district|postcode latitude,longitude`, in the unit of the map.
    var houses: [String] { objects.houses.map(objects.text).sorted() }

    var streets: [String] {
        objects.streets.map { street in
            let line = objects.positions[street.line].map { "\($0.latitude),\($0.longitude)" }.joined(separator: " ")
            let others = street.others.map { objects.texts[$0] }.joined(separator: "/")
            return "\(objects.texts[street.name])(\(others))\(street.isSquare ? " square" : "") \(line)"
        }
    }
}

extension RegionObjects {
    func text(_ house: House) -> String {
        let address = addresses[Int(house.address)]
        let parts = [address.street, address.place, address.city, address.district, address.postcode].map { texts[$0] }
        let position = "\(house.position.latitude),\(house.position.longitude)"
        return "\(house.kind) \(texts[house.number]) \(parts.joined(separator: "|")) \(position)"
    }
}

/// SplitMix64: https://prng.di.unimi.it/splitmix64.c
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
