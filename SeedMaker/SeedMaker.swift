import CLzma
import CZlib
import Foundation

/// Makes `towns.bin` from the places, districts, postcodes and regions in a folder. `make gazetteer` runs it on `sql/seed`.
///
/// It is a separate program because folding half a million names takes seconds, which a look-up must not take. The same
/// input makes the same bytes.
@main
enum SeedMaker {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: SeedMaker FOLDER\n".utf8))
            exit(2)
        }
        let folder = URL(filePath: CommandLine.arguments[1])
        let places = try Data(contentsOf: folder.appending(path: "places.tsv.gz"))
        let postcodes = try Data(contentsOf: folder.appending(path: "postcodes.tsv.gz"))
        let regions = try Data(contentsOf: folder.appending(path: "regions.tsv"))
        let districts = try Data(contentsOf: folder.appending(path: "districts.tsv.gz"))
        // The program contains the same file.
        let borders = try Data(contentsOf: folder.appending(path: "countries.bin"))
        var writer = ImageWriter()
        let towns = lines(of: places).compactMap { WithinBorders(country: 3, latitude: 6).mended($0) }
        for line in towns { writer.addPlace(line) }
        let parts = Districts(besides: PlausiblePostcodes(places: towns)).rows(
            of: lines(of: districts).compactMap { WithinBorders(country: 3, latitude: 6).mended($0) })
        let known = PlausiblePostcodes(places: towns + parts)
        let codes = known.rows(of: MisplacedPostcodes(known).rows(of: lines(of: postcodes)))
            .compactMap { WithinBorders(country: 0, latitude: 5).mended($0) }
        for line in codes { writer.addPostcode(line) }
        for line in parts { writer.addDistrict(line) }
        for line in PostcodeTowns(besides: known).rows(of: codes) { writer.addTown(ofPostcode: line) }
        for line in Self.columns(of: String(decoding: regions, as: UTF8.self)) { writer.addRegion(line) }
        let image = writer.image(sources: [crc(places), crc(postcodes), crc(regions), crc(districts), crc(borders)])
        try packed(image).write(to: folder.appending(path: "towns.bin"))
    }

    private static func crc(_ data: Data) -> UInt32 {
        data.withUnsafeBytes { bytes in
            UInt32(crc32(0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count)))
        }
    }

    /// The lines after the heading, split into columns.
    private static func lines(of file: Data) -> [[Substring]] {
        columns(of: String(decoding: unpacked(file), as: UTF8.self))
    }

    private static func columns(of text: String) -> [[Substring]] {
        text.split(separator: "\n").dropFirst().map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    }

    private static func unpacked(_ file: Data) -> [UInt8] {
        // The last four bytes of a gzip file are the length of its content.
        let length = file.suffix(4).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
        var input = Array(file)
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            var stream = z_stream()
            let capacity = UInt32(buffer.count)
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = capacity
                inflateInit2_(&stream, 32 + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
                precondition(inflate(&stream, Z_FINISH) == Z_STREAM_END, "the seed is damaged")
                inflateEnd(&stream)
            }
            count = buffer.count - Int(stream.avail_out)
        }
    }

    /// The length and the checksum in four bytes each, then the image compressed by liblzma.
    private static func packed(_ image: [UInt8]) -> Data {
        var bytes = [UInt8](repeating: 0, count: lzma_stream_buffer_bound(image.count))
        var length = 0
        // 1 << 31 is LZMA_PRESET_EXTREME, which Swift can't import.
        let status = lzma_easy_buffer_encode(
            7 | 1 << 31, LZMA_CHECK_CRC32, nil, image, image.count, &bytes, &length, bytes.count)
        precondition(status == LZMA_OK)
        let head = [UInt32(image.count), crc(Data(image))]
        return head.withUnsafeBytes { Data($0) } + Data(bytes.prefix(length))
    }
}
