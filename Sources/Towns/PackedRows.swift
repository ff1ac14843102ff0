/// The form of the gazetteer's image that the program contains. liblzma compresses it to two thirds of what it makes of
/// the image itself.
///
/// The bytes of one place of all rows are adjacent: first the low bytes of the first number, and so on. A number becomes
/// the difference to the same number of the row before. A text becomes 0 if it follows the text that was named before
/// it, and else its distance from the end of the texts so far. Keys are in the order of their rows. What follows from
/// other rows is zero: the hash tables and the grid.
package enum PackedRows {
    private enum Column {
        case text, number
        /// A multiple of a thousandth of a degree.
        case degrees
    }

    private static let sections: [(section: TownImage.Section, columns: [Column])] = [
        (.places, [.text, .number, .degrees, .degrees, .number]),
        (.postcodes, [.text, .text, .number, .degrees, .degrees]),
        (.regions, [.number, .text, .text, .text, .text]),
        (.names, [.text, .number]), (.postcodeKeys, [.text, .number]), (.regionKeys, [.text, .number]),
    ]

    /// Packs an image whose texts lie in the order of `visitTexts`.
    package static func pack(_ bytes: UnsafeMutableRawBufferPointer) {
        let image = TownImage(UnsafeRawBufferPointer(bytes))
        visitTexts(of: image) { text, next, end in
            let offset = text.pointee
            text.pointee = offset == next ? 0 : 1 + end - offset
            return offset
        }
        for (section, columns) in sections {
            let (width, count) = (columns.count, image.count(of: section))
            let words = words(of: image, section)
            let rows = Array(UnsafeBufferPointer(start: words, count: count * width))
            let packed = UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt8.self)
            for index in rows.indices {
                let (row, column) = index.quotientAndRemainder(dividingBy: width)
                let before = row == 0 || columns[column] == .text ? 0 : rows[index - width]
                let difference = Int32(bitPattern: rows[index] &- before) / unit(of: columns[column])
                // Small differences of both signs become small numbers.
                let folded = UInt32(bitPattern: difference << 1 ^ difference >> 31)
                for byte in 0..<4 {
                    packed[(column * 4 + byte) * count + row] = UInt8(truncatingIfNeeded: folded >> (8 * byte))
                }
            }
        }
    }

    /// Makes the image of its packed form, in place.
    package static func unpack(_ bytes: UnsafeMutableRawBufferPointer) {
        let image = TownImage(UnsafeRawBufferPointer(bytes))
        for (section, columns) in sections {
            let (width, count) = (columns.count, image.count(of: section))
            let words = words(of: image, section)
            let packed = [UInt8](UnsafeRawBufferPointer(start: words, count: count * width * 4))
            packed.withUnsafeBufferPointer { packed in
                for (column, kind) in columns.enumerated() {
                    let unit = UInt32(unit(of: kind))
                    var value: UInt32 = 0
                    for row in 0..<count {
                        var folded: UInt32 = 0
                        for byte in 0..<4 { folded |= UInt32(packed[(column * 4 + byte) * count + row]) << (8 * byte) }
                        if kind == .text { value = 0 }
                        value &+= (folded >> 1 ^ (0 &- (folded & 1))) &* unit
                        words[row * width + column] = value
                    }
                }
            }
        }
        visitTexts(of: image) { text, next, end in
            if text.pointee == 0 { text.pointee = next } else { text.pointee = 1 + end - text.pointee }
            return text.pointee
        }
        KeyTable.sort(image)
        KeyTable.fill(image)
        TownGrid.fill(image)
    }

    private static func unit(of column: Column) -> Int32 { column == .degrees ? 100 : 1 }

    private static func words(of image: TownImage, _ section: TownImage.Section) -> UnsafeMutablePointer<UInt32> {
        UnsafeMutablePointer(mutating: image.pointer(to: section))
    }

    /// Visits each number that is the offset of a text. `visit` also takes the offset after the text before and the end
    /// of all texts so far, and returns the offset of the text.
    private static func visitTexts(
        of image: TownImage, _ visit: (UnsafeMutablePointer<UInt32>, _ next: UInt32, _ end: UInt32) -> UInt32
    ) {
        let (places, names) = (words(of: image, .places), words(of: image, .names))
        // The empty text is the first.
        var (next, end, name): (UInt32, UInt32, Int) = (0, 1, 0)
        func visitText(_ text: UnsafeMutablePointer<UInt32>) {
            next = 1 + visit(text, next, end)
            next += UInt32(image.text(at: next - 1).count)
            end = max(end, next)
        }
        func visitPlaces(_ rows: Range<Int>) {
            for row in rows {
                visitText(places + 5 * row)
                while name < image.count(of: .names), names[2 * name + 1] % StoredKey.postcodeName == row {
                    visitText(names + 2 * name)
                    name += 1
                }
            }
        }
        func visitRows(_ section: TownImage.Section, width: Int, texts: Range<Int>) {
            let words = words(of: image, section)
            for row in 0..<image.count(of: section) { for column in texts { visitText(words + row * width + column) } }
        }
        let placesInGrid = image.count(of: .placesByCell)
        visitPlaces(0..<placesInGrid)
        visitRows(.postcodes, width: 5, texts: 0..<2)
        visitPlaces(placesInGrid..<image.count(of: .places))
        visitRows(.postcodeKeys, width: 2, texts: 0..<1)
        visitRows(.regions, width: 5, texts: 1..<5)
        visitRows(.regionKeys, width: 2, texts: 0..<1)
    }
}
