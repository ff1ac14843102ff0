import CZlib
import Foundation
import Testing

@testable import Towns

struct TownImageTests {
    /// `make gazetteer` builds the image.
    @Test func `the image is made of the seed as it lies in the folder`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../sql/seed")
        let names = ["places.tsv.gz", "postcodes.tsv.gz", "regions.tsv", "districts.tsv.gz", "countries.bin"]
        let sums = try names.map { name in
            try Data(contentsOf: folder.appending(path: name)).withUnsafeBytes { bytes in
                UInt32(crc32(0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count)))
            }
        }
        #expect(TownImage.shared.sources == sums)
    }

    @Test func `every name leads to its place`() {
        let image = TownImage.shared
        let gazetteer = Gazetteer.shared
        let names = image.pointer(to: .names, as: StoredKey.self)
        for index in stride(from: 0, to: image.count(of: .names), by: 97) {
            let rows = gazetteer.towns(called: image.text(at: names[index].key))
            #expect(rows.contains { $0.row == names[index].row })
        }
        #expect(image.count(of: .places) > 60_000)
        #expect(image.count(of: .postcodes) > 200_000)
    }
}
