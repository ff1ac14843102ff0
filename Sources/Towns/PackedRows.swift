/// The form of the gazetteer's image that the program contains. zlib compresses it to two thirds of what it makes of the
/// image itself.
///
/// A number becomes the difference to the same number of the row before. The bytes of one place of all rows are
/// adjacent: first the low bytes of the first number, and so on. The hash tables are zero, because they follow from
/// their keys.
package enum PackedRows {
    /// Sections of rows, with the numbers of 32 bits in a row.
    private static let widths: [(section: TownImage.Section, width: Int)] = [
        (.places, 5), (.postcodes, 5), (.regions, 5), (.names, 2), (.postcodeKeys, 2), (.regionKeys, 2), (.cells, 1),
        (.placesByCell, 1),
    ]

    /// Packs an image whose hash tables are zero.
    package static func pack(_ bytes: UnsafeMutableRawBufferPointer) {
        let image = TownImage(UnsafeRawBufferPointer(bytes))
        for (section, width) in widths {
            let count = image.count(of: section)
            let words = UnsafeMutablePointer(mutating: image.pointer(to: section, as: UInt32.self))
            let rows = Array(UnsafeBufferPointer(start: words, count: count * width))
            let packed = UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt8.self)
            for index in rows.indices {
                let difference = Int32(bitPattern: rows[index] &- (index < width ? 0 : rows[index - width]))
                // Small differences of both signs become small numbers.
                let folded = UInt32(bitPattern: difference << 1 ^ difference >> 31)
                let (row, column) = index.quotientAndRemainder(dividingBy: width)
                for byte in 0..<4 {
                    packed[(column * 4 + byte) * count + row] = UInt8(truncatingIfNeeded: folded >> (8 * byte))
                }
            }
        }
    }

    /// Makes the image of its packed form, in place.
    package static func unpack(_ bytes: UnsafeMutableRawBufferPointer) {
        let image = TownImage(UnsafeRawBufferPointer(bytes))
        for (section, width) in widths {
            let count = image.count(of: section)
            let words = UnsafeMutablePointer(mutating: image.pointer(to: section, as: UInt32.self))
            let packed = [UInt8](UnsafeRawBufferPointer(start: words, count: count * width * 4))
            packed.withUnsafeBufferPointer { packed in
                for column in 0..<width {
                    var value: UInt32 = 0
                    for row in 0..<count {
                        var folded: UInt32 = 0
                        for byte in 0..<4 { folded |= UInt32(packed[(column * 4 + byte) * count + row]) << (8 * byte) }
                        value &+= folded >> 1 ^ (0 &- (folded & 1))
                        words[row * width + column] = value
                    }
                }
            }
        }
        KeyTable.fill(image)
    }
}
