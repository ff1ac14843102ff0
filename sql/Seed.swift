import CSeed
import CZlib

/// Data the product ships inside its binary. `seed/README.md` says where it is from.
///
/// Unchecked: the bytes are part of the program and never change.
package struct Seed: @unchecked Sendable {
    /// Changes whenever the files in `sql/seed` do, so that databases load them anew.
    package static let edition = "2026-11-21.2"

    /// GeoNames places over 5,000 people; a line is
    /// id, name, other names (`|` between), country, region code, region, latitude, longitude, population.
    package static let places = Seed("places", from: seed_places(), to: seed_places_end())

    /// GeoNames postcodes; a line is country, postcode, place, region code, region, latitude, longitude.
    package static let postcodes = Seed("postcodes", from: seed_postcodes(), to: seed_postcodes_end())

    package let name: String
    private let compressed: UnsafeBufferPointer<UInt8>

    private init(_ name: String, from start: UnsafePointer<UInt8>?, to end: UnsafePointer<UInt8>?) {
        guard let start, let end else { preconditionFailure("the seed data \"\(name)\" is not in the binary") }
        self.name = name
        compressed = UnsafeBufferPointer(start: start, count: end - start)
    }

    /// Hands over each line after the heading as its columns, unpacking a piece at a time.
    package func forEachLine(_ body: ([Slice<UnsafeBufferPointer<UInt8>>]) throws -> Void) throws {
        var isHeading = true
        try forEachPiece { piece in
            for line in piece.split(separator: UInt8(ascii: "\n")) {
                if !isHeading { try body(line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)) }
                isHeading = false
            }
        }
    }

    /// Unpacks the data in pieces of whole lines.
    private func forEachPiece(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        var stream = z_stream()
        stream.next_in = UnsafeMutablePointer(mutating: compressed.baseAddress)
        stream.avail_in = UInt32(compressed.count)
        // 32: read the gzip header.
        guard inflateInit2_(&stream, 32 + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            preconditionFailure("zlib refuses to start")
        }
        defer { inflateEnd(&stream) }
        let capacity = 1 << 20
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        defer { buffer.deallocate() }
        var held = 0
        var status = Z_OK
        while status == Z_OK {
            stream.next_out = buffer + held
            stream.avail_out = UInt32(capacity - held)
            status = inflate(&stream, Z_NO_FLUSH)
            let filled = capacity - Int(stream.avail_out)
            let whole = UnsafeBufferPointer(start: buffer, count: filled)
            let end = status == Z_OK ? (whole.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1 : filled
            try body(UnsafeBufferPointer(rebasing: whole[..<end]))
            buffer.update(from: buffer + end, count: filled - end)
            held = filled - end
        }
        precondition(status == Z_STREAM_END, "the seed data \"\(name)\" is damaged (zlib says \(status))")
    }
}
